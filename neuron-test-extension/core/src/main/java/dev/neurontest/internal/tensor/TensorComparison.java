package dev.neurontest.internal.tensor;

import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A comparison of an actual and an expected tensor, value by value. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TensorComparison {

    private static final int KEPT = 10;

    private final TensorView actual;
    private final TensorView expected;
    private final Tolerance tolerance;
    private final String trouble;
    private final boolean manyDigits;
    private final List<Mismatch> first = new ArrayList<>();
    private @Nullable Mismatch worst;
    private long mismatches;

    private TensorComparison(TensorView actual, TensorView expected, Tolerance tolerance) {
        this.actual = actual;
        this.expected = expected;
        this.tolerance = tolerance;
        this.trouble = trouble();
        this.manyDigits = isWhole(actual) && isWhole(expected) && (isLong(actual) || isLong(expected));
    }

    /**
     * Compares all values.
     *
     * @param actual actual tensor
     * @param expected expected tensor of any data type and of the same shape
     * @param tolerance allowed difference
     */
    public static TensorComparison of(TensorView actual, TensorView expected, Tolerance tolerance) {
        TensorComparison comparison = new TensorComparison(actual, expected, tolerance);
        comparison.compare();
        return comparison;
    }

    private String trouble() {
        if (!actual.isDecodable()) {
            return "the actual tensor cannot be decoded: " + actual.trouble();
        }
        if (!expected.isDecodable()) {
            return "the expected tensor cannot be decoded: " + expected.trouble();
        }
        return actual.shape().equals(expected.shape())
                ? ""
                : "shapes differ: expected %s, was %s".formatted(expected.shapeText(), actual.shapeText());
    }

    private static boolean isWhole(TensorView tensor) {
        Predicate<DType> isWhole = dtype -> !dtype.isFloating();
        return tensor.dtype().filter(isWhole).isPresent();
    }

    private static boolean isLong(TensorView tensor) {
        return tensor.dtype().filter(dtype -> dtype.bits() == Long.SIZE).isPresent();
    }

    private void compare() {
        for (long i = 0; isComparable() && i < actual.size(); i++) {
            if (!isTooFar(i)) {
                continue;
            }
            mismatches++;
            boolean isWorst = worst == null || distance(difference(i)) > worst.distance();
            if (isWorst || first.size() < KEPT) {
                Mismatch mismatch = mismatch(i);
                worst = isWorst ? mismatch : worst;
                if (first.size() < KEPT) {
                    first.add(mismatch);
                }
            }
        }
    }

    private boolean isTooFar(long flat) {
        double is = actual.number(flat);
        double should = expected.number(flat);
        return !(is == should && (!manyDigits || hasSameDigits(flat)) || isNear(flat, is, should));
    }

    private double difference(long flat) {
        return difference(flat, actual.number(flat), expected.number(flat));
    }

    private Mismatch mismatch(long flat) {
        return new Mismatch(
                flat,
                actual.index(flat),
                expected.text(flat),
                actual.text(flat),
                difference(flat),
                ulps(flat, expected.number(flat)));
    }

    /** Compares the codes, which is faster than comparing the exact integers. */
    private boolean hasSameDigits(long flat) {
        return actual.dtype().equals(expected.dtype()) && actual.code(flat) == expected.code(flat);
    }

    private static double distance(double difference) {
        return Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference;
    }

    private boolean isNear(long flat, double is, double should) {
        if (Double.isNaN(is) || Double.isNaN(should)) {
            return tolerance.nanEqualsNan() && Double.isNaN(is) && Double.isNaN(should);
        }
        if (Double.isInfinite(is) || Double.isInfinite(should)) {
            return is == should;
        }
        return tolerance.allows(difference(flat, is, should), should)
                || tolerance.ulps() >= 0 && tolerance.allowsUlps(ulps(flat, should));
    }

    /** Returns the absolute difference. It is computed exactly for 64-bit integers, which may have more digits than a double. */
    private double difference(long flat, double is, double should) {
        if (!manyDigits) {
            return Math.abs(is - should);
        }
        BigInteger difference = actual.integer(flat).subtract(expected.integer(flat));
        return difference.abs().doubleValue();
    }

    private OptionalLong ulps(long flat, double should) {
        return actual.dtype()
                .map(dtype -> dtype.ulps(actual.code(flat), should))
                .orElseGet(OptionalLong::empty);
    }

    /**
     * Returns whether all values are within the tolerance.
     *
     * @return false also when the tensors cannot be compared
     */
    public boolean matches() {
        return isComparable() && mismatches == 0;
    }

    /**
     * Returns whether the tensors can be compared.
     *
     * @return false when the shapes differ or one of them cannot be decoded
     */
    public boolean isComparable() {
        return trouble.isEmpty();
    }

    /**
     * Returns the reason why the tensors cannot be compared.
     *
     * @return empty when they can
     */
    public String whyNot() {
        return trouble;
    }

    public TensorView actual() {
        return actual;
    }

    public TensorView expected() {
        return expected;
    }

    public Tolerance tolerance() {
        return tolerance;
    }

    /**
     * Returns the number of values outside the tolerance.
     *
     * @return 0 also when the tensors cannot be compared
     */
    public long mismatches() {
        return mismatches;
    }

    /**
     * Returns the first values outside the tolerance.
     *
     * @return ten at most
     */
    public List<Mismatch> first() {
        return List.copyOf(first);
    }

    /**
     * Searches again for the first values outside the tolerance, to return more of them.
     *
     * @param most maximum number of values
     * @return the values in order
     */
    public List<Mismatch> first(int most) {
        List<Mismatch> firstMismatches = new ArrayList<>();
        for (long i = 0; firstMismatches.size() < Math.min(most, mismatches); i++) {
            if (isTooFar(i)) {
                firstMismatches.add(mismatch(i));
            }
        }
        return firstMismatches;
    }

    /**
     * Returns the first of the values with the largest difference. NaN has the largest difference of all.
     *
     * @return empty when all values are within the tolerance
     */
    public Optional<Mismatch> worst() {
        return Optional.ofNullable(worst);
    }

    /**
     * Returns a map of the absolute differences.
     *
     * @param cells maximum number of cells in each direction
     * @return a map; a difference is not finite if one of the values is not finite
     * @throws IllegalStateException when the tensors cannot be compared
     */
    public HeatMap differences(int cells) {
        if (!isComparable()) {
            throw new IllegalStateException(trouble);
        }
        return HeatMap.of(actual.shape(), cells, flat -> {
            double is = actual.number(flat);
            double should = expected.number(flat);
            boolean bothNaN = Double.isNaN(is) && Double.isNaN(should);
            return is == should || bothNaN && tolerance.nanEqualsNan() ? 0 : difference(flat, is, should);
        });
    }
}
