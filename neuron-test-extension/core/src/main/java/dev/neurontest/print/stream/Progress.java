package dev.neurontest.print.stream;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Waits for a thread as long as it gets on: on a busy machine much takes long that is not stuck.
 *
 * @param done how much the thread has done; it goes up
 * @param stuckAfter the thread is stuck when it has done nothing for so long
 */
record Progress(LongSupplier done, Duration stuckAfter) {

    private static final long LOOK_MILLIS = 100;

    /** Waits for the end of something. */
    @FunctionalInterface
    interface Waiting {

        /** Whether it has ended, at the latest after the given time. */
        boolean isOverWithin(long millis) throws InterruptedException;
    }

    /** Waits also when this thread is interrupted, and leaves it interrupted. Returns false when the other thread is stuck. */
    boolean await(Waiting waiting) {
        boolean interrupted = false;
        try {
            long seen = done.getAsLong();
            long since = System.nanoTime();
            while (true) {
                long left = stuckAfter.toNanos() - (System.nanoTime() - since);
                try {
                    long look = Math.max(1, Math.min(LOOK_MILLIS, TimeUnit.NANOSECONDS.toMillis(left)));
                    if (waiting.isOverWithin(look)) {
                        return true;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                long now = done.getAsLong();
                if (now != seen) {
                    seen = now;
                    since = System.nanoTime();
                } else if (left <= 0) {
                    return false;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
