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

/** A tensor beside another one that it should be like, value by value. */
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
     * @param actual what is there
     * @param expected what should be there, of any dtype; the shape has to be the same
     * @param tolerance how far they may be apart
     * @return what was found
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

    /** The quick way to be equal. */
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

    /** Whole numbers of 64 bits may have more digits than a double. */
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
     * Whether every value is near enough.
     *
     * @return false when they cannot be compared, too
     */
    public boolean matches() {
        return isComparable() && mismatches == 0;
    }

    /**
     * Whether values could be compared at all.
     *
     * @return false when the shapes differ or one of them cannot be decoded
     */
    public boolean isComparable() {
        return trouble.isEmpty();
    }

    /**
     * Why the values could not be compared.
     *
     * @return empty when they could
     */
    public String whyNot() {
        return trouble;
    }

    /**
     * What is there.
     *
     * @return as it was given
     */
    public TensorView actual() {
        return actual;
    }

    /**
     * What should be there.
     *
     * @return as it was given
     */
    public TensorView expected() {
        return expected;
    }

    /**
     * How far values may be apart.
     *
     * @return as it was given
     */
    public Tolerance tolerance() {
        return tolerance;
    }

    /**
     * How many values are too far.
     *
     * @return 0 when they could not be compared, too
     */
    public long mismatches() {
        return mismatches;
    }

    /**
     * The first values that are too far.
     *
     * @return ten at most
     */
    public List<Mismatch> first() {
        return List.copyOf(first);
    }

    /**
     * More of the first values that are too far, which are looked for again.
     *
     * @param most how many at most
     * @return in their order
     */
    public List<Mismatch> first(int most) {
        List<Mismatch> found = new ArrayList<>();
        for (long i = 0; found.size() < Math.min(most, mismatches); i++) {
            if (isTooFar(i)) {
                found.add(mismatch(i));
            }
        }
        return found;
    }

    /**
     * The first of the values that are farthest away; NaN is farther than anything.
     *
     * @return empty when all are near enough
     */
    public Optional<Mismatch> worst() {
        return Optional.ofNullable(worst);
    }

    /**
     * How far each value is from what it should be.
     *
     * @param cells how many there may be in each direction
     * @return a map of the absolute differences, which are not finite where one of both is not
     * @throws IllegalStateException when they could not be compared
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
