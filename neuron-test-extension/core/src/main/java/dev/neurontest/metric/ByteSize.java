package dev.neurontest.metric;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * An amount of memory.
 *
 * @param bytes number of bytes, never negative
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ByteSize(long bytes) implements Comparable<ByteSize> {

    private static final Pattern TEXT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([A-Za-z]*)");
    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    private static final Map<String, Long> UNITS =
            Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30, "TiB", 1L << 40);

    /**
     * Creates an amount.
     *
     * @param bytes number of bytes
     * @throws IllegalArgumentException when the number is negative
     */
    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("an amount of memory cannot be negative: " + bytes);
        }
    }

    /**
     * Parses an amount with its unit.
     *
     * @param text a text such as {@code 1 GiB}, {@code 512 MiB}, {@code 1.5 KiB} or {@code 4096 B}
     * @return the amount
     * @throws IllegalArgumentException when the unit is missing or unknown, or the amount is not a whole number of bytes
     */
    public static ByteSize parse(String text) {
        try {
            return new ByteSize(exactBytes(text).longValueExact());
        } catch (ArithmeticException e) {
            throw invalid(text, "is not a whole number of bytes below 8 EiB");
        }
    }

    /** Parses a number of bytes, whole or not. */
    static BigDecimal exactBytes(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw invalid(text, "is not an amount of memory");
        }
        if (matcher.group(2).isEmpty()) {
            throw invalid(text, "has no unit");
        }
        Long unit = UNITS.get(matcher.group(2));
        if (unit == null) {
            throw invalid(text, "has the unknown unit \"" + matcher.group(2) + "\"");
        }
        return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    }

    private static IllegalArgumentException invalid(String text, String problem) {
        return new IllegalArgumentException(
                "\"%s\" %s. Write a number and one of B, KiB, MiB, GiB, TiB, such as \"1 GiB\" or \"4096 B\"."
                        .formatted(text, problem));
    }

    /**
     * Returns the amount as an integer of arbitrary size.
     *
     * @return number of bytes
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public BigInteger exact() {
        return BigInteger.valueOf(bytes);
    }

    /**
     * Formats an amount of any size in the largest suitable unit.
     *
     * @param bytes number of bytes
     * @return a text such as {@code 1.5 GiB}, rounded to two decimals
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static String human(BigInteger bytes) {
        int step = 0;
        BigDecimal size = new BigDecimal(bytes);
        while (step < BINARY.length - 1 && size.compareTo(BigDecimal.valueOf(1024)) >= 0) {
            size = size.divide(BigDecimal.valueOf(1024));
            step++;
        }
        return size.setScale(2, RoundingMode.HALF_UP).stripTrailingZeros().toPlainString() + " " + BINARY[step];
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }

    /**
     * Returns the amount in the largest suitable unit.
     *
     * @return a text such as {@code 1 GiB}, rounded to two decimals
     */
    @Override
    public String toString() {
        return human(exact());
    }
}
