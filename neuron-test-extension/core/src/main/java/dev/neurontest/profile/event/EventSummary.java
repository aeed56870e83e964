package dev.neurontest.profile.event;

import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import org.HdrHistogram.AbstractHistogram;
import org.apiguardian.api.API;

/**
 * The durations of some instructions or DMA transfers. Count, total, shortest and longest are exact. Percentiles come from a
 * histogram with two significant digits: never too short, and less than 1 % too long.
 *
 * <p>Engines work at the same time, and so do the queues of one: totals may exceed the time that the execution took.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EventSummary {

    private final String what;
    private final long count;
    private final Duration total;
    private final Duration min;
    private final Duration max;
    private final long spilled;
    private final AbstractHistogram histogram;

    /** Of bytes that are below 0 nothing is known. */
    EventSummary(
            String what,
            long count,
            Duration total,
            Duration min,
            Duration max,
            long spilled,
            AbstractHistogram histogram) {
        this.what = what;
        this.count = count;
        this.total = total;
        this.min = min;
        this.max = max;
        this.spilled = spilled;
        this.histogram = histogram;
    }

    /**
     * How many there are; those without a usable duration are not among them.
     *
     * @return 0 when there is none
     */
    public long count() {
        return count;
    }

    /**
     * Their durations added up.
     *
     * @return zero when there is none
     */
    public Duration total() {
        return total;
    }

    /**
     * The shortest.
     *
     * @return its duration
     * @throws NoSuchElementException when there is none
     */
    public Duration min() {
        requireSome();
        return min;
    }

    /**
     * The longest.
     *
     * @return its duration
     * @throws NoSuchElementException when there is none
     */
    public Duration max() {
        requireSome();
        return max;
    }

    /**
     * The duration that so many percent of them do not exceed.
     *
     * @param percent from 0 to 100; 50 is the median
     * @return less than 1 % too long, and exact for 0 and 100
     * @throws IllegalArgumentException when it is no percentage
     * @throws NoSuchElementException when there is none
     */
    public Duration percentile(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException(
                    "%s is no percentage: a percentile is asked for with a number from 0 to 100, such as 99.9."
                            .formatted(percent));
        }
        requireSome();
        if (percent == 0) {
            return min;
        }
        Duration value = Duration.ofNanos(histogram.getValueAtPercentile(percent));
        return value.compareTo(max) > 0 ? max : value;
    }

    /**
     * What the instructions saved to memory because it did not fit into the NeuronCore, and loaded again: {@code spill_save_bytes} and
     * {@code spill_reload_bytes} added up.
     *
     * @return bytes; empty when none of them says, which is not zero
     */
    public OptionalLong spilledBytes() {
        return spilled < 0 ? OptionalLong.empty() : OptionalLong.of(spilled);
    }

    private void requireSome() {
        if (count == 0) {
            throw new NoSuchElementException(
                    "%s: none with a duration, so there is nothing to measure. See notices(), and whether the profile was viewed with --ignore-instruction-trace or --ignore-dma-trace."
                            .formatted(what));
        }
    }

    /**
     * The numbers in one line.
     *
     * @return such as {@code instructions: 11,215, total 17.2 ms, p50 148 ns, p99 2.1 µs, max 10 us}
     */
    @Override
    public String toString() {
        return count == 0
                ? what + ": none"
                : String.format(
                        Locale.ROOT,
                        "%s: %,d, total %s, p50 %s, p99 %s, max %s",
                        what,
                        count,
                        DurationText.exact(total),
                        DurationText.exact(percentile(50)),
                        DurationText.exact(percentile(99)),
                        DurationText.exact(max));
    }
}
