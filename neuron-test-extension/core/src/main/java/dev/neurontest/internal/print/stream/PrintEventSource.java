package dev.neurontest.internal.print.stream;

import java.io.IOException;

/** An event on its way in: still outside the heap, or still in a pipe. Its payload can be copied once, from the front to the end. */
interface PrintEventSource {

    /** What the header promises, unsigned. */
    long size();

    /** Of the header, unsigned. */
    long type();

    /** What can be copied of the payload at most: what the header promises is not always there. */
    long available();

    /** Its own copy; empty when there is none. */
    byte[] header();

    /**
     * Copies a part of the payload.
     *
     * @param from after what was copied before
     */
    void copy(long from, byte[] target, int at, int length) throws IOException;
}
