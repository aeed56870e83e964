package dev.neurontest.fake.internal.tree.directory;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Does what is due, one task at a time: on a thread of its own, or on a thread that waits for it, which is faster by two changes of
 * threads.
 */
final class Publisher {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A thread that changes something and waits for the files is there first, and then the other thread need not wake. */
    private static final Duration SOON = Duration.ofMillis(1);

    private final String what;
    private final ReentrantLock turn = new ReentrantLock();
    private final Queue<Runnable> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean waking = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        Thread made = new Thread(task, "fake-neuron-publish");
        made.setDaemon(true);
        return made;
    });

    /** A task that is waited for. */
    interface Task {
        void run() throws IOException;
    }

    /** @param what is published, for messages */
    Publisher(String what) {
        this.what = what;
    }

    /** Does it after all that is due now, soon. */
    void soon(Runnable task) {
        due.add(task);
        if (waking.compareAndSet(false, true)) {
            after(SOON, this::doWhatIsDue);
        }
    }

    private void doWhatIsDue() {
        waking.set(false);
        drain();
    }

    /** Does it some time later. */
    void after(Duration delay, Runnable task) {
        try {
            thread.schedule(() -> inTurn(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // There is nothing left to publish to.
        }
    }

    /** Does it again and again. */
    void every(Duration pause, Runnable task) {
        thread.scheduleWithFixedDelay(() -> inTurn(task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void inTurn(Runnable task) {
        turn.lock();
        try {
            task.run();
        } finally {
            turn.unlock();
        }
    }

    /** An interrupted thread cannot write; what it leaves is done by the other one. */
    private void drain() {
        Runnable next;
        while (!Thread.currentThread().isInterrupted() && (next = due.poll()) != null) {
            next.run();
        }
    }

    /**
     * Does all that is due and then a task, on this thread.
     *
     * @throws IOException when the task does, when others take longer than a minute, or after {@link #stop()}
     * @throws InterruptedException when the thread is interrupted; what is due is done all the same, by the other thread
     */
    void now(Task task) throws IOException, InterruptedException {
        if (!turn.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IOException("publishing to " + what + " takes longer than " + PATIENCE.toSeconds() + " s");
        }
        try {
            if (thread.isShutdown()) {
                throw new IOException(what + " is closed");
            }
            drain();
            if (Thread.interrupted()) {
                throw new InterruptedException("while " + what + " was published");
            }
            task.run();
        } finally {
            turn.unlock();
        }
    }

    /** Ends the task that is running, and begins no other. */
    void stop() {
        thread.shutdownNow();
        due.clear();
        try {
            thread.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            // Another thread may be at it.
            if (turn.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                turn.unlock();
            }
        } catch (InterruptedException e) {
            // What follows comes first; the caller sees the interrupt afterwards.
            Thread.currentThread().interrupt();
        }
    }
}
