package dev.neurontest.metric;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.apiguardian.api.API;

/**
 * A fraction of one. The tools call it {@code percent}.
 *
 * @param value 0.42 for 42 %; it may exceed 1, as throttling limits do
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Fraction(double value) implements Comparable<Fraction> {

    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    /**
     * Creates a fraction.
     *
     * @param value 0.42 for 42 %
     * @throws IllegalArgumentException when the value is negative, infinite or NaN
     */
    public Fraction {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("a fraction must be 0 or a finite positive number: " + value);
        }
    }

    /**
     * Creates a fraction from a percentage.
     *
     * @param percent 42 for 42 %
     * @return the fraction
     * @throws IllegalArgumentException when the percentage is negative, infinite or NaN
     */
    public static Fraction ofPercent(double percent) {
        return new Fraction(
                Double.isFinite(percent)
                        ? BigDecimal.valueOf(percent).movePointLeft(2).doubleValue()
                        : percent);
    }

    /**
     * Parses a percentage.
     *
     * @param text a text such as {@code 42 %} or {@code 0.5%}; the percent sign is required
     * @return the fraction
     * @throws IllegalArgumentException when the text has another form; the message contains the expected form
     */
    public static Fraction parse(String text) {
        return new Fraction(Quantity.parse(text, Unit.FRACTION).value());
    }

    static BigDecimal exactPercent(double value) {
        return BigDecimal.valueOf(value).movePointRight(2);
    }

    @Override
    public int compareTo(Fraction other) {
        return Double.compare(value, other.value);
    }

    /**
     * Returns the percentage in readable form.
     *
     * @return a text such as {@code 42.3 %}, with one decimal; a value below 1 % has three significant digits
     */
    @Override
    public String toString() {
        BigDecimal percent = exactPercent(value);
        BigDecimal rounded = percent.compareTo(BigDecimal.ONE) < 0
                ? percent.round(THREE_DIGITS)
                : percent.setScale(1, RoundingMode.HALF_UP);
        return Quantity.plain(rounded) + " %";
    }
}
