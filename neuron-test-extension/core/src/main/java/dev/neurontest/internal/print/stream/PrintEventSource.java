package dev.neurontest.internal.print.stream;

import java.io.IOException;

/** An incoming event, still off the heap or in a pipe. Its payload can be copied once, from beginning to end. */
interface PrintEventSource {

    /** Returns the payload size in the header, unsigned. */
    long size();

    /** Returns the type in the header, unsigned. */
    long type();

    /** Returns the maximum number of payload bytes to copy, which may be less than the size in the header. */
    long available();

    /** Returns a copy of the header; empty when there is none. */
    byte[] header();

    /**
     * Copies a part of the payload.
     *
     * @param from position after the previously copied bytes
     */
    void copy(long from, byte[] target, int at, int length) throws IOException;
}
