package dev.neurontest.counter;

import dev.neurontest.internal.device.CounterKind;
import java.math.BigInteger;
import org.apiguardian.api.API;

/** What a counter did between two snapshots: it is decided here whether it rose, fell, went backwards or wrapped. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Movement {
    /** Both readings are equal. */
    UNCHANGED,
    /** It went up. */
    ROSE,
    /** It went down, as memory does when it is released. */
    FELL,
    /**
     * It went backwards, although the driver never lowers it: it was written to, or the driver was loaded anew. The difference is
     * what was counted since then; what came before is unknown.
     */
    DECREASED,
    /**
     * It went past the end of its range: over the largest number, or, for memory that was released after the counter was cleared,
     * below zero. The difference is taken around the end.
     */
    WRAPPED,
    /** One of the readings failed. There is no difference, in particular not zero. */
    UNREADABLE;

    /** A rise around the end of the range is believed up to here; a counter gets near its end only by being put there. */
    private static final long PLAUSIBLE_WRAP = 1L << 32;

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
            long rise = aroundRegister(before, after);
            return rise > 0 && rise < PLAUSIBLE_REGISTER_WRAP;
        }
        return Long.compareUnsigned(after - before, PLAUSIBLE_WRAP) < 0;
    }

    /** The difference that goes with the movement. */
    BigInteger delta(CounterKind kind, long before, long after) {
        return switch (this) {
            case UNCHANGED -> BigInteger.ZERO;
            case ROSE -> unsigned(after - before);
            case FELL -> unsigned(before - after).negate();
            case DECREASED -> unsigned(after);
            case WRAPPED ->
                kind == CounterKind.ECC
                        ? BigInteger.valueOf(aroundRegister(before, after))
                        : BigInteger.valueOf(after - before);
            case UNREADABLE -> throw new IllegalStateException("no difference without two readings");
        };
    }

    @API(status = API.Status.INTERNAL)
    public static BigInteger unsigned(long bits) {
        BigInteger value = BigInteger.valueOf(bits);
        return bits >= 0 ? value : value.add(BigInteger.ONE.shiftLeft(Long.SIZE));
    }

    private static long aroundRegister(long before, long after) {
        return after - before & REGISTER - 1;
    }
}
