package dev.neurontest.print;

import dev.neurontest.runtime.StreamEvent;

/** An event that the library has handed out. */
record StreamEventSource(StreamEvent event) implements EventSource {

    @Override
    public long size() {
        return event.size();
    }

    @Override
    public long type() {
        return event.type();
    }

    @Override
    public long available() {
        return event.allocated();
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
