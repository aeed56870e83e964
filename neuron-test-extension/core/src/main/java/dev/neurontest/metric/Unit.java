package dev.neurontest.metric;

import org.apiguardian.api.API;

/** What the number of a metric counts, as the tools write it. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Unit {
    /** Seconds. */
    SECONDS("s"),
    /** Nanoseconds. */
    NANOSECONDS("ns"),
    /** Cycles of the base clock. */
    CYCLES("cycles"),
    /** Floating-point operations; a multiply-add is two. */
    FLOPS("flops"),
    /** Floating-point operations for each byte. */
    FLOPS_PER_BYTE("flops/byte"),
    /** Things. */
    COUNT("count"),
    /** Bytes. */
    BYTES("bytes"),
    /** A part of one. What the tools call {@code percent} is this: 0.42 is 42 %. It may be over one. */
    FRACTION("fraction"),
    /** The number of a device or core. */
    INDEX("index"),
    /** No number at all. */
    TEXT("text");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    /**
     * How it is written.
     *
     * @return such as {@code s} or {@code flops/byte}
     */
    public String symbol() {
        return symbol;
    }
}
