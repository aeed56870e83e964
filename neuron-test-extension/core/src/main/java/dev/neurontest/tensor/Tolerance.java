package dev.neurontest.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * The allowed difference between a value and the expected value: {@code |actual - expected| <= absolute + relative * |expected|}, as in
 * NumPy's {@code allclose}, or a number of values of the data type between them. An infinity matches only itself.
 *
 * @param absolute distance, in the unit of the values
 * @param relative fraction of the expected value
 * @param ulps distance in values of the data type, by {@link DType#ulps}; -1 to disable this check
 * @param nanEqualsNan true if NaN matches an expected NaN
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Tolerance(double absolute, double relative, long ulps, boolean nanEqualsNan) {

    private static final long NO_ULPS = -1;

    /**
     * Creates a tolerance after checking the limits.
     *
     * @param absolute distance, in the unit of the values
     * @param relative fraction of the expected value
     * @param ulps distance in values of the data type; -1 to disable this check
     * @param nanEqualsNan true if NaN matches an expected NaN
     * @throws IllegalArgumentException when one of them is negative or NaN
     */
    public Tolerance {
        if (!(absolute >= 0) || !(relative >= 0) || ulps < NO_ULPS) {
            throw new IllegalArgumentException("a tolerance must not be negative: absolute %s, relative %s, ULP %s"
                    .formatted(absolute, relative, ulps));
        }
    }

    /**
     * Creates a tolerance that accepts only equal values. Both zeros are equal.
     *
     * @return a tolerance without any distance
     */
    public static Tolerance exact() {
        return new Tolerance(0, 0, NO_ULPS, false);
    }

    /**
     * Creates a tolerance with an absolute distance.
     *
     * @param distance in the unit of the values
     * @return a tolerance
     * @throws IllegalArgumentException when it is negative or NaN
     */
    public static Tolerance absolute(double distance) {
        return new Tolerance(distance, 0, NO_ULPS, false);
    }

    /**
     * Creates a tolerance relative to the expected value.
     *
     * @param part fraction of the expected value, such as 0.01 for one percent
     * @return a tolerance
     * @throws IllegalArgumentException when it is negative or NaN
     */
    public static Tolerance relative(double part) {
        return new Tolerance(0, part, NO_ULPS, false);
    }

    /**
     * Creates a tolerance counted in values of the data type, after the expected value was rounded to this data type. It is intended for
     * data types with fractions; integers have to be equal.
     *
     * @param ulps 0 for the nearest value
     * @return a tolerance
     * @throws IllegalArgumentException when it is negative
     */
    public static Tolerance ulps(long ulps) {
        return exact().orUlps(ulps);
    }

    /**
     * Adds a distance relative to the expected value.
     *
     * @param part fraction of the expected value, such as 0.01 for one percent
     * @return a new tolerance
     * @throws IllegalArgumentException when it is negative or NaN
     */
    public Tolerance plusRelative(double part) {
        return new Tolerance(absolute, part, ulps, nanEqualsNan);
    }

    /**
     * Accepts also values within a number of values of the data type, independent of the other limits.
     *
     * @param limit distance in values of the data type
     * @return a new tolerance
     * @throws IllegalArgumentException when it is negative
     */
    public Tolerance orUlps(long limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("a tolerance must not be negative: ULP " + limit);
        }
        return new Tolerance(absolute, relative, limit, nanEqualsNan);
    }

    /**
     * Accepts NaN if NaN is expected.
     *
     * @return a new tolerance
     */
    public Tolerance withNanEqualToNan() {
        return new Tolerance(absolute, relative, ulps, true);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public boolean allows(double difference, double expected) {
        return difference <= absolute + relative * Math.abs(expected);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public boolean allowsUlps(OptionalLong distance) {
        return ulps >= 0 && distance.isPresent() && distance.getAsLong() <= ulps;
    }

    /**
     * Returns the tolerance in words.
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
