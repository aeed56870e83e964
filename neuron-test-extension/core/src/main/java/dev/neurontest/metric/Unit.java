package dev.neurontest.metric;

import java.util.Map;
import java.util.Optional;
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

    /** How the tools name what they measure. */
    private static final Map<String, Unit> ENDINGS = Map.of(
            "_percent", FRACTION,
            "_ns", NANOSECONDS,
            "_time", SECONDS,
            "_cycles", CYCLES,
            "_bytes", BYTES,
            "_size", BYTES,
            "_flops", FLOPS,
            "_count", COUNT);

    private static final double ALL_BUT_FOR_ROUNDING = 0.999;

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

    /**
     * Returns whether a value is too small for a time. Devices count in nanoseconds and cycles.
     *
     * @param value in this unit
     * @return true below a nanosecond or a cycle; false for a unit of something else
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean isNoTime(double value) {
        return switch (this) {
            case SECONDS -> value < ALL_BUT_FOR_ROUNDING * 1e-9;
            case NANOSECONDS, CYCLES -> value < ALL_BUT_FOR_ROUNDING;
            default -> false;
        };
    }

    /**
     * What a number counts that the tools do not explain, by the ending of its name.
     *
     * @param name such as {@code dma_wait_time_ns}
     * @return empty when it does not tell
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Optional<Unit> byEnding(String name) {
        return ENDINGS.keySet().stream().filter(name::endsWith).findAny().map(ENDINGS::get);
    }
}
