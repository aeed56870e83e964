package dev.neurontest.profile.event;

import java.math.BigInteger;
import java.time.Duration;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.IntCountsHistogram;
import org.HdrHistogram.PackedHistogram;

/** Durations as they come. The sum is exact for any number of them. */
final class EventTally {

    /** No trace lasts a day; what claims to is no duration. */
    static final long LONGEST = Duration.ofDays(1).toNanos();

    private static final long USUALLY_LONGEST = Duration.ofMillis(1).toNanos();

    /** Percentiles are less than 1 % off. */
    private static final int DIGITS = 2;

    private static final long CARRY = 1_000_000_000_000_000_000L;
    private static final long CARRIED_SECONDS = 1_000_000_000L;

    private final AbstractHistogram histogram;
    private long seconds;
    private long nanos;
    private long least = Long.MAX_VALUE;
    private long most = -1;
    private long count;
    private long spilled = EventNumbers.ABSENT;

    private EventTally(AbstractHistogram histogram) {
        this.histogram = histogram;
    }

    /** Quick to record; of 7 KB for durations up to a millisecond, and 20 KB for a day. */
    static EventTally wide() {
        IntCountsHistogram histogram = new IntCountsHistogram(USUALLY_LONGEST, DIGITS);
        histogram.setAutoResize(true);
        return new EventTally(histogram);
    }

    /** Ten times slower to record, of 1 to 4 KB for any durations. */
    static EventTally narrow() {
        return new EventTally(new PackedHistogram(LONGEST, DIGITS));
    }

    /**
     * Adds one.
     *
     * @param duration in nanoseconds, from 0 to {@link #LONGEST}
     */
    void add(long duration) {
        count++;
        nanos += duration;
        carry();
        if (duration > most) {
            most = duration;
        }
        if (duration < least) {
            least = duration;
        }
        histogram.recordValue(duration);
    }

    private void carry() {
        if (nanos >= CARRY) {
            nanos -= CARRY;
            seconds += CARRIED_SECONDS;
        }
    }

    /**
     * Adds one that spilled something.
     *
     * @param duration in nanoseconds, from 0 to {@link #LONGEST}
     * @param bytes how much; {@link EventNumbers#ABSENT} when it does not say
     */
    void add(long duration, long bytes) {
        add(duration);
        if (bytes >= 0) {
            spilled = plus(spilled, bytes);
        }
    }

    /** Either may be absent; what is more than a number holds is the largest one. */
    static long plus(long bytes, long more) {
        if (bytes < 0 || more < 0) {
            return Math.max(bytes, more);
        }
        long sum = bytes + more;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /**
     * Adds some of which the sums are known; {@link #addToHistogram} takes each of them.
     *
     * @param total in nanoseconds
     */
    void add(long events, BigInteger total, long shortest, long longest, long bytes) {
        count += events;
        BigInteger[] parts = total.divideAndRemainder(BigInteger.valueOf(CARRY));
        seconds += parts[0].longValue() * CARRIED_SECONDS;
        nanos += parts[1].longValue();
        carry();
        least = Math.min(least, shortest);
        most = Math.max(most, longest);
        spilled = plus(spilled, bytes);
    }

    /** Some of about that duration. */
    void addToHistogram(long duration, long events) {
        histogram.recordValueWithCount(duration, events);
    }

    /** Adds all that another one has. */
    void add(EventTally other) {
        add(
                other.count,
                BigInteger.valueOf(other.seconds)
                        .multiply(BigInteger.valueOf(1_000_000_000))
                        .add(BigInteger.valueOf(other.nanos)),
                other.least,
                other.most,
                other.spilled);
        histogram.add(other.histogram);
    }

    long count() {
        return count;
    }

    /** What came until now; nothing may be added afterwards. */
    EventSummary summary(String what) {
        return new EventSummary(
                what,
                count,
                Duration.ofSeconds(seconds, nanos),
                Duration.ofNanos(count == 0 ? 0 : least),
                Duration.ofNanos(count == 0 ? 0 : most),
                spilled,
                histogram);
    }
}
