package dev.neurontest.internal.counter;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How to wait until counters are quiet: two equal readings some time apart.
 *
 * @param interval the time between two readings; zero where the driver's state is read directly
 * @param atMost when to stop waiting and say so
 * @param always whether to wait also where no process has a device open
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record SettleOptions(Duration interval, Duration atMost, boolean always) {

    /** For files: readings 10 ms apart, for at most a second. */
    public static final SettleOptions ON_FILES = new SettleOptions(Duration.ofMillis(10), Duration.ofSeconds(1));

    /** For a host within this process, where every effect is visible at once. */
    public static final SettleOptions IN_PROCESS = new SettleOptions(Duration.ZERO, Duration.ofSeconds(1));

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

    /**
     * Waits only where a process has a device open.
     *
     * @param interval the time between two readings; zero where the driver's state is read directly
     * @param atMost when to stop waiting and say so
     * @throws IllegalArgumentException when a time is negative, or the interval is longer than the whole wait
     */
    public SettleOptions(Duration interval, Duration atMost) {
        this(interval, atMost, false);
    }

    /**
     * Checks the times.
     *
     * @param interval the time between two readings; zero where the driver's state is read directly
     * @param atMost when to stop waiting and say so
     * @param always whether to wait also where no process has a device open
     * @throws IllegalArgumentException when a time is negative, or the interval is longer than the whole wait
     */
    public SettleOptions {
        if (interval.isNegative() || atMost.isNegative()) {
            throw new IllegalArgumentException(
                    "settling times cannot be negative: interval " + interval + ", at most " + atMost);
        }
        if (interval.compareTo(atMost) > 0) {
            throw new IllegalArgumentException(
                    "two readings %s apart do not fit into at most %s: raise the latter".formatted(interval, atMost));
        }
    }

    /** From one reading to the next. */
    Duration pause() {
        return interval.isZero() ? SHORTEST_PAUSE : interval;
    }

    /** What is left of a pause in which something else was done. */
    Duration pauseAfter(Duration passed) {
        return passed.compareTo(pause()) < 0 ? pause().minus(passed) : Duration.ZERO;
    }
}
