package dev.neurontest.archive;

import dev.neurontest.host.HostTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads files that may never answer: some ask the device's firmware. A thread that waits for such a file is left behind. When many
 * files are silent, the others get less time, and in the end none is read any more.
 */
final class PatientReader implements AutoCloseable {

    private static final int MOST_LEFT_BEHIND = 64;
    private static final Duration LEAST = Duration.ofMillis(20);

    /** So many whole limits are waited for, all files together. */
    private static final int WHOLE_LIMITS = 20;

    private final HostTree tree;
    private final Duration limit;
    private Duration left;
    private int leftBehind;
    private ExecutorService reader = thread();

    PatientReader(HostTree tree, Duration limit) {
        this.tree = tree;
        this.limit = limit;
        this.left = limit.multipliedBy(WHOLE_LIMITS);
    }

    /**
     * Reads a file.
     *
     * @throws NoAnswerException when it does not answer in time
     * @throws InterruptedIOException when the thread is interrupted
     * @throws IOException when it cannot be read
     */
    byte[] read(String path) throws IOException {
        if (leftBehind >= MOST_LEFT_BEHIND) {
            throw new NoAnswerException(path);
        }
        Duration patience = limit.compareTo(left) <= 0 ? limit : left;
        patience = patience.compareTo(LEAST) < 0 ? LEAST : patience;
        Future<byte[]> content = reader.submit(() -> tree.read(path));
        try {
            return content.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException silent) {
            leftBehind++;
            left = left.minus(patience);
            reader.shutdownNow();
            reader = thread();
            throw new NoAnswerException(path);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException refused
                    ? refused
                    : new IOException(path + ": " + failed.getCause(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading " + path);
        }
    }

    @Override
    public void close() {
        reader.shutdownNow();
    }

    private static ExecutorService thread() {
        return Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "neuron-test-archive-reader");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A file did not answer in time. */
    static final class NoAnswerException extends IOException {

        private static final long serialVersionUID = 1;

        NoAnswerException(String path) {
            super(path + ": no answer");
        }
    }
}
