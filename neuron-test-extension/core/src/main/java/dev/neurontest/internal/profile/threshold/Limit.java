package dev.neurontest.internal.profile.threshold;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.math.BigDecimal;
import java.math.MathContext;
import org.apiguardian.api.API;

/**
 * One end of a threshold.
 *
 * @param upper whether values above it break it, and not those below
 * @param value which keeps it itself
 */
@API(status = API.Status.INTERNAL)
public record Limit(boolean upper, Quantity value) {

    /** From so many times the limit on, a factor is easier to read than percents. */
    private static final double MANY_TIMES = 9;

    boolean isKeptBy(double measured) {
        return upper ? measured <= value.value() : measured >= value.value();
    }

    /** Positive beyond the limit; relative to it where that can be, so that two limits can be compared. */
    double excess(double measured) {
        double beyond = upper ? measured - value.value() : value.value() - measured;
        return value.value() == 0 ? beyond : beyond / value.value();
    }

    /** How far a value is from the limit, such as {@code 3.5 % left}, {@code 2 points short} or {@code 462 times the limit}; of nothing
     * there is no share. */
    public String margin(double measured) {
        if (measured == value.value()) {
            return value.value() == 0 ? "" : "just kept";
        }
        String word = isKeptBy(measured) ? "left" : upper ? "over" : "short";
        BigDecimal limit = BigDecimal.valueOf(value.value());
        BigDecimal distance = BigDecimal.valueOf(measured).subtract(limit).abs();
        if (value.unit() == Unit.FRACTION) {
            String points = new Fraction(distance.doubleValue()).toString().replace(" %", "");
            return points + (points.equals("1") ? " point " : " points ") + word;
        }
        if (limit.signum() == 0) {
            return word;
        }
        double share = distance.divide(limit, MathContext.DECIMAL64).doubleValue();
        return share >= MANY_TIMES
                ? new Quantity(Math.round(share + 1), Unit.COUNT) + " times the limit"
                : new Fraction(share) + " " + word;
    }

    /** A value so that it does not look like the limit that it is not. */
    String text(double measured) {
        Quantity quantity = new Quantity(measured, value.unit());
        return measured != value.value() && quantity.toString().equals(value.exactly())
                ? quantity.exactly()
                : quantity.toString();
    }

    @Override
    public String toString() {
        return (upper ? "at most " : "at least ") + value.exactly();
    }
}
