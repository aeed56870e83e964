package dev.neurontest.lease.store;

import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The waits for the lock of a table. A JVM holds it while it changes the table, unless it is stopped just then. The lock of a stopped
 * JVM is not broken, because that JVM would go on writing when it goes on: it is named, and waited for as long as each request or
 * change may.
 */
final class LockWait {

    /** Names what tests wait for, before a person looks for it. */
    static final Duration WORTH_TELLING = Duration.ofSeconds(5);

    private static final long SHORTEST_PAUSE = 20_000;
    private static final long LONGEST_PAUSE = 500_000;

    /** Spares the processor during the stop of a JVM. */
    private static final long PAUSE_OF_LONG_WAIT = 5_000_000;

    /** Bounds the time in which a wait keeps other threads of this JVM from theirs: to let them in costs more than a usual wait. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(50);

    private static final Duration LONG_WAIT = Duration.ofSeconds(1);

    /** The most that counts of a pause: in the rest of a longer one this JVM itself was stopped. */
    private static final long LONGEST_COUNTED = 100_000_000;

    private final Path file;
    private final ProcessTable processes;
    private final FileLocks locks;
    private final Duration worthTelling;
    private final Consumer<String> warning;

    /** The moment of the last warning: one is enough for all threads that waited then. */
    private final AtomicLong warnedAt;

    private final Semaphore turn = new Semaphore(1, true);

    LockWait(Path file, ProcessTable processes, FileLocks locks, Duration worthTelling, Consumer<String> warning) {
        this.file = file;
        this.processes = processes;
        this.locks = locks;
        this.worthTelling = worthTelling;
        this.warning = warning;
        this.warnedAt = new AtomicLong(System.nanoTime());
    }

    /** An attempt to use the table. */
    interface Attempt<T> {

        /** Returns null where another process has the table locked. */
        @Nullable
        T make() throws IOException;
    }

    /**
     * Attempts it until the lock is free. After a while only one thread of this JVM attempts it again and again, and the others wait
     * for their turn.
     *
     * @throws LockedTableException when another process has it locked for longer than the limit
     * @throws InterruptedIOException when the thread is interrupted and the limit allows it
     */
    <T> T until(Attempt<T> attempt, LockLimit limit) throws IOException {
        T done = attempt.make();
        return done == null ? new Wait(limit).until(attempt) : done;
    }

    /** The wait of one thread. */
    private final class Wait {

        private final LockLimit limit;
        private final long began = System.nanoTime();
        private long last = began;
        private long waited;
        private boolean first;
        private boolean interrupted;

        private Wait(LockLimit limit) {
            this.limit = limit;
        }

        private <T> T until(Attempt<T> attempt) throws IOException {
            try {
                long pause = SHORTEST_PAUSE;
                while (true) {
                    if (waited < SHORT_WAIT.toNanos()) {
                        LockSupport.parkNanos(pause);
                    } else if (!first) {
                        limit.outside().accept(this::awaitTurn);
                    } else {
                        long nanos = waited > LONG_WAIT.toNanos() ? PAUSE_OF_LONG_WAIT : LONGEST_PAUSE;
                        limit.outside().accept(() -> LockSupport.parkNanos(nanos));
                    }
                    look();
                    T done = first || waited < SHORT_WAIT.toNanos() ? attempt.make() : null;
                    if (done != null) {
                        return done;
                    }
                    pause = Math.min(2 * pause, LONGEST_PAUSE);
                }
            } finally {
                if (first) {
                    turn.release();
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private void awaitTurn() {
            try {
                first = turn.tryAcquire(LONGEST_COUNTED, TimeUnit.NANOSECONDS);
            } catch (InterruptedException now) {
                interrupted = true;
            }
        }

        /** Counts the wait, and ends it when it is too long or the thread is interrupted. */
        private void look() throws IOException {
            long now = System.nanoTime();
            waited += Math.min(now - last, LONGEST_COUNTED);
            last = now;
            // A thread that is interrupted does not pause.
            interrupted |= Thread.interrupted();
            if (interrupted && limit.interruptible()) {
                interrupted = false;
                throw new InterruptedIOException(file + " was waited for");
            }
            if (waited > limit.atMost().toNanos()) {
                throw new LockedTableException("%s has it locked, and was waited for %s s"
                        .formatted(owner(), Duration.ofNanos(waited).toSeconds()));
            }
            long warned = warnedAt.get();
            if (waited > worthTelling.toNanos() && began - warned >= 0 && warnedAt.compareAndSet(warned, now)) {
                warning.accept(
                        "No test of this host gets cores or gives them back, because %s has the lease table locked (%s). End that process, or let it go on."
                                .formatted(owner(), file));
            }
        }
    }

    private String owner() throws IOException {
        List<Long> owners = locks.owners(file);
        return owners.isEmpty()
                ? "a process that cannot be seen from here and may be stopped"
                : owners.stream().map(this::named).collect(Collectors.joining(" or "));
    }

    private String named(long pid) {
        String user = ProcessHandle.of(pid)
                .flatMap(process -> process.info().user())
                .map(" of "::concat)
                .orElse("");
        ProcessIdentity process = processes.identity(pid);
        return "process %s%s, which %s,".formatted(pid, user, state(process));
    }

    private String state(ProcessIdentity process) {
        if (process.startTicks() < 0) {
            return "cannot be seen from here and may be stopped";
        }
        return processes.isStopped(process)
                ? "is stopped"
                : "is not stopped by a signal (a debugger may hold it, or this host is busy)";
    }
}
