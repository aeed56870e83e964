package dev.neurontest.metric;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** The unit of a metric's number, as the tools write it. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Unit {
    /** Seconds. */
    SECONDS("s"),
    /** Nanoseconds. */
    NANOSECONDS("ns"),
    /** Cycles of the base clock. */
    CYCLES("cycles"),
    /** Floating-point operations; a multiply-add counts as two. */
    FLOPS("flops"),
    /** Floating-point operations per byte. */
    FLOPS_PER_BYTE("flops/byte"),
    /** A number of items. */
    COUNT("count"),
    /** Bytes. */
    BYTES("bytes"),
    /** A fraction of one. The tools call it {@code percent}: 0.42 is 42 %. It may exceed 1. */
    FRACTION("fraction"),
    /** A number of items per second. */
    PER_SECOND("/s"),
    /** The number of a device or core. */
    INDEX("index"),
    /** Text instead of a number. */
    TEXT("text");

    /** Units by the endings of the tools' metric names. */
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
     * Returns the symbol of the unit.
     *
     * @return a symbol such as {@code s} or {@code flops/byte}
     */
    public String symbol() {
        return symbol;
    }

    /**
     * Returns whether a value is too small for a time. Devices count in nanoseconds and cycles.
     *
     * @param value a value in this unit
     * @return true below a nanosecond or a cycle; always false for units that are not times
     * @hidden
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
     * Returns the unit of a metric without documentation by the ending of its name.
     *
     * @param name a name such as {@code dma_wait_time_ns}
     * @return empty when the ending is unknown
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Optional<Unit> byEnding(String name) {
        return ENDINGS.keySet().stream().filter(name::endsWith).findAny().map(ENDINGS::get);
    }
}
