package dev.neurontest.lease.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * How the lock of a table is waited for. A JVM holds it for some microseconds, unless it is stopped just then. The lock of a stopped
 * JVM is not broken, because that JVM would go on writing when it goes on: it is named, and waited for.
 */
final class LockWait {

    /** A container is paused, or a debugger looks, for less. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    /** What a person is told of, who wonders what the tests wait for. */
    static final Duration WORTH_TELLING = Duration.ofSeconds(5);

    private static final long SHORTEST_PAUSE = 20_000;
    private static final long LONGEST_PAUSE = 500_000;

    /** A pause that takes longer was none of this JVM's: it was stopped itself. */
    private static final long LONGEST_COUNTED = 100_000_000;

    private final Path file;
    private final ProcessTable processes;
    private final FileLocks locks;
    private final Duration longest;
    private final Duration worthTelling;
    private final Consumer<String> warning;

    /** How long it has been seen locked, by all threads, which wait one after another: together they wait as long as one. */
    private long waited;

    private volatile String owner = "";

    LockWait(
            Path file,
            ProcessTable processes,
            FileLocks locks,
            Duration longest,
            Duration worthTelling,
            Consumer<String> warning) {
        this.file = file;
        this.processes = processes;
        this.locks = locks;
        this.longest = longest;
        this.worthTelling = worthTelling;
        this.warning = warning;
    }

    /**
     * Locks the file.
     *
     * @throws IOException also when another process has it locked for too long
     */
    void acquire(SharedFile lock) throws IOException {
        long last = System.nanoTime();
        long pause = SHORTEST_PAUSE;
        boolean interrupted = false;
        try {
            while (!lock.tryLock(false)) {
                long now = System.nanoTime();
                waited += Math.min(now - last, LONGEST_COUNTED);
                last = now;
                if (owner.isEmpty() && waited > worthTelling.toNanos()) {
                    owner = owner();
                }
                if (waited > longest.toNanos()) {
                    throw new IOException(
                            "%s was waited for %s s, and %s has it locked; end that process, or let it go on"
                                    .formatted(file, longest.toSeconds(), owner()));
                }
                // Who is interrupted does not pause.
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (waited > worthTelling.toNanos()) {
            warning.accept(
                    "%s was waited for %s s, because %s had it locked. Meanwhile no test of this host got cores or gave them back."
                            .formatted(file, Duration.ofNanos(waited).toSeconds(), owner));
        }
        waited = 0;
        owner = "";
    }

    /** Whether it has been waited for so long that it is told. */
    boolean isLong() {
        return !owner.isEmpty();
    }

    private String owner() throws IOException {
        List<Long> owners = locks.owners(file);
        return owners.isEmpty()
                ? "a process that cannot be seen from here and may be stopped"
                : owners.stream()
                        .map(pid ->
                                "process " + pid + (isStopped(pid) ? ", which is stopped," : ", which may be stopped,"))
                        .collect(Collectors.joining(" or "));
    }

    private boolean isStopped(long pid) {
        return processes.isStopped(processes.identity(pid));
    }
}
