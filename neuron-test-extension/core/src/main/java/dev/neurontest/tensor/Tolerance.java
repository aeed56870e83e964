package dev.neurontest.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * How far a value may be from the expected one: {@code |actual - expected| <= absolute + relative * |expected|}, as NumPy's
 * {@code allclose} has it, or so many values of the dtype apart. An infinity is near only to itself.
 *
 * @param absolute distance, in the unit of the values
 * @param relative part of the expected value
 * @param ulps how many values of the dtype apart, by {@link DType#ulps}; -1 when that is not looked at
 * @param nanEqualsNan whether a NaN that was expected will do
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Tolerance(double absolute, double relative, long ulps, boolean nanEqualsNan) {

    private static final long NO_ULPS = -1;

    /**
     * Checks the limits.
     *
     * @param absolute distance, in the unit of the values
     * @param relative part of the expected value
     * @param ulps how many values of the dtype apart; -1 when that is not looked at
     * @param nanEqualsNan whether a NaN that was expected will do
     * @throws IllegalArgumentException when one of them is negative or NaN
     */
    public Tolerance {
        if (!(absolute >= 0) || !(relative >= 0) || ulps < NO_ULPS) {
            throw new IllegalArgumentException("a tolerance is not negative: absolute %s, relative %s, ULP %s"
                    .formatted(absolute, relative, ulps));
        }
    }

    /**
     * The same value; both zeros are the same.
     *
     * @return no distance at all
     */
    public static Tolerance exact() {
        return new Tolerance(0, 0, NO_ULPS, false);
    }

    /**
     * A distance.
     *
     * @param distance in the unit of the values
     * @return a tolerance
     * @throws IllegalArgumentException when it is negative or NaN
     */
    public static Tolerance absolute(double distance) {
        return new Tolerance(distance, 0, NO_ULPS, false);
    }

    /**
     * A part of the expected value.
     *
     * @param part such as 0.01 for one percent
     * @return a tolerance
     * @throws IllegalArgumentException when it is negative or NaN
     */
    public static Tolerance relative(double part) {
        return new Tolerance(0, part, NO_ULPS, false);
    }

    /**
     * A number of values of the dtype, after the expected value was rounded to it. Meant for fractions; whole numbers have to be equal.
     *
     * @param ulps 0 for the nearest value
     * @return a tolerance
     * @throws IllegalArgumentException when it is negative
     */
    public static Tolerance ulps(long ulps) {
        return exact().orUlps(ulps);
    }

    /**
     * Adds a part of the expected value to the distance.
     *
     * @param part such as 0.01 for one percent
     * @return another tolerance
     * @throws IllegalArgumentException when it is negative or NaN
     */
    public Tolerance plusRelative(double part) {
        return new Tolerance(absolute, part, ulps, nanEqualsNan);
    }

    /**
     * Lets values pass that are so near on the line of their dtype, however far they are otherwise.
     *
     * @param limit how many values apart
     * @return another tolerance
     * @throws IllegalArgumentException when it is negative
     */
    public Tolerance orUlps(long limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("a tolerance is not negative: ULP " + limit);
        }
        return new Tolerance(absolute, relative, limit, nanEqualsNan);
    }

    /**
     * Lets a NaN pass where a NaN was expected.
     *
     * @return another tolerance
     */
    public Tolerance withNanEqualToNan() {
        return new Tolerance(absolute, relative, ulps, true);
    }

    @API(status = API.Status.INTERNAL)
    public boolean allows(double difference, double expected) {
        return difference <= absolute + relative * Math.abs(expected);
    }

    @API(status = API.Status.INTERNAL)
    public boolean allowsUlps(OptionalLong distance) {
        return ulps >= 0 && distance.isPresent() && distance.getAsLong() <= ulps;
    }

    /**
     * The tolerance in words.
     *
     * @return such as {@code within 0.001 + 0.01 of the expected value or 2 ULP}
     */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (absolute > 0 && relative > 0) {
            parts.add("%s + %s of the expected value".formatted(absolute, relative));
        } else if (relative > 0) {
            parts.add("%s of the expected value".formatted(relative));
        } else if (absolute > 0) {
            parts.add(Double.toString(absolute));
        }
        if (ulps >= 0) {
            parts.add(ulps + " ULP");
        }
        return (parts.isEmpty() ? "exactly" : "within " + String.join(" or ", parts))
                + (nanEqualsNan ? ", NaN equal to NaN" : "");
    }
}
