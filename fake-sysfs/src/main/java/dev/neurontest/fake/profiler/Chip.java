package dev.neurontest.fake.profiler;

/**
 * What a chip can do, as far as metrics depend on it.
 *
 * <p>Clock, bandwidth and peak of Trn1, Inf2 and Trn2 follow from the identities that genuine summaries obey; the limits under
 * throttling are those that were published. For Trn3 nothing is known: it counts as Trn2.
 */
enum Chip {
    TRN1("Trn1", 1.4e9, 410e9, 91.7504e12, 0.63),
    INF2("Inf2", 1.4e9, 410e9, 91.7504e12, 0.63),
    TRN2("Trn2", 1.2e9, 716e9, 78.6432e12, 0.5),
    TRN3("Trn3", 1.2e9, 716e9, 78.6432e12, 0.5);

    private final String family;
    private final double clock;
    private final double bandwidth;
    private final double peak;
    private final double throttledLimit;

    Chip(String family, double clock, double bandwidth, double peak, double throttledLimit) {
        this.family = family;
        this.clock = clock;
        this.bandwidth = bandwidth;
        this.peak = peak;
        this.throttledLimit = throttledLimit;
    }

    /** By family or by instance type; the nearest for one that is not known. */
    static Chip of(String name) {
        for (Chip chip : values()) {
            if (name.regionMatches(true, 0, chip.family, 0, chip.family.length())) {
                return chip;
            }
        }
        return TRN1;
    }

    /** Cycles per second. */
    double clock() {
        return clock;
    }

    /** Bytes per second from and to one stack of device memory. */
    double bandwidth() {
        return bandwidth;
    }

    /** Operations per second of one physical core. */
    double peak() {
        return peak;
    }

    /** How much of its speed the Tensor Engine keeps while it is throttled. */
    double throttledLimit() {
        return throttledLimit;
    }

    /** Only there the first execution has a start-up in it. */
    long startUpPicoseconds() {
        return this == TRN1 ? 2_080_000_000L : 0;
    }
}
