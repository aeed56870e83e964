package dev.neurontest.profile;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.IntCountsHistogram;
import org.HdrHistogram.PackedHistogram;
import org.jspecify.annotations.Nullable;

/** A name of the full JSON, and the sum of its events as they come. */
final class EventTally {

    private static final long USUALLY_LONGEST = Duration.ofMillis(1).toNanos();

    /** Percentiles are less than 1 % off. */
    static final int DIGITS = 2;

    final String name;
    final char[] characters;
    final boolean isTranspose;
    private final boolean wide;
    private @Nullable AbstractHistogram histogram;
    private long nanos;
    private long longest;
    private long count;
    private long spilled = EventNumbers.ABSENT;

    /** @param wide whether recording is quick, of 7 KB; else ten times slower, of 1 to 4 KB */
    EventTally(String name, boolean wide) {
        this.name = name;
        this.characters = name.toCharArray();
        this.isTranspose = EventQuery.contains(name, EventQuery.TRANSPOSE);
        this.wide = wide;
    }

    private AbstractHistogram newHistogram() {
        if (!wide) {
            return new PackedHistogram(EventRow.LONGEST, DIGITS);
        }
        IntCountsHistogram quick = new IntCountsHistogram(USUALLY_LONGEST, DIGITS);
        quick.setAutoResize(true);
        return quick;
    }

    /**
     * Adds one.
     *
     * @param duration in nanoseconds, from 0 to {@link EventRow#LONGEST}
     * @param bytes that it spilled; {@link EventNumbers#ABSENT} when it does not say
     */
    void add(long duration, long bytes) {
        if (histogram == null) {
            histogram = newHistogram();
        }
        count++;
        nanos = Math.min(EventRow.MOST, nanos + duration);
        longest = Math.max(longest, duration);
        histogram.recordValue(duration);
        if (bytes >= 0) {
            spilled = plus(spilled, bytes);
        }
    }

    /** Adds two numbers of bytes of which either may be absent. */
    static long plus(long bytes, long more) {
        return bytes < 0 || more < 0
                ? Math.max(bytes, more)
                : Math.min(EventRow.MOST, Math.min(EventRow.MOST, bytes) + Math.min(EventRow.MOST, more));
    }

    /** Returns the sum; empty when nothing was added. */
    Optional<EventRow> row(Grouping by) {
        return Optional.ofNullable(histogram)
                .map(durations -> new EventRow(
                        by,
                        name,
                        nanos,
                        count,
                        spilled < 0 ? OptionalLong.empty() : OptionalLong.of(spilled),
                        Optional.of(percentiles(durations, longest))));
    }

    static EventRow.Percentiles percentiles(AbstractHistogram durations, long longest) {
        return new EventRow.Percentiles(
                Math.min(longest, durations.getValueAtPercentile(50)),
                Math.min(longest, durations.getValueAtPercentile(99)),
                longest);
    }
}
