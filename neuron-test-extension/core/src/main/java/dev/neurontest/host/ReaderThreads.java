package dev.neurontest.host;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that read, so that a caller can stop waiting: nothing frees a thread from a file that does not answer. They end when there
 * is nothing to read for a while; one that waits for a silent file is left behind.
 */
final class ReaderThreads {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static final ThreadPoolExecutor POOL = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), ReaderThreads::thread);

    private ReaderThreads() {}

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "neuron-test-reader-" + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    static void start(Runnable work) {
        POOL.execute(work);
    }

    /**
     * Waits for what was started.
     *
     * @param what names it when the waiting is interrupted
     * @throws InterruptedIOException when the thread is interrupted; then it stays interrupted
     * @throws TimeoutException when it does not end in time
     * @throws IOException that it ended with
     */
    static <T> T await(FutureTask<T> started, Duration atMost, String what) throws IOException, TimeoutException {
        // What has ended already is returned to an interrupted thread, too.
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while reading " + what);
        }
        try {
            return started.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading " + what);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException unexpected) {
                throw unexpected;
            }
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw failed.getCause() instanceof IOException refused
                    ? refused
                    : new IOException(what + ": " + failed.getCause(), failed);
        }
    }
}
