package dev.neurontest.conformance;

import java.io.IOException;
import java.time.Duration;

/** How a program gets at the files of a host, beside reading and writing them whole. */
interface Access {

    /** What {@code stat} says. */
    long size(String path) throws IOException;

    /** Opens a file for reading. */
    Open open(String path) throws IOException;

    /** Writes in one piece and tells how many bytes were taken. */
    int write(String path, byte[] content) throws IOException;

    /** Makes a file that is not there. */
    void create(String path) throws IOException;

    /** Maps a file into memory. */
    void map(String path) throws IOException;

    /** A file that is open. */
    interface Open extends AutoCloseable {

        /** From its beginning. */
        String read() throws IOException;

        /** Waits at most so long for {@code POLLPRI} and {@code POLLERR}, and tells whether they are reported. */
        boolean polls(Duration atMost) throws IOException;

        default boolean polls() throws IOException {
            return polls(Duration.ZERO);
        }

        @Override
        void close() throws IOException;
    }
}
