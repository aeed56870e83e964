package dev.neurontest.profile;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.IntCountsHistogram;
import org.HdrHistogram.PackedHistogram;
import org.jspecify.annotations.Nullable;

/** The running totals of the events with one name in the full JSON. */
final class EventTally {

    private static final long USUALLY_LONGEST = Duration.ofMillis(1).toNanos();

    /** Number of significant digits. Percentiles are less than 1 % off. */
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

    /**
     * Creates an empty tally.
     *
     * @param wide true for fast recording with 7 KB; otherwise recording is ten times slower with 1 to 4 KB
     */
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
        IntCountsHistogram histogram = new IntCountsHistogram(USUALLY_LONGEST, DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }

    /**
     * Adds an event.
     *
     * @param duration duration in nanoseconds, from 0 to {@link EventRow#LONGEST}
     * @param bytes spilled bytes; {@link EventNumbers#ABSENT} if unknown
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

    /** Adds two numbers of bytes. Either may be absent. */
    static long plus(long bytes, long more) {
        return bytes < 0 || more < 0
                ? Math.max(bytes, more)
                : Math.min(EventRow.MOST, Math.min(EventRow.MOST, bytes) + Math.min(EventRow.MOST, more));
    }

    /** Returns the totals; empty if no event was added. */
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
