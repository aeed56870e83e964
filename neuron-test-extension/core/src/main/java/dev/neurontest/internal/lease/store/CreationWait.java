package dev.neurontest.internal.lease.store;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A wait for a file or directory that another JVM creates at this moment. The umask of that JVM might deny access at first. */
final class CreationWait {

    /** The maximum time that a JVM needs between creating a file and granting access to all users. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private CreationWait() {}

    /** An attempt to open a file or directory that another JVM might be creating. */
    interface Attempt<T> {

        /**
         * Opens the file or directory once.
         *
         * @param last true if the time limit has passed; then the attempt throws if access is denied
         * @return the opened file or directory; empty if the attempt must be repeated
         */
        Optional<T> open(boolean last) throws IOException;
    }

    /** Repeats an attempt until it succeeds or throws. */
    static <T> T await(Attempt<T> attempt) throws IOException {
        long began = System.nanoTime();
        while (true) {
            Optional<T> opened = attempt.open(System.nanoTime() - began > LIMIT.toNanos());
            if (opened.isPresent()) {
                return opened.get();
            }
            LockSupport.parkNanos(LIMIT.toNanos() / 100);
        }
    }
}
