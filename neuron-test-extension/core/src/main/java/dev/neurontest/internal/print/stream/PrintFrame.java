package dev.neurontest.internal.print.stream;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * The next message of a process that forwards its prints: {@code kind}, {@code core} and the length of the content, little-endian,
 * followed by the content.
 *
 * @param kind one of these constants
 * @param core number of the core in the process
 * @param length size of the content in bytes
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
     * Reads the head of a message.
     *
     * @throws EOFException when there is no further message
     * @throws IOException when the message is invalid
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

    /** Reads the content of a message that is no event. */
    byte[] content(DataInputStream in) throws IOException {
        byte[] content = new byte[(int) length];
        in.readFully(content);
        return content;
    }
}
