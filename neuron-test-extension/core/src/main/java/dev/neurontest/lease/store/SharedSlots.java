package dev.neurontest.lease.store;

import dev.neurontest.file.OpenFileLimit;
import dev.neurontest.lease.LeaseTableException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Slots in a file, which is opened once and stays open: to close any channel on a file drops all locks that the process has on it,
 * with whichever class loader they were taken. A copy of this class in another class loader opens the file once more, and Java
 * keeps the two from locking the same byte.
 */
final class SharedSlots implements Slots {

    /** Its number is that of the format. */
    static final String FILE = "leases-1";

    /** Lies behind all content. */
    private static final long LOCKS = 1L << 40;

    private static final Map<Object, SharedSlots> OPEN = new HashMap<>();

    private final SharedFile file;
    private final Path shown;
    private final @Nullable RandomAccessFile information;
    private final Map<Integer, FileLock> locks = new ConcurrentHashMap<>();
    private int users;

    private SharedSlots(SharedFile file, Path shown) throws IOException {
        this.file = file;
        this.shown = shown;
        // Each class loader has a byte of its own for it.
        long probe = LOCKS - 1 - Integer.toUnsignedLong(System.identityHashCode(SharedSlots.class));
        FileLock lock = file.tryLock(probe);
        Optional<File> found = Descriptor.locking(probe);
        this.information = found.isPresent() ? new RandomAccessFile(found.get(), "r") : null;
        if (lock != null) {
            lock.release();
        }
    }

    /** Opens the file of a table, or makes it. */
    static SharedSlots in(SharedFolder folder) throws IOException {
        synchronized (OPEN) {
            Path shown = folder.shown(FILE);
            for (Object key : OPEN.keySet().toArray()) {
                SharedSlots known = OPEN.get(key);
                if (known.file.isAt(shown)) {
                    known.users++;
                    return known;
                }
                if (known.users == 0 && !known.file.isAt(known.shown)) {
                    OPEN.remove(key);
                    known.close();
                }
            }
            SharedFile file = folder.openOrCreate(FILE);
            SharedSlots made = new SharedSlots(file, shown);
            OPEN.put(file, made);
            made.users++;
            return made;
        }
    }

    private void close() throws IOException {
        file.close();
        if (information != null) {
            information.close();
        }
    }

    /** Leaves the file open. */
    void leave() {
        synchronized (OPEN) {
            users--;
        }
    }

    @Override
    public byte[] read(long position, int length) {
        try {
            return file.read(position, length);
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    @Override
    public void write(long position, byte[] content) {
        try {
            file.write(position, content);
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    @Override
    public boolean tryLock(int slot) {
        try {
            FileLock lock = file.tryLock(lock(slot));
            if (lock != null) {
                locks.put(slot, lock);
            }
            return lock != null;
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    @Override
    public void unlock(int slot) {
        FileLock lock = locks.remove(slot);
        try {
            if (lock != null) {
                lock.release();
            }
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    @Override
    public boolean holds(Collection<Integer> slots) {
        if (information == null) {
            return true;
        }
        try {
            String held = Descriptor.locks(information);
            return slots.stream().allMatch(slot -> held.contains(Descriptor.lock(lock(slot))));
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    /** Returns the byte by which a slot is locked. The kernel shows locks on bytes that follow each other as one. */
    static long lock(int slot) {
        return LOCKS + 2L * slot;
    }

    @Override
    public void requireInPlace() {
        try {
            if (!file.isAt(shown)) {
                throw new LeaseTableException(
                        "The lease table in %s does not know this JVM any more: it was removed or replaced while it was in use. Leave it alone while tests run; run them again now."
                                .formatted(shown.getParent()));
            }
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    private LeaseTableException unusable(IOException failed) {
        return unusable(shown.getParent(), failed);
    }

    static LeaseTableException unusable(Path directory, IOException failed) {
        return new LeaseTableException(
                "The lease table in %s cannot be used: %s. %s"
                        .formatted(
                                directory,
                                TableDirectory.describe(failed),
                                OpenFileLimit.advice(
                                        failed,
                                        "It needs a local file system that can be written to, with some room; neuron.test.lease.directory names another.")),
                failed);
    }
}
