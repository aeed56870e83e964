package dev.neurontest.lease.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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

    private static final Duration LONG_WAIT = Duration.ofSeconds(1);

    /** Bounds what counts of a pause: in the rest of a longer one this JVM itself was stopped. */
    private static final long LONGEST_COUNTED = 100_000_000;

    private final Path file;
    private final ProcessTable processes;
    private final FileLocks locks;
    private final Duration worthTelling;
    private final Consumer<String> warning;

    /** The moment of the last warning: one is enough for all threads that waited then. */
    private final AtomicLong warnedAt;

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
     * Attempts it until the lock is free.
     *
     * @throws LockedTableException when another process has it locked for longer than the limit
     * @throws InterruptedIOException when the thread is interrupted and the limit allows it
     */
    <T> T until(Attempt<T> attempt, LockLimit limit) throws IOException {
        long began = System.nanoTime();
        long last = began;
        long waited = 0;
        long pause = SHORTEST_PAUSE;
        boolean interrupted = false;
        try {
            while (true) {
                T done = attempt.make();
                if (done != null) {
                    return done;
                }
                long now = System.nanoTime();
                waited += Math.min(now - last, LONGEST_COUNTED);
                last = now;
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
                // A thread that is interrupted does not pause.
                interrupted |= Thread.interrupted();
                if (interrupted && limit.interruptible()) {
                    interrupted = false;
                    throw new InterruptedIOException(file + " was waited for");
                }
                limit.pause().accept(pause);
                pause = Math.min(2 * pause, waited > LONG_WAIT.toNanos() ? PAUSE_OF_LONG_WAIT : LONGEST_PAUSE);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
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
        boolean stopped = processes.isStopped(processes.identity(pid));
        return "process %s%s, which %s stopped,".formatted(pid, user, stopped ? "is" : "may be");
    }
}
