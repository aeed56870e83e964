package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.runtime.stream.StreamEvent;
import dev.neurontest.print.DevicePrint;

/** An event that the library has handed out. */
record StreamEventSource(StreamEvent event) implements PrintEventSource {

    /** So little is believed without a second look, which is a call into native code as well. */
    private static final long PAGE = 4096;

    /** Whatever two fields say, so much is made sure of. */
    private static final long BELIEVED = 64 << 20;

    @Override
    public long size() {
        return event.size();
    }

    @Override
    public long type() {
        return event.type();
    }

    /**
     * Asking libc for each event would take longer than copying it, so that only those are asked about that are large and whose sizes
     * differ.
     */
    @Override
    public long available() {
        long size = event.size();
        boolean believed = event.hasPayload()
                && event.type() == DevicePrint.EVENT_TYPE
                && size >= PrintLayout.DATA
                && size <= BELIEVED;
        return believed && (size <= PAGE || event.number(PrintLayout.DATA_SIZE) == size - PrintLayout.DATA)
                ? size
                : event.allocated();
    }

    @Override
    public byte[] header() {
        return event.header();
    }

    @Override
    public void copy(long from, byte[] target, int at, int length) {
        if (length > 0) {
            event.copy(from, target, at, length);
        }
    }
}
