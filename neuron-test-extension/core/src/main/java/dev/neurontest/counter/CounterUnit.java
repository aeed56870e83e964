package dev.neurontest.counter;

import dev.neurontest.metric.ByteSize;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import org.apiguardian.api.API;

/** The unit of a counter. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CounterUnit {
    /** Occurrences: executions, errors, resets. */
    COUNT("count"),
    /** Bytes. The driver rounds every allocation up to pages of 4096 bytes. */
    BYTES("bytes"),
    /** Microseconds. */
    MICROSECONDS("microseconds"),
    /** Floating-point operations. One multiply-accumulate counts as two. */
    OPERATIONS("operations");

    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final BigInteger WORD = BigInteger.TWO.pow(64);

    private final String symbol;

    CounterUnit(String symbol) {
        this.symbol = symbol;
    }

    static CounterUnit of(String path) {
        if (path.startsWith("memory_usage/")) {
            return BYTES;
        }
        if (path.endsWith("/nc_time_in_use")) {
            return MICROSECONDS;
        }
        return path.endsWith("/flop_count") ? OPERATIONS : COUNT;
    }

    /**
     * Returns the unit with the given symbol.
     *
     * @param symbol a text returned by {@link #symbol()}
     * @return the unit; {@link #COUNT} for any other text
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static CounterUnit ofSymbol(String symbol) {
        return Arrays.stream(values())
                .filter(unit -> unit.symbol.equals(symbol))
                .findFirst()
                .orElse(COUNT);
    }

    /**
     * Returns the symbol of the unit as written in evidence.
     *
     * @return {@code count}, {@code bytes}, {@code microseconds} or {@code operations}
     */
    public String symbol() {
        return symbol;
    }

    /**
     * Returns a value as text, exact and in readable form.
     *
     * @param value the unsigned number
     * @return the exact value, followed by a rounded one where that is easier to read
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String value(BigInteger value) {
        if (this == BYTES && value.bitLength() == Long.SIZE) {
            return value + " (" + ByteSize.human(WORD.subtract(value)) + " below 0)";
        }
        return value + inWords(value);
    }

    /**
     * Returns a difference with its sign as text, exact and in readable form.
     *
     * @param delta the difference
     * @return the exact difference, followed by a rounded one where that is easier to read
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String delta(BigInteger delta) {
        return (delta.signum() > 0 ? "+" : "") + delta + inWords(delta.abs());
    }

    /**
     * Returns a difference with its sign as short text for a narrow table.
     *
     * @param delta the difference
     * @return the rounded difference where that is easier to read, otherwise the exact one
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String rounded(BigInteger delta) {
        return delta(delta).replaceFirst("[0-9]+ \\((.+)\\)", "$1");
    }

    private String inWords(BigInteger magnitude) {
        return switch (this) {
            case BYTES -> magnitude.signum() == 0 ? "" : inBytes(magnitude);
            case OPERATIONS ->
                magnitude.bitLength() < 10 ? "" : " (" + new Quantity(magnitude.doubleValue(), Unit.FLOPS) + ")";
            case MICROSECONDS -> magnitude.bitLength() < 10 ? "" : " (" + seconds(magnitude) + ")";
            default -> "";
        };
    }

    private static String inBytes(BigInteger magnitude) {
        return magnitude.compareTo(KIBI) < 0 ? " B" : " (" + ByteSize.human(magnitude) + ")";
    }

    private static String seconds(BigInteger microseconds) {
        return microseconds.compareTo(BigInteger.valueOf(1_000_000)) < 0
                ? plain(new BigDecimal(microseconds, 3)) + " ms"
                : plain(new BigDecimal(microseconds, 6)) + " s";
    }

    private static String plain(BigDecimal number) {
        return number.setScale(2, RoundingMode.HALF_UP).stripTrailingZeros().toPlainString();
    }
}
