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

/** Executor of one task at a time, on its own thread or on a waiting thread. The latter saves two thread switches. */
final class Publisher {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Delay before the own thread wakes up. A thread that changes a value and waits for the files runs the tasks earlier, and then
     * the own thread need not wake up.
     */
    private static final Duration SOON = Duration.ofMillis(1);

    private final String target;
    private final ReentrantLock turn = new ReentrantLock();
    private final Queue<Runnable> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean waking = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        Thread made = new Thread(task, "fake-neuron-publish");
        made.setDaemon(true);
        return made;
    });

    /** A task with a waiting caller. */
    interface Task {
        void run() throws IOException;
    }

    /** @param target text for messages: the target of the publication */
    Publisher(String target) {
        this.target = target;
    }

    /** Schedules a task soon, after all tasks that are due now. */
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

    /** Schedules a task after a delay. */
    void after(Duration delay, Runnable task) {
        try {
            thread.schedule(() -> inTurn(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // The view is closed, and there is nothing to publish.
        }
    }

    /** Schedules a task periodically. */
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

    /** Runs the tasks that are due. An interrupted thread cannot write files; it leaves the remaining tasks to the other thread. */
    private void drain() {
        Runnable next;
        while (!Thread.currentThread().isInterrupted() && (next = due.poll()) != null) {
            next.run();
        }
    }

    /**
     * Runs all tasks that are due and then the given task, on this thread.
     *
     * @throws IOException if the task throws it, if other tasks take longer than a minute, or after {@link #stop()}
     * @throws InterruptedException if the thread is interrupted; the other thread still runs the tasks that are due
     */
    void now(Task task) throws IOException, InterruptedException {
        if (!turn.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IOException("publishing to " + target + " takes longer than " + PATIENCE.toSeconds() + " s");
        }
        try {
            if (thread.isShutdown()) {
                throw new IOException(target + " is closed");
            }
            drain();
            if (Thread.interrupted()) {
                throw new InterruptedException("while " + target + " was published");
            }
            task.run();
        } finally {
            turn.unlock();
        }
    }

    /** Stops the running task, and starts no other. */
    void stop() {
        thread.shutdownNow();
        due.clear();
        try {
            thread.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            // Another thread may be running a task.
            if (turn.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                turn.unlock();
            }
        } catch (InterruptedException e) {
            // The caller finishes closing first and sees the interrupt afterwards.
            Thread.currentThread().interrupt();
        }
    }
}
