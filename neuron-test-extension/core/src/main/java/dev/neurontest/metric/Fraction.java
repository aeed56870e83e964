package dev.neurontest.metric;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.apiguardian.api.API;

/**
 * A part of one. What the tools call {@code percent} is this.
 *
 * @param value 0.42 for 42 %; it may be over one, as the limits of throttling are
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Fraction(double value) implements Comparable<Fraction> {

    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    /**
     * Checks the value.
     *
     * @param value 0.42 for 42 %
     * @throws IllegalArgumentException when it is negative, infinite or no number
     */
    public Fraction {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("a part of one is 0 or a finite number above it: " + value);
        }
    }

    /**
     * A part given in percent.
     *
     * @param percent 42 for 42 %
     * @return the part
     * @throws IllegalArgumentException when it is negative, infinite or no number
     */
    public static Fraction ofPercent(double percent) {
        return new Fraction(
                Double.isFinite(percent)
                        ? BigDecimal.valueOf(percent).movePointLeft(2).doubleValue()
                        : percent);
    }

    /**
     * Reads a part.
     *
     * @param text such as {@code 42 %} or {@code 0.5%}; never without the sign
     * @return the part
     * @throws IllegalArgumentException when it is anything else; the message says how to write it
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
     * The part for people.
     *
     * @return such as {@code 42.3 %}: one decimal, more when it would be lost
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
