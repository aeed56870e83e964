package dev.neurontest.internal.print.stream;

import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.apiguardian.api.API;

/** A long tensor in a file, with one block at a time in memory. Thread-safe. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FileBytes implements TensorBytes {

    private static final int BLOCK = 64 << 10;

    private final Reader reader;
    private final long size;
    private Block block = new Block(0, ByteBuffer.allocate(0));

    private record Block(long start, ByteBuffer bytes) {}

    /** Reader of a part of the tensor. */
    @FunctionalInterface
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Reader {

        /**
         * Reads bytes.
         *
         * @param from position of the first byte in the tensor
         * @param target destination
         * @param at first index in the destination
         * @param length number of bytes; all of them exist
         * @throws IOException when they cannot be read
         */
        void read(long from, byte[] target, int at, int length) throws IOException;
    }

    /**
     * Creates a view of a tensor.
     *
     * @param reader reader of parts of it
     * @param size size in bytes
     */
    public FileBytes(Reader reader, long size) {
        this.reader = reader;
        this.size = size;
    }

    /** Returns the block that contains a number. Blocks overlap, so every number is completely inside one block. */
    private Block block(long offset, int width) {
        Objects.checkFromIndexSize(offset, width, size);
        Block read = block;
        if (offset < read.start()
                || offset + width > read.start() + read.bytes().limit()) {
            long start = offset / BLOCK * BLOCK;
            byte[] bytes = new byte[(int) Math.min(BLOCK + Long.BYTES, size - start)];
            try {
                reader.read(start, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException("A device print can no longer be read.", e);
            }
            read = new Block(start, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
            block = read;
        }
        return read;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public byte byteAt(long offset) {
        Block read = block(offset, 1);
        return read.bytes().get((int) (offset - read.start()));
    }

    @Override
    public short shortAt(long offset) {
        Block read = block(offset, Short.BYTES);
        return read.bytes().getShort((int) (offset - read.start()));
    }

    @Override
    public int intAt(long offset) {
        Block read = block(offset, Integer.BYTES);
        return read.bytes().getInt((int) (offset - read.start()));
    }

    @Override
    public long longAt(long offset) {
        Block read = block(offset, Long.BYTES);
        return read.bytes().getLong((int) (offset - read.start()));
    }

    @Override
    public void copyTo(OutputStream out) throws IOException {
        byte[] chunk = new byte[(int) Math.min(BLOCK, size)];
        for (long done = 0; done < size; done += chunk.length) {
            int length = (int) Math.min(chunk.length, size - done);
            reader.read(done, chunk, 0, length);
            out.write(chunk, 0, length);
        }
    }
}
