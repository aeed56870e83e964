package dev.neurontest.print.stream;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Until when it is waited that streams become empty. Time counts only while nothing comes: what a ring held when the last execution
 * ended is read to its end, however slow the machine is. No ring holds more than its capacity, so that streams into which something
 * goes on printing are not read for ever; and what trickles in is waited for a minute at most.
 */
final class SettleLimit {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final long timeout;
    private final long end;
    private final LongSupplier taken;
    private final LongSupplier clock;
    private final long most;
    private long seen;
    private long since;

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
