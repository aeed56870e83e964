package dev.neurontest.conformance;

import java.io.IOException;
import java.time.Duration;

/** The access of a program to the files of a host, other than reading and writing them as a whole. */
interface Access {

    /** Returns the size that {@code stat} reports. */
    long size(String path) throws IOException;

    /** Opens a file for reading. */
    Open open(String path) throws IOException;

    /** Writes in one piece and returns the number of accepted bytes. */
    int write(String path, byte[] content) throws IOException;

    /** Creates a missing file. */
    void create(String path) throws IOException;

    /** Maps a file into memory. */
    void map(String path) throws IOException;

    /** An open file. */
    interface Open extends AutoCloseable {

        /** Reads from the beginning of the file. */
        String read() throws IOException;

        /**
         * Waits at most the given time for {@code POLLPRI} and {@code POLLERR}, and returns whether they are reported.
         */
        boolean polls(Duration atMost) throws IOException;

        default boolean polls() throws IOException {
            return polls(Duration.ZERO);
        }

        @Override
        void close() throws IOException;
    }
}
