package dev.neurontest.internal.archive;

import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.host.NoAnswerException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * Reader of files that may never answer, because some of them query the device's firmware. A thread that waits for such a file is
 * abandoned. When many files do not answer, other files get less time, and finally no file is read.
 */
final class PatientReader {

    private static final int MOST_LEFT_BEHIND = 64;
    private static final Duration LEAST = Duration.ofMillis(20);

    /** Total waiting time for all files, as a multiple of the limit of a file. */
    private static final int WHOLE_LIMITS = 20;

    private final HostTree tree;
    private final Duration limit;
    private Duration remaining;
    private int leftBehind;

    PatientReader(HostTree tree, Duration limit) {
        this.tree = tree;
        this.limit = limit;
        this.remaining = limit.multipliedBy(WHOLE_LIMITS);
    }

    /**
     * Reads a file.
     *
     * @throws NoAnswerException when the file does not answer in time
     * @throws InterruptedIOException when the thread is interrupted
     * @throws IOException when the file cannot be read
     */
    byte[] read(String path) throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while reading " + path);
        }
        if (leftBehind >= MOST_LEFT_BEHIND) {
            throw new NoAnswerException(path, "it was not read, because too many other files do not respond");
        }
        Duration patience = limit.compareTo(remaining) <= 0 ? limit : remaining;
        patience = patience.compareTo(LEAST) < 0 ? LEAST : patience;
        try {
            return tree.read(path, patience);
        } catch (NoAnswerException silent) {
            leftBehind++;
            remaining = remaining.minus(patience);
            throw silent;
        }
    }
}
