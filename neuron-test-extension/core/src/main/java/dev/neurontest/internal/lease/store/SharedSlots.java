package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.process.ProcessTable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Slots in a file that all JVMs map into memory. Locks are numbers in this memory, set by compare and set. Kernel locks would end
 * when any code of the JVM closes the file. Disk space is allocated before a write, because a failed write to mapped memory is an
 * error of the virtual machine.
 */
final class SharedSlots implements Slots, AutoCloseable {

    /** The name of the file, which ends with the number of the format. */
    static final String FILE = "leases-1";

    /** The size of a block. The first bytes of each block are never used, so writing to them allocates its disk space. */
    static final int BLOCK = 4096;

    private static final VarHandle NUMBERS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** The position of the number that identifies the file format. */
    private static final long MARK_POSITION = 8;

    private static final long MARK = 0x6e657572_6c656173L;

    /** The time for which a JVM counts as alive after a successful check. */
    private static final long ALIVE = Duration.ofMillis(40).toNanos();

    private final SharedFolder folder;
    private final SharedFile file;
    private final MappedByteBuffer memory;
    private final String self;
    private final ProcessTable processes;
    private final Map<Long, Long> alive = new ConcurrentHashMap<>();

    /**
     * Opens or creates the file of a table.
     *
     * @param self the name of this JVM; empty for a reader
     */
    SharedSlots(SharedFolder folder, String self, ProcessTable processes) throws IOException {
        this.folder = folder;
        this.self = self;
        this.processes = processes;
        Opened opened = Descriptor.uninterrupted(() -> open(folder, self.isEmpty()));
        this.file = opened.file();
        this.memory = opened.memory();
        if (!self.isEmpty()) {
            try {
                allocate(List.of(new Part(0, BLOCK)));
            } catch (IOException failed) {
                file.close();
                throw failed;
            }
            compareAndSet(MARK_POSITION, 0, MARK);
        } else if (get(MARK_POSITION) != MARK) {
            file.close();
            throw damaged(folder);
        }
    }

    private record Opened(SharedFile file, MappedByteBuffer memory) {}

    private static Opened open(SharedFolder folder, boolean isReader) throws IOException {
        SharedFile file = isReader ? folder.open(FILE) : folder.openOrCreate(FILE);
        try {
            // Mapping more than the size makes the file longer, which is only allowed for a new file.
            long size = file.size();
            if (size < CoreSlots.END && (isReader || size > 0)) {
                throw damaged(folder);
            }
            return new Opened(file, file.channel().map(FileChannel.MapMode.READ_WRITE, 0, CoreSlots.END));
        } catch (IOException | RuntimeException failed) {
            file.close();
            throw failed;
        }
    }

    /** A part of the file, from a position to another one, exclusive. */
    record Part(long from, long to) {}

    /** Allocates disk space for parts of the file. */
    void allocate(List<Part> parts) throws IOException {
        Descriptor.uninterrupted(() -> {
            try (SharedFile again = folder.open(FILE)) {
                ByteBuffer zero = ByteBuffer.allocateDirect(1);
                for (Part part : parts) {
                    for (long block = part.from(); block < part.to(); block += BLOCK) {
                        again.channel().write(zero, block);
                        zero.clear();
                    }
                }
                return again;
            }
        });
    }

    @Override
    public long get(long position) {
        return (long) NUMBERS.getVolatile((ByteBuffer) memory, (int) position);
    }

    @Override
    public void set(long position, long value) {
        NUMBERS.setVolatile((ByteBuffer) memory, (int) position, value);
    }

    @Override
    public boolean compareAndSet(long position, long expected, long value) {
        return NUMBERS.compareAndSet((ByteBuffer) memory, (int) position, expected, value);
    }

    @Override
    public byte[] read(long position, int length) {
        byte[] content = new byte[length];
        memory.get((int) position, content);
        // The next read of the word shows whether this content has changed.
        VarHandle.loadLoadFence();
        return content;
    }

    @Override
    public void write(long position, byte[] content) {
        memory.put((int) position, content);
    }

    /** Checks whether another process has truncated the file. Then a use of the memory is an error of the virtual machine. */
    boolean isCut() {
        try {
            return file.size() < CoreSlots.END;
        } catch (IOException closed) {
            return true;
        }
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public long self() {
        return Membership.number(self);
    }

    @Override
    public boolean isDead(long owner) {
        long now = System.nanoTime();
        if (now - alive.getOrDefault(owner, now - ALIVE) < ALIVE) {
            return false;
        }
        boolean lives = Membership.isAlive(folder, Membership.name(owner), processes);
        if (lives) {
            alive.put(owner, now);
        } else {
            alive.remove(owner);
        }
        return !lives;
    }

    @Override
    public void requireInPlace() {
        try {
            long size = file.sizeAt(folder.shown(FILE));
            if (size < 0 || !Membership.hasBell(folder, self)) {
                throw new LeaseTableException(
                        "The lease table in %s no longer contains this JVM: it was removed or replaced while it was in use. Do not change it while tests run; run the tests again."
                                .formatted(folder.shown()));
            }
            if (size < CoreSlots.END || get(MARK_POSITION) != MARK) {
                throw damaged(folder);
            }
        } catch (IOException failed) {
            throw unusable(folder.shown(), failed);
        }
    }

    private static LeaseTableException damaged(SharedFolder folder) {
        return new LeaseTableException(
                "The lease table in %s is damaged: another process has written to its file. End all JVMs that use it, remove it, and run again."
                        .formatted(folder.shown()));
    }

    /**
     * Creates the exception for a use of the memory after another process has truncated the file. Java reports the error with a
     * short delay.
     */
    static LeaseTableException cut(Path directory, @Nullable InternalError failed) {
        return new LeaseTableException(
                "The lease table in %s cannot be used: another process has truncated its file. End all JVMs that use it, remove it, and run again."
                        .formatted(directory),
                failed);
    }

    static LeaseTableException unusable(Path directory, IOException failed) {
        return new LeaseTableException(
                "The lease table in %s cannot be used: %s. %s"
                        .formatted(
                                directory,
                                LeaseDirectory.describe(failed),
                                OpenFileLimit.advice(
                                        failed,
                                        "It requires a writable local file system with free space. Set neuron.test.lease.directory to another directory.")),
                failed);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
