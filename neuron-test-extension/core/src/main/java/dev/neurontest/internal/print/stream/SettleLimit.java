package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.thread.Uninterrupted;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * A time limit for waiting. Time counts only while no events arrive, for two reasons. A thread on a busy machine is not stuck. All events
 * that a ring held after the last execution must be read. A ring holds at most its capacity, so streams with continuous prints are not
 * read forever. A slow flow of events is awaited for at most one minute.
 */
final class SettleLimit {

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE / 4);
    private static final long POLL_MILLIS = 100;

    private final long timeout;
    private final long end;
    private final LongSupplier eventCount;
    private final LongSupplier clock;
    private final long most;
    private long lastCount;
    private long since;

    /** A wait for a condition. */
    @FunctionalInterface
    interface Waiting {

        /** Waits at most for the given time, and returns whether the wait is over. */
        boolean isOverWithin(long millis) throws InterruptedException;
    }

    /**
     * Creates a limit that starts now.
     *
     * @param timeout maximum time without a new event
     * @param eventCount returns the increasing number of events that have arrived
     * @param held number of events that the streams can hold together
     */
    SettleLimit(Duration timeout, LongSupplier eventCount, long held) {
        this(timeout, eventCount, held, LONGEST.compareTo(timeout) > 0 ? LONGEST : timeout, System::nanoTime);
    }

    SettleLimit(Duration timeout, LongSupplier eventCount, long held, Duration longest, LongSupplier clock) {
        this.clock = clock;
        this.since = clock.getAsLong();
        this.timeout = timeout.toNanos();
        this.end = since + longest.toNanos();
        this.eventCount = eventCount;
        this.lastCount = eventCount.getAsLong();
        this.most = lastCount + held;
    }

    /** Creates a limit for a thread. The thread counts as stuck when it makes no progress for the given time. */
    static SettleLimit ofProgress(Duration stuckAfter, LongSupplier progress) {
        return new SettleLimit(stuckAfter, progress, Long.MAX_VALUE / 2, FOR_EVER, System::nanoTime);
    }

    /** Waits for some time, also in an interrupted thread. */
    static void pause(long nanos, Waiting early) {
        ofProgress(Duration.ofNanos(nanos), () -> 0).await(early);
    }

    /** Waits also in an interrupted thread, and keeps its interrupt status. Returns false when the limit is reached first. */
    boolean await(Waiting waiting) {
        AtomicBoolean first = new AtomicBoolean(true);
        return Uninterrupted.get(() -> {
            while (first.getAndSet(false) || !isOver(true)) {
                if (waiting.isOverWithin(
                        Math.max(1, Math.min(POLL_MILLIS, TimeUnit.NANOSECONDS.toMillis(nanosLeft()))))) {
                    return true;
                }
            }
            return false;
        });
    }

    /**
     * Checks whether the limit is reached.
     *
     * @param isIdle true if no execution is running; otherwise new events may have been printed just now
     */
    boolean isOver(boolean isIdle) {
        long count = eventCount.getAsLong();
        if (isIdle && count != lastCount && count <= most) {
            since = clock.getAsLong();
        }
        lastCount = count;
        return nanosLeft() <= 0;
    }

    /** Returns the remaining time; negative when the limit is exceeded. */
    long nanosLeft() {
        long now = clock.getAsLong();
        return Math.min(timeout - (now - since), end - now);
    }
}
