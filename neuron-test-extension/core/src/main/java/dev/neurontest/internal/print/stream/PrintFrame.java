package dev.neurontest.internal.print.stream;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * What a process that forwards its prints says next: {@code kind}, {@code core} and the length of the content, little-endian,
 * then the content.
 *
 * @param kind one of these constants
 * @param core as the process counts
 * @param length bytes of the content
 */
record PrintFrame(int kind, int core, long length) {

    static final int EVENT = 1;
    static final int CONNECTED = 2;
    static final int REFUSED = 3;
    static final int UNAVAILABLE = 4;
    static final int SETTLED = 5;
    static final int END = 6;
    static final int LOST = 7;
    static final int FULL = 8;

    private static final long LONGEST_TEXT = 64 << 10;
    private static final long LONGEST_EVENT = 1L << 44;

    /**
     * Begins to read.
     *
     * @throws EOFException when there is none
     * @throws IOException when it is none
     */
    static PrintFrame read(DataInputStream in) throws IOException {
        int kind = Integer.reverseBytes(in.readInt());
        int core = Integer.reverseBytes(in.readInt());
        long length = Long.reverseBytes(in.readLong());
        boolean fits = kind == EVENT
                ? length >= PrintLayout.HEADER && length <= LONGEST_EVENT
                : length >= 0 && length <= LONGEST_TEXT;
        if (kind < EVENT || kind > FULL || !fits) {
            throw new IOException("there is no frame of kind %s with %s bytes".formatted(kind, length));
        }
        return new PrintFrame(kind, core, length);
    }

    /** The content of a frame that is no event. */
    byte[] content(DataInputStream in) throws IOException {
        byte[] content = new byte[(int) length];
        in.readFully(content);
        return content;
    }
}
