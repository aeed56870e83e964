package dev.neurontest.profile;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * The sum of all events of one name.
 *
 * @param by the property that the name is of
 * @param name as the profile has it; {@value #NONE} for events without one, {@value #OTHERS} for those that are not kept apart
 * @param nanos their durations added up, 2<sup>53</sup> at most
 * @param count how many there are
 * @param spilledBytes what they wrote to memory and read back because SBUF was full; empty where the profile does not say
 * @param percentiles of their durations; empty where only sums were read
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

    /** The name of all events that are not kept apart. */
    public static final String OTHERS = "(others)";

    /** A hundred days: sums of sums do not overflow. */
    @API(status = API.Status.INTERNAL)
    public static final long MOST = 1L << 53;

    /** Longer durations are none: no trace lasts a day. */
    static final long LONGEST = Duration.ofDays(1).toNanos();

    /** Longer names are cut; names that begin alike become one. */
    static final int LONGEST_NAME = 256;

    /**
     * The times of single events.
     *
     * @param median nanoseconds, less than 1 % too long
     * @param p99 nanoseconds that 99 % of them do not exceed, less than 1 % too long
     * @param longest nanoseconds
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Percentiles(long median, long p99, long longest) {}

    /**
     * Creates a row without percentiles.
     *
     * @param by the property
     * @param name as the profile has it
     * @param nanos their durations added up
     * @param count how many there are
     * @param spilledBytes empty where the profile does not say
     */
    public EventRow(Grouping by, String name, long nanos, long count, OptionalLong spilledBytes) {
        this(by, name, nanos, count, spilledBytes, Optional.empty());
    }

    /**
     * Returns their durations added up.
     *
     * @return zero when there is none
     */
    public Duration time() {
        return Duration.ofNanos(nanos);
    }

    /**
     * Returns whether the name is one of the profile.
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

    /** Adds two numbers of bytes of which either may be unknown. */
    static OptionalLong sum(OptionalLong bytes, OptionalLong more) {
        return bytes.isEmpty() && more.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Math.min(MOST, Math.min(MOST, bytes.orElse(0)) + Math.min(MOST, more.orElse(0))));
    }
}
