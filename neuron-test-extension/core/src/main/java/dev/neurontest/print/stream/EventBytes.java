package dev.neurontest.print.stream;

import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of all events of a test, one after the other in slabs, so that they cost no object each and go as a whole. When the
 * memory is used up they go to a file and are seen through mappings of it. The file has no name any more as soon as it is open:
 * nothing is left of it, however this process ends.
 *
 * <p>Not for several threads. What was put once does not change, and may be looked at by all.
 */
final class EventBytes {

    /** Of most slabs: small enough that no collector treats it as huge. */
    static final int SLAB = 256 << 10;

    private static final int CHUNK = 256 << 10;

    private final long memory;
    private final int largest;
    private final Supplier<Path> folder;
    private final List<Slab> slabs = new ArrayList<>();
    private long onHeap;
    private long inFile;
    private int current = -1;
    private @Nullable FileChannel file;
    private @Nullable String fileFault;

    private static final class Slab {
        private ByteBuffer head;
        private @Nullable MappedWindows windows;
        private int length;

        private Slab(ByteBuffer head) {
            this.head = head.order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /**
     * Nothing yet.
     *
     * @param memory bytes that may be on the heap
     * @param largest bytes of an event that may
     * @param folder for the file, asked when it is needed
     */
    EventBytes(long memory, int largest, Supplier<Path> folder) {
        this.memory = memory;
        this.largest = largest;
        this.folder = folder;
    }

    /** Why the file cannot be written; null while it can. It is not tried again. */
    @Nullable
    String fileFault() {
        return fileFault;
    }

    long onHeap() {
        return onHeap;
    }

    /**
     * Keeps the payload of an event.
     *
     * @param length of it, from its beginning
     * @return its place; -1 when there is no room for it
     * @throws IOException when it cannot be read
     */
    long put(EventSource event, long length) throws IOException {
        if (length > largest) {
            return putIntoFile(event, length);
        }
        int slab = room((int) length);
        if (slab < 0) {
            return putIntoFile(event, length);
        }
        Slab into = slabs.get(slab);
        int at = into.length;
        event.copy(0, into.head.array(), at, (int) length);
        into.length += (int) length;
        return (long) slab << Integer.SIZE | at;
    }

    /** A slab on the heap that has room; -1 when there is none. */
    private int room(int length) {
        if (length > SLAB / 2) {
            // Room for small events is kept: in the file each of them would take a mapping, which a process may have
            // 65,530 of.
            return current < 0 && onHeap + length + SLAB > memory ? -1 : slab(length);
        }
        if (current >= 0 && slabs.get(current).length + length <= SLAB) {
            return current;
        }
        if (current >= 0 && onHeap + SLAB > memory && !spill(slabs.get(current))) {
            return -1;
        }
        int next = slab(SLAB);
        if (next >= 0) {
            current = next;
        }
        return next;
    }

    private int slab(int size) {
        if (onHeap + size > memory) {
            return -1;
        }
        try {
            slabs.add(new Slab(ByteBuffer.allocate(size)));
        } catch (OutOfMemoryError full) {
            return -1;
        }
        onHeap += size;
        return slabs.size() - 1;
    }

    /** Who looks at its bytes keeps the array, which is therefore not used again. */
    private boolean spill(Slab slab) {
        if (fileFault != null) {
            return false;
        }
        try {
            FileChannel channel = file();
            write(channel, slab.head.duplicate().position(0).limit(slab.length), inFile);
            slab.head = channel.map(FileChannel.MapMode.READ_ONLY, inFile, slab.length)
                    .order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            fileFault = e.toString();
            return false;
        }
        inFile += slab.length;
        onHeap -= SLAB;
        current = -1;
        return true;
    }

    private long putIntoFile(EventSource event, long length) throws IOException {
        if (fileFault != null) {
            return -1;
        }
        byte[] chunk = new byte[(int) Math.min(CHUNK, length)];
        for (long done = 0; done < length; done += chunk.length) {
            int next = (int) Math.min(chunk.length, length - done);
            event.copy(done, chunk, 0, next);
            try {
                write(file(), ByteBuffer.wrap(chunk, 0, next), inFile + done);
            } catch (IOException | RuntimeException e) {
                fileFault = e.toString();
                return -1;
            }
        }
        return mapped(length);
    }

    private long mapped(long length) {
        try {
            MappedWindows windows = MappedWindows.of(file(), inFile, length);
            Slab slab = new Slab(windows.first());
            slab.windows = windows;
            slabs.add(slab);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            fileFault = e.toString();
            return -1;
        }
        inFile += length;
        return (long) (slabs.size() - 1) << Integer.SIZE;
    }

    private FileChannel file() throws IOException {
        FileChannel open = file;
        if (open == null) {
            Path parent = Files.createDirectories(folder.get());
            open = FileChannel.open(
                    parent.resolve("prints-" + UUID.randomUUID() + ".tmp"),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            file = open;
        }
        return open;
    }

    private static void write(FileChannel file, ByteBuffer bytes, long position) throws IOException {
        for (long at = position; bytes.hasRemaining(); ) {
            at += file.write(bytes, at);
        }
    }

    /** Where the beginning of a payload can be seen: at {@link #at}, at least up to what a print has of fixed size. */
    ByteBuffer buffer(long place) {
        return slabs.get((int) (place >> Integer.SIZE)).head;
    }

    static int at(long place) {
        return (int) place;
    }

    /** A part of a payload, which costs no copy. */
    TensorBytes view(long place, long from, long length) {
        Slab slab = slabs.get((int) (place >> Integer.SIZE));
        MappedWindows windows = slab.windows;
        return windows != null
                ? windows.part(from, length)
                : TensorBytes.of(slab.head.slice((int) (at(place) + from), (int) length));
    }
}
