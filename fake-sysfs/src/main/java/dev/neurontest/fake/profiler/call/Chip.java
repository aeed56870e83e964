package dev.neurontest.fake.profiler.call;

import org.apiguardian.api.API;

/**
 * What a chip can do, as far as metrics depend on it.
 *
 * <p>Clock, bandwidth and peak of Trn1, Inf2 and Trn2 follow from the identities that genuine summaries obey; the limits under
 * throttling and the sizes of SBUF are those that were published. For Trn3 nothing else is known: it counts as Trn2.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Chip {
    /** Trn1. */
    TRN1("Trn1", 1.4e9, 410e9, 91.7504e12, 0.63, 24),
    /** Inf2. */
    INF2("Inf2", 1.4e9, 410e9, 91.7504e12, 0.63, 24),
    /** Trn2. */
    TRN2("Trn2", 1.2e9, 716e9, 78.6432e12, 0.5, 28),
    /** Trn3. */
    TRN3("Trn3", 1.2e9, 716e9, 78.6432e12, 0.5, 32);

    private final String family;
    private final double clock;
    private final double bandwidth;
    private final double peak;
    private final double throttledLimit;
    private final long sbufBytes;

    Chip(String family, double clock, double bandwidth, double peak, double throttledLimit, long sbufMebibytes) {
        this.family = family;
        this.clock = clock;
        this.bandwidth = bandwidth;
        this.peak = peak;
        this.throttledLimit = throttledLimit;
        this.sbufBytes = sbufMebibytes << 20;
    }

    /**
     * By family or by instance type; the nearest for one that is not known.
     *
     * @param name such as {@code Trn2} or {@code trn2.48xlarge}
     * @return the chip
     */
    public static Chip of(String name) {
        for (Chip chip : values()) {
            if (name.regionMatches(true, 0, chip.family, 0, chip.family.length())) {
                return chip;
            }
        }
        return TRN1;
    }

    /**
     * Cycles per second.
     *
     * @return a frequency
     */
    public double clock() {
        return clock;
    }

    /**
     * Bytes per second from and to one stack of device memory.
     *
     * @return a rate
     */
    public double bandwidth() {
        return bandwidth;
    }

    /**
     * Operations per second of one physical core.
     *
     * @return a rate
     */
    public double peak() {
        return peak;
    }

    /**
     * How much of its speed the Tensor Engine keeps while it is throttled.
     *
     * @return a fraction
     */
    public double throttledLimit() {
        return throttledLimit;
    }

    /**
     * Bytes of SBUF of one physical core.
     *
     * @return an amount
     */
    public long sbufBytes() {
        return sbufBytes;
    }

    /**
     * Only there the first execution has a start-up in it.
     *
     * @return 0 elsewhere
     */
    public long startUpPicoseconds() {
        return this == TRN1 ? 2_080_000_000L : 0;
    }
}
