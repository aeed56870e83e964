package dev.neurontest.counter;

import dev.neurontest.internal.device.CounterKind;
import java.math.BigInteger;
import org.apiguardian.api.API;

/** The change of a counter between two snapshots: an increase, a decrease, a reset or a wrap. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Movement {
    /** Equal readings. */
    UNCHANGED,
    /** An increase. */
    ROSE,
    /** A decrease, as of memory that is released. */
    FELL,
    /**
     * A decrease of a counter that the driver never decreases: the file was written to, or the driver was reloaded. The
     * difference is the last reading, and messages say "at least": the count before the decrease is unknown.
     */
    DECREASED,
    /**
     * A change past the end of the range: over the largest number, or below zero. The latter happens to memory that is released
     * after its counter was cleared. The difference is computed across the end of the range.
     */
    WRAPPED,
    /** A failed reading. The difference is unknown and must not be treated as zero. */
    UNREADABLE;

    /**
     * The increase from which a 64-bit counter counts as decreased instead of wrapped. No counter counts to the end of 64 bits; only a
     * write to its file brings it near.
     */
    private static final long PLAUSIBLE_WRAP = 1L << 32;

    /** The number of values of an ECC register, which has 16 bits and wraps by counting. */
    private static final int REGISTER = 1 << 16;

    private static final int PLAUSIBLE_REGISTER_WRAP = 1 << 12;

    static Movement of(CounterKind kind, long before, long after) {
        if (before == after) {
            return UNCHANGED;
        }
        boolean rose = Long.compareUnsigned(after, before) > 0;
        if (kind == CounterKind.MEMORY && rose != after - before > 0) {
            return WRAPPED;
        }
        if (rose || !kind.isMonotonic()) {
            return rose ? ROSE : FELL;
        }
        return wrapped(kind, before, after) ? WRAPPED : DECREASED;
    }

    static Movement ofPeak(long before, long after) {
        int order = Long.compareUnsigned(after, before);
        return order == 0 ? UNCHANGED : order > 0 ? ROSE : DECREASED;
    }

    private static boolean wrapped(CounterKind kind, long before, long after) {
        if (kind == CounterKind.ECC) {
            long rise = registerDifference(before, after);
            return rise > 0 && rise < PLAUSIBLE_REGISTER_WRAP;
        }
        return Long.compareUnsigned(after - before, PLAUSIBLE_WRAP) < 0;
    }

    /** Returns the difference that belongs to this movement. */
    BigInteger delta(CounterKind kind, long before, long after) {
        return switch (this) {
            case UNCHANGED -> BigInteger.ZERO;
            case ROSE -> unsigned(after - before);
            case FELL -> unsigned(before - after).negate();
            case DECREASED -> unsigned(after);
            case WRAPPED ->
                kind == CounterKind.ECC
                        ? BigInteger.valueOf(registerDifference(before, after))
                        : BigInteger.valueOf(after - before);
            case UNREADABLE -> throw new IllegalStateException("no difference without two readings");
        };
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static BigInteger unsigned(long bits) {
        BigInteger value = BigInteger.valueOf(bits);
        return bits >= 0 ? value : value.add(BigInteger.ONE.shiftLeft(Long.SIZE));
    }

    private static long registerDifference(long before, long after) {
        return after - before & REGISTER - 1;
    }
}
