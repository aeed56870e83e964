package dev.neurontest.internal.print.stream;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A complete event from another process.
 *
 * @param header 64 bytes
 * @param payload must not change
 */
record HeldEvent(byte[] header, ByteBuffer payload) implements PrintEventSource {

    private static final int TYPE = 8;

    private ByteBuffer fields() {
        return ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public long size() {
        return fields().getLong(0);
    }

    @Override
    public long type() {
        return Integer.toUnsignedLong(fields().getInt(TYPE));
    }

    @Override
    public long available() {
        return payload.limit();
    }

    @Override
    public void copy(long from, byte[] target, int at, int length) {
        payload.get((int) from, target, at, length);
    }
}
