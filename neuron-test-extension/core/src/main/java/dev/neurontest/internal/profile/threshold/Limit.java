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
 * @param upper true for an upper limit, false for a lower limit
 * @param value the limit; a measured value equal to it is within the limit
 */
@API(status = API.Status.INTERNAL)
public record Limit(boolean upper, Quantity value) {

    /** Multiple of the limit from which a factor is easier to read than percents. */
    private static final double MANY_TIMES = 9;

    boolean isKeptBy(double measured) {
        return upper ? measured <= value.value() : measured >= value.value();
    }

    /**
     * Returns the distance from the limit, positive beyond it. It is relative to the limit, except for a limit of zero, to make limits
     * comparable.
     */
    double excess(double measured) {
        double distance = upper ? measured - value.value() : value.value() - measured;
        return value.value() == 0 ? distance : distance / value.value();
    }

    /**
     * Returns the distance of a value from the limit, such as {@code 3.5 % left}, {@code 2 points short} or {@code 462 times the limit}. A
     * limit of zero has no share.
     */
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

    /** Returns a value as text, in more digits where the rounded text would equal a limit that the value does not equal. */
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
