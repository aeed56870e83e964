package dev.neurontest.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final double PERCENT = 100;
    private static final String EXACT = "exact";
    private static final Pattern ULPS = Pattern.compile("(\\d{1,18})\\s*ulps?", Pattern.CASE_INSENSITIVE);
    private static final Pattern DISTANCE = Pattern.compile("((?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)\\s*(%?)");

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
     * Parses a tolerance: an absolute distance, a percentage of the expected value, both as a sum, a number of values of the data type, or a
     * sum or that number.
     *
     * @param text such as {@code exact}, {@code 1e-3}, {@code 1 %}, {@code 1e-3 + 1 %}, {@code 2 ULP} or {@code 1e-3 or 2 ULP}
     * @return a tolerance
     * @throws IllegalArgumentException when the text has another form
     */
    public static Tolerance parse(String text) {
        Tolerance parsed = exact();
        if (text.strip().equals(EXACT)) {
            return parsed;
        }
        String[] alternatives = text.strip().split("\\s+or\\s+", -1);
        Matcher ulps = ULPS.matcher(alternatives[alternatives.length - 1]);
        boolean hasUlps = ulps.matches();
        if (alternatives.length > (hasUlps ? 2 : 1)) {
            throw unknown(text);
        }
        if (!hasUlps || alternatives.length == 2) {
            parsed = distances(text, alternatives[0]);
        }
        return hasUlps ? parsed.orUlps(Long.parseLong(ulps.group(1))) : parsed;
    }

    private static Tolerance distances(String text, String sum) {
        double absolute = -1;
        double relative = -1;
        for (String term : sum.split("(?<![eE])\\+", -1)) {
            Matcher distance = DISTANCE.matcher(term.strip());
            boolean isPercentage = distance.matches() && !distance.group(2).isEmpty();
            if (!distance.matches() || (isPercentage ? relative : absolute) >= 0) {
                throw unknown(text);
            }
            double value = Double.parseDouble(distance.group(1));
            if (Double.isInfinite(value)) {
                throw unknown(text);
            }
            absolute = isPercentage ? absolute : value;
            relative = isPercentage ? value / PERCENT : relative;
        }
        return new Tolerance(Math.max(0, absolute), Math.max(0, relative), NO_ULPS, false);
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException(
                "\"%s\" is not a tolerance: use a form such as exact, 1e-3, 1 %%, 1e-3 + 1 %%, 2 ULP or 1e-3 or 2 ULP"
                        .formatted(text));
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
     * Adds the limits of another tolerance, such as the rounding of printed values.
     *
     * @param rounding its absolute and relative limits are added
     * @return a new tolerance
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Tolerance plus(Tolerance rounding) {
        return new Tolerance(absolute + rounding.absolute, relative + rounding.relative, ulps, nanEqualsNan);
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
