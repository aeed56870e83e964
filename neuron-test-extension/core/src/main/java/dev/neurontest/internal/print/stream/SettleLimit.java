package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.thread.Uninterrupted;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * A limit for waiting. Time counts only while nothing comes: a thread on a busy machine is not stuck, and what a ring held when the last
 * execution ended is read to its end. No ring holds more than its capacity, so that streams into which something goes on printing are
 * not read for ever; and what trickles in is waited for a minute at most.
 */
final class SettleLimit {

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE / 4);
    private static final long LOOK_MILLIS = 100;

    private final long timeout;
    private final long end;
    private final LongSupplier taken;
    private final LongSupplier clock;
    private final long most;
    private long seen;
    private long since;

    /** Waits for the end of something. */
    @FunctionalInterface
    interface Waiting {

        /** Waits until it has ended, at the latest for the given time, and returns whether it has. */
        boolean isOverWithin(long millis) throws InterruptedException;
    }

    /**
     * Begins now.
     *
     * @param timeout how long it is waited while nothing comes
     * @param taken how many events have come; it goes up
     * @param held how many events streams may hold at once
     */
    SettleLimit(Duration timeout, LongSupplier taken, long held) {
        this(timeout, taken, held, LONGEST.compareTo(timeout) > 0 ? LONGEST : timeout, System::nanoTime);
    }

    SettleLimit(Duration timeout, LongSupplier taken, long held, Duration longest, LongSupplier clock) {
        this.clock = clock;
        this.since = clock.getAsLong();
        this.timeout = timeout.toNanos();
        this.end = since + longest.toNanos();
        this.taken = taken;
        this.seen = taken.getAsLong();
        this.most = seen + held;
    }

    /** Creates a limit for a thread, which is stuck when it has done nothing for so long. */
    static SettleLimit ofProgress(Duration stuckAfter, LongSupplier done) {
        return new SettleLimit(stuckAfter, done, Long.MAX_VALUE / 2, FOR_EVER, System::nanoTime);
    }

    /** Waits for some time, also in an interrupted thread. */
    static void pause(long nanos, Waiting early) {
        ofProgress(Duration.ofNanos(nanos), () -> 0).await(early);
    }

    /** Waits also in an interrupted thread, and leaves it interrupted. Returns false when the limit comes first. */
    boolean await(Waiting waiting) {
        AtomicBoolean first = new AtomicBoolean(true);
        return Uninterrupted.get(() -> {
            while (first.getAndSet(false) || !isOver(true)) {
                if (waiting.isOverWithin(
                        Math.max(1, Math.min(LOOK_MILLIS, TimeUnit.NANOSECONDS.toMillis(nanosLeft()))))) {
                    return true;
                }
            }
            return false;
        });
    }

    /**
     * Looks whether it is over.
     *
     * @param isIdle whether nothing is being executed; otherwise what comes may be printed just now
     */
    boolean isOver(boolean isIdle) {
        long now = taken.getAsLong();
        if (isIdle && now != seen && now <= most) {
            since = clock.getAsLong();
        }
        seen = now;
        return nanosLeft() <= 0;
    }

    /** Negative when it is over. */
    long nanosLeft() {
        long now = clock.getAsLong();
        return Math.min(timeout - (now - since), end - now);
    }
}
