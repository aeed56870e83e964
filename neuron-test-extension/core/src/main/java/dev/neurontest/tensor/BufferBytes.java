package dev.neurontest.tensor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Bytes in one buffer. */
record BufferBytes(ByteBuffer buffer) implements TensorBytes {

    private static final int CHUNK = 1 << 16;

    @Override
    public long size() {
        return buffer.limit();
    }

    @Override
    public byte byteAt(long offset) {
        return buffer.get(index(offset));
    }

    @Override
    public short shortAt(long offset) {
        return buffer.getShort(index(offset));
    }

    @Override
    public int intAt(long offset) {
        return buffer.getInt(index(offset));
    }

    @Override
    public long longAt(long offset) {
        return buffer.getLong(index(offset));
    }

    @Override
    public void copyTo(OutputStream out) throws IOException {
        ByteBuffer source = buffer.duplicate();
        byte[] chunk = new byte[Math.min(CHUNK, source.limit())];
        while (source.hasRemaining()) {
            int length = Math.min(chunk.length, source.remaining());
            source.get(chunk, 0, length);
            out.write(chunk, 0, length);
        }
    }

    private int index(long offset) {
        return (int) Objects.checkIndex(offset, size());
    }
}
