package dev.neurontest.internal.lease.store;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Waits for a file or directory that another JVM makes at this moment: its umask may keep all others out at first. */
final class CreationWait {

    /** The time that a JVM may need between making something and opening it to all. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private CreationWait() {}

    /** Opens what another JVM may be making. */
    interface Attempt<T> {

        /**
         * Opens it once.
         *
         * @param last whether the limit is over; then the attempt refuses what is not open to all
         * @return what was opened; empty where it is to be repeated
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
