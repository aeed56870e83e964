package dev.neurontest.internal.counter;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The options of the wait for counters to settle. Counters have settled after two equal readings with a pause between them.
 *
 * @param interval time between two readings; zero if the driver's state is read directly
 * @param atMost time limit; after it, the wait ends with a notice
 * @param always true to wait even if no process has a device open
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record SettleOptions(Duration interval, Duration atMost, boolean always) {

    /** Options for files: readings 10 ms apart, for at most a second. */
    public static final SettleOptions ON_FILES = new SettleOptions(Duration.ofMillis(10), Duration.ofSeconds(1));

    /** Options for a host within this process. Every effect is visible at once. */
    public static final SettleOptions IN_PROCESS = new SettleOptions(Duration.ZERO, Duration.ofSeconds(1));

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

    /**
     * Creates options that wait only if a process has a device open.
     *
     * @param interval time between two readings; zero if the driver's state is read directly
     * @param atMost time limit; after it, the wait ends with a notice
     * @throws IllegalArgumentException when a time is negative, or the interval is longer than the whole wait
     */
    public SettleOptions(Duration interval, Duration atMost) {
        this(interval, atMost, false);
    }

    /**
     * Creates options after a check of the times.
     *
     * @param interval time between two readings; zero if the driver's state is read directly
     * @param atMost time limit; after it, the wait ends with a notice
     * @param always true to wait even if no process has a device open
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

    /** Returns the pause between two readings. */
    Duration pause() {
        return interval.isZero() ? SHORTEST_PAUSE : interval;
    }

    /** Returns the rest of a pause after other work has used part of it. */
    Duration pauseAfter(Duration passed) {
        return passed.compareTo(pause()) < 0 ? pause().minus(passed) : Duration.ZERO;
    }
}
