package dev.neurontest.internal.print.stream;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * An event from another process that was too large for memory.
 *
 * @param start the event with its header only
 * @param payload separate file of the payload
 * @param available number of bytes in the file
 */
record SpooledEvent(HeldEvent start, FileChannel payload, long available) implements PrintEventSource {

    @Override
    public long size() {
        return start.size();
    }

    @Override
    public long type() {
        return start.type();
    }

    @Override
    public byte[] header() {
        return start.header();
    }

    @Override
    public void copy(long from, byte[] target, int at, int length) throws IOException {
        ByteBuffer into = ByteBuffer.wrap(target, at, length);
        while (into.hasRemaining()) {
            if (payload.read(into, from + into.position() - at) < 0) {
                throw new EOFException("the file of an event ends early");
            }
        }
    }
}
