package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.runtime.stream.StreamEvent;
import dev.neurontest.print.DevicePrint;

/** An event returned by the library. */
record StreamEventSource(StreamEvent event) implements PrintEventSource {

    /** Maximum payload size that is trusted without a second check, which would also be a native call. */
    private static final long PAGE = 4096;

    /** Maximum payload size accepted from the event header. */
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
     * Returns the available size. A call to libc for each event would take longer than copying the event. Only large events with
     * contradictory sizes are checked.
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
