package dev.neurontest.metric;

import dev.neurontest.internal.text.CountText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * A number with its unit, as in thresholds and messages.
 *
 * @param value the number in the unit: seconds, bytes, a fraction of one
 * @param unit the unit of the number
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Quantity(double value, Unit unit) {

    private static final Pattern TEXT =
            Pattern.compile("([0-9](?:_?[0-9])*(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)\\s*(.*)");
    private static final Pattern FLOP = Pattern.compile("([KkMGTP]?)(?:FLOP|flop)[sS]?");
    private static final String PREFIXES = "KMGTP";

    /** Number of decimals by which the decimal point moves from seconds. */
    private static final Map<String, Integer> POWERS_OF_SECONDS =
            Map.of("ns", -9, "us", -6, "\u00b5s", -6, "\u03bcs", -6, "ms", -3, "s", 0);

    private static final Map<String, Integer> SECONDS = Map.of("min", 60, "h", 3600);

    /**
     * Creates a quantity.
     *
     * @param value the number in the unit
     * @param unit the unit of the number
     * @throws IllegalArgumentException when the number is negative, infinite or NaN, or the unit is text
     */
    public Quantity {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("a quantity must be 0 or a finite positive number: " + value);
        }
        if (unit == Unit.TEXT) {
            throw new IllegalArgumentException("a text is not a quantity");
        }
    }

    /**
     * Parses a quantity with a known unit.
     *
     * <p>Times: {@code 17 ms}, with ns, us or \u00b5s, ms, s, min, h. Bytes: as {@link ByteSize#parse(String)}, also fractions of a byte,
     * such as {@code 1.95 MiB}. Fractions: {@code 42 %}, never a bare number. Work: {@code 2.5 GFLOP}, with K, M, G, T, P, or a bare
     * number. Others: a bare number, or a number with {@link Unit#symbol() the unit}. Digits may be grouped: {@code 1_000_000}.
     *
     * @param text the text
     * @param unit the unit
     * @return the quantity
     * @throws IllegalArgumentException when the text is ambiguous or has another unit; the message contains the expected form
     */
    public static Quantity parse(String text, Unit unit) {
        if (unit == Unit.TEXT) {
            throw new IllegalArgumentException(
                    "\"%s\" cannot be a limit: the measured value is a text.".formatted(text));
        }
        if (unit == Unit.BYTES) {
            return new Quantity(ByteSize.exactBytes(text.replace("_", "")).doubleValue(), unit);
        }
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw invalid(text, "is not a number with a unit", unit);
        }
        BigDecimal number = new BigDecimal(matcher.group(1).replace("_", ""));
        String written = matcher.group(2);
        if (written.isEmpty() && unit == Unit.FRACTION) {
            throw ambiguous(text, number);
        }
        double value = inUnit(number, written, text, unit).doubleValue();
        if (Double.isInfinite(value)) {
            throw invalid(text, "is too large", unit);
        }
        return new Quantity(value, unit);
    }

    /**
     * Parses a quantity that contains its unit.
     *
     * @param text a text such as {@code 17 ms}, {@code 3 MiB}, {@code 42 %} or {@code 2.5 GFLOP}; a bare number is a count
     * @return the quantity; times are in seconds
     * @throws IllegalArgumentException when it cannot be read
     */
    public static Quantity parse(String text) {
        return parse(text, unitIn(text));
    }

    /**
     * Creates a quantity from a duration.
     *
     * @param time the duration
     * @param unit seconds or nanoseconds
     * @return the quantity
     * @throws IllegalArgumentException when the duration is negative, or the unit is not a unit of time
     */
    public static Quantity of(Duration time, Unit unit) {
        int decimals = switch (unit) {
            case SECONDS -> 9;
            case NANOSECONDS -> 0;
            default ->
                throw new IllegalArgumentException(
                        "%s is a time, but the unit of the measured value is %s.".formatted(time, unit.symbol()));
        };
        BigDecimal nanos =
                BigDecimal.valueOf(time.getSeconds()).movePointRight(9).add(BigDecimal.valueOf(time.getNano()));
        return new Quantity(nanos.movePointLeft(decimals).doubleValue(), unit);
    }

    /**
     * Creates a quantity from an amount of memory.
     *
     * @param size the amount
     * @return the quantity
     */
    public static Quantity of(ByteSize size) {
        return new Quantity(size.bytes(), Unit.BYTES);
    }

    /**
     * Creates a quantity from a fraction.
     *
     * @param part the fraction
     * @return the quantity
     */
    public static Quantity of(Fraction part) {
        return new Quantity(part.value(), Unit.FRACTION);
    }

    private static Unit unitIn(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        String written = matcher.matches() ? matcher.group(2) : "";
        if (written.equals("%")) {
            return Unit.FRACTION;
        }
        if (POWERS_OF_SECONDS.containsKey(written) || SECONDS.containsKey(written)) {
            return Unit.SECONDS;
        }
        for (Unit unit : new Unit[] {Unit.CYCLES, Unit.FLOPS_PER_BYTE, Unit.PER_SECOND}) {
            if (written.equals(unit.symbol())) {
                return unit;
            }
        }
        if (FLOP.matcher(written).matches()) {
            return Unit.FLOPS;
        }
        return written.isEmpty() ? Unit.COUNT : Unit.BYTES;
    }

    private static BigDecimal inUnit(BigDecimal number, String written, String text, Unit unit) {
        return switch (unit) {
            case SECONDS -> seconds(number, written, text, unit);
            case NANOSECONDS -> seconds(number, written, text, unit).movePointRight(9);
            case FRACTION -> {
                if (!written.equals("%")) {
                    throw invalid(text, "has the unknown unit \"" + written + "\"", unit);
                }
                yield number.movePointLeft(2);
            }
            case FLOPS -> flops(number, written, text);
            default -> {
                if (!written.isEmpty() && !written.equals(unit.symbol())) {
                    throw invalid(text, "has the unknown unit \"" + written + "\"", unit);
                }
                yield number;
            }
        };
    }

    private static BigDecimal seconds(BigDecimal number, String written, String text, Unit unit) {
        if (SECONDS.containsKey(written)) {
            return number.multiply(BigDecimal.valueOf(SECONDS.get(written)));
        }
        if (!POWERS_OF_SECONDS.containsKey(written)) {
            throw invalid(text, written.isEmpty() ? "has no unit" : "has the unknown unit \"" + written + "\"", unit);
        }
        return number.movePointRight(POWERS_OF_SECONDS.get(written));
    }

    private static BigDecimal flops(BigDecimal number, String written, String text) {
        Matcher flop = FLOP.matcher(written);
        if (written.isEmpty()) {
            return number;
        }
        if (!flop.matches()) {
            throw invalid(text, "has the unknown unit \"" + written + "\"", Unit.FLOPS);
        }
        return flop.group(1).isEmpty()
                ? number
                : number.movePointRight(3
                        * (1
                                + PREFIXES.indexOf(
                                        Character.toUpperCase(flop.group(1).charAt(0)))));
    }

    private static IllegalArgumentException ambiguous(String text, BigDecimal number) {
        String asFraction = plain(number.movePointRight(2));
        String asPercent = plain(number);
        return new IllegalArgumentException("\"%s\" could mean %s %% or %s %%: write \"%s %%\"."
                .formatted(
                        text, asPercent, asFraction, number.compareTo(BigDecimal.ONE) <= 0 ? asFraction : asPercent));
    }

    private static IllegalArgumentException invalid(String text, String problem, Unit unit) {
        return new IllegalArgumentException("\"%s\" %s. Write %s."
                .formatted(
                        text,
                        problem,
                        switch (unit) {
                            case SECONDS, NANOSECONDS -> "a number and one of ns, us, ms, s, min, h, such as \"17 ms\"";
                            case FRACTION -> "a number and a percent sign, such as \"42 %\"";
                            case FLOPS ->
                                "a number, or one with FLOP, KFLOP, MFLOP, GFLOP, TFLOP, PFLOP, such as \"2.5 GFLOP\"";
                            case CYCLES, FLOPS_PER_BYTE, PER_SECOND ->
                                "a number, such as \"55_764\" or \"55764 " + unit.symbol() + "\"";
                            default -> "a number without a unit, such as \"1_000\"";
                        }));
    }

    /**
     * Returns the rounded quantity in readable form.
     *
     * @return a text such as {@code 17 ms}, {@code 26.42 \u00b5s}, {@code 42.3 %}, {@code 1.95 MiB (2048000 B)}, {@code 55,764
     *     cycles} or {@code 2.5 GFLOP}
     */
    @Override
    public String toString() {
        return switch (unit) {
            case BYTES -> bytes();
            case FRACTION -> new Fraction(value).toString();
            default -> scaled(2);
        };
    }

    /**
     * Returns the quantity with all digits, to distinguish two quantities that look equal when rounded.
     *
     * @return a text such as {@code 26.416626 \u00b5s}
     */
    public String exactly() {
        return switch (unit) {
            case BYTES -> bytes();
            case FRACTION -> plain(Fraction.exactPercent(value)) + " %";
            default -> scaled(Integer.MAX_VALUE);
        };
    }

    private String bytes() {
        BigDecimal exact = BigDecimal.valueOf(value);
        String plain = plain(exact) + " B";
        String human = ByteSize.human(exact.toBigInteger());
        return value < 1024 || human.equals(plain) ? plain : human + " (" + plain + ")";
    }

    private String scaled(int decimals) {
        BigDecimal exact = BigDecimal.valueOf(value);
        return switch (unit) {
            case SECONDS -> time(exact, decimals);
            case NANOSECONDS -> time(exact.movePointLeft(9), decimals);
            case FLOPS -> flops(exact, decimals);
            case CYCLES, FLOPS_PER_BYTE, PER_SECOND -> grouped(exact, decimals) + " " + unit.symbol();
            default -> grouped(exact, decimals);
        };
    }

    private static String time(BigDecimal seconds, int decimals) {
        if (seconds.signum() == 0) {
            return "0 s";
        }
        String[] units = {"s", "ms", "\u00b5s", "ns"};
        int step = 0;
        while (step < units.length - 1 && seconds.compareTo(BigDecimal.ONE) < 0) {
            seconds = seconds.movePointRight(3);
            step++;
        }
        return rounded(seconds, decimals) + " " + units[step];
    }

    private static String flops(BigDecimal flops, int decimals) {
        int step = 0;
        while (step < PREFIXES.length() && flops.compareTo(BigDecimal.valueOf(1000)) >= 0) {
            flops = flops.movePointLeft(3);
            step++;
        }
        return rounded(flops, decimals) + " " + (step == 0 ? "" : PREFIXES.charAt(step - 1)) + "FLOP";
    }

    private static String rounded(BigDecimal number, int decimals) {
        return plain(decimals < number.scale() ? number.setScale(decimals, RoundingMode.HALF_UP) : number);
    }

    private static String grouped(BigDecimal number, int decimals) {
        return CountText.of(new BigDecimal(rounded(number, decimals)));
    }

    static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
