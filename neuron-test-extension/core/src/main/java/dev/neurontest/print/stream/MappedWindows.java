package dev.neurontest.print.stream;

import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * Bytes of a file that may be more than one mapping can have. Each window has the first bytes of the next one too, so that no
 * number lies across two.
 *
 * @param windows mapped, little-endian
 * @param start of these bytes in the first window
 * @param size how many there are
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record MappedWindows(List<ByteBuffer> windows, long start, long size) implements TensorBytes {

    private static final int BITS = 30;
    private static final long WINDOW = 1L << BITS;
    private static final int CHUNK = 1 << 16;

    /**
     * Maps a part of a file.
     *
     * @param file open for reading
     * @param position of its first byte
     * @param size how many bytes
     * @return these bytes, little-endian
     * @throws IOException when they cannot be mapped
     */
    public static MappedWindows of(FileChannel file, long position, long size) throws IOException {
        List<ByteBuffer> windows = new ArrayList<>();
        for (long at = 0; at < size || windows.isEmpty(); at += WINDOW) {
            windows.add(file.map(FileChannel.MapMode.READ_ONLY, position + at, Math.min(WINDOW + Long.BYTES, size - at))
                    .order(ByteOrder.LITTLE_ENDIAN));
        }
        return new MappedWindows(List.copyOf(windows), 0, size);
    }

    ByteBuffer first() {
        return windows.get(0);
    }

    MappedWindows part(long from, long length) {
        Objects.checkFromIndexSize(from, length, size);
        return new MappedWindows(windows, start + from, length);
    }

    private ByteBuffer window(long offset) {
        return windows.get((int) (start + offset >> BITS));
    }

    private int index(long offset, int width) {
        Objects.checkFromIndexSize(offset, width, size);
        return (int) (start + offset & WINDOW - 1);
    }

    @Override
    public byte byteAt(long offset) {
        int index = index(offset, 1);
        return window(offset).get(index);
    }

    @Override
    public short shortAt(long offset) {
        int index = index(offset, Short.BYTES);
        return window(offset).getShort(index);
    }

    @Override
    public int intAt(long offset) {
        int index = index(offset, Integer.BYTES);
        return window(offset).getInt(index);
    }

    @Override
    public long longAt(long offset) {
        int index = index(offset, Long.BYTES);
        return window(offset).getLong(index);
    }

    @Override
    public void copyTo(OutputStream out) throws IOException {
        byte[] chunk = new byte[(int) Math.min(CHUNK, size)];
        for (long done = 0; done < size; ) {
            int index = index(done, 0);
            int length = (int) Math.min(Math.min(chunk.length, size - done), WINDOW - index);
            window(done).get(index, chunk, 0, length);
            out.write(chunk, 0, length);
            done += length;
        }
    }
}
