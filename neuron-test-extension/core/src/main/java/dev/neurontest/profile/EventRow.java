package dev.neurontest.profile;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * The totals of all events with one name.
 *
 * @param by the property that the name belongs to
 * @param name the name in the profile; {@value #NONE} for events without a name, {@value #OTHERS} for names that are not listed separately
 * @param nanos the sum of their durations, at most 2<sup>53</sup>
 * @param count number of events
 * @param spilledBytes bytes written to memory and read back because SBUF was full; empty if the profile does not contain them
 * @param percentiles percentiles of their durations; empty if only sums were read
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EventRow(
        Grouping by,
        String name,
        long nanos,
        long count,
        OptionalLong spilledBytes,
        Optional<Percentiles> percentiles) {

    /** The name of events without one. */
    public static final String NONE = "(none)";

    /** The name for all events that are not listed separately. */
    public static final String OTHERS = "(others)";

    /**
     * Maximum sum, about a hundred days. The limit keeps sums of sums from overflowing.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public static final long MOST = 1L << 53;

    /** Maximum duration. Longer durations are ignored, because no trace lasts a day. */
    static final long LONGEST = Duration.ofDays(1).toNanos();

    /** Maximum length of a name. Longer names are truncated, and names with the same beginning are merged. */
    static final int LONGEST_NAME = 256;

    /**
     * The duration percentiles of single events.
     *
     * @param median median in nanoseconds, at most 1 % too long
     * @param p99 99th percentile in nanoseconds, at most 1 % too long
     * @param longest maximum in nanoseconds
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Percentiles(long median, long p99, long longest) {}

    /**
     * Creates a row without percentiles.
     *
     * @param by the property
     * @param name the name in the profile
     * @param nanos the sum of the durations
     * @param count number of events
     * @param spilledBytes spilled bytes; empty if the profile does not contain them
     */
    public EventRow(Grouping by, String name, long nanos, long count, OptionalLong spilledBytes) {
        this(by, name, nanos, count, spilledBytes, Optional.empty());
    }

    /**
     * Returns the sum of the durations.
     *
     * @return zero if there are no events
     */
    public Duration time() {
        return Duration.ofNanos(nanos);
    }

    /**
     * Returns whether the name occurs in the profile.
     *
     * @return false for {@value #NONE} and {@value #OTHERS}
     */
    public boolean isNamed() {
        return !name.equals(NONE) && !name.equals(OTHERS);
    }

    boolean isCut() {
        return name.length() == LONGEST_NAME;
    }

    static String cut(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public EventRow named(String other) {
        return new EventRow(by, other, nanos, count, spilledBytes, percentiles);
    }

    EventRow plus(EventRow other) {
        return new EventRow(
                by,
                name,
                Math.min(MOST, nanos + other.nanos),
                count + other.count,
                sum(spilledBytes, other.spilledBytes));
    }

    /** Adds two numbers of bytes. Either may be unknown. */
    static OptionalLong sum(OptionalLong bytes, OptionalLong more) {
        return bytes.isEmpty() && more.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Math.min(MOST, Math.min(MOST, bytes.orElse(0)) + Math.min(MOST, more.orElse(0))));
    }
}
