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
    private final @Nullable ComparedPlaces places;
    private final TensorView is;
    private final TensorView should;
    private final boolean manyDigits;
    private final List<Mismatch> first = new ArrayList<>();
    private @Nullable Mismatch worst;
    private long mismatches;

    private TensorComparison(TensorView actual, TensorView expected, Tolerance tolerance) {
        this.actual = actual;
        this.expected = expected;
        this.tolerance = tolerance;
        this.is = actual.written();
        this.should = expected.written();
        this.trouble = trouble();
        this.places = trouble.isEmpty() && (actual.isAbbreviated() || expected.isAbbreviated())
                ? ComparedPlaces.of(actual, expected)
                : null;
        this.manyDigits = isWhole(is) && isWhole(should) && (isLong(is) || isLong(should));
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
        if (!is.isDecodable()) {
            return "the actual tensor cannot be decoded: " + is.trouble();
        }
        if (!should.isDecodable()) {
            return "the expected tensor cannot be decoded: " + should.trouble();
        }
        return ComparedPlaces.haveSameShape(actual, expected)
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
        for (long i = 0; isComparable() && i < compared(); i++) {
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

    /** Returns the number of compared values: of those that both tensors have. 0 if the tensors cannot be compared. */
    public long compared() {
        return !isComparable()
                ? 0
                : places == null ? actual.size() : places.actual().size();
    }

    /** Returns whether values were left out because one of the tensors is abbreviated. */
    public boolean isPartial() {
        return places != null;
    }

    private long inActual(long flat) {
        return places == null ? flat : places.actual().get((int) flat);
    }

    private long inExpected(long flat) {
        return places == null ? flat : places.expected().get((int) flat);
    }

    private boolean isTooFar(long flat) {
        double number = is.number(inActual(flat));
        double wanted = should.number(inExpected(flat));
        return !(number == wanted && (!manyDigits || hasSameDigits(flat)) || isNear(flat, number, wanted));
    }

    private double difference(long flat) {
        return difference(flat, is.number(inActual(flat)), should.number(inExpected(flat)));
    }

    private Mismatch mismatch(long flat) {
        return new Mismatch(
                flat,
                (actual.isAbbreviated() ? should : is)
                        .index(actual.isAbbreviated() ? inExpected(flat) : inActual(flat)),
                should.text(inExpected(flat)),
                is.text(inActual(flat)),
                difference(flat),
                ulps(flat, should.number(inExpected(flat))));
    }

    /** Compares the codes, which is faster than comparing the exact integers. */
    private boolean hasSameDigits(long flat) {
        return is.dtype().equals(should.dtype()) && is.code(inActual(flat)) == should.code(inExpected(flat));
    }

    private static double distance(double difference) {
        return Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference;
    }

    private boolean isNear(long flat, double number, double wanted) {
        if (Double.isNaN(number) || Double.isNaN(wanted)) {
            return tolerance.nanEqualsNan() && Double.isNaN(number) && Double.isNaN(wanted);
        }
        if (Double.isInfinite(number) || Double.isInfinite(wanted)) {
            return number == wanted;
        }
        return tolerance.allows(difference(flat, number, wanted), wanted)
                || tolerance.ulps() >= 0 && tolerance.allowsUlps(ulps(flat, wanted));
    }

    /** Returns the absolute difference. It is computed exactly for 64-bit integers, which may have more digits than a double. */
    private double difference(long flat, double number, double wanted) {
        if (!manyDigits) {
            return Math.abs(number - wanted);
        }
        BigInteger difference = is.integer(inActual(flat)).subtract(should.integer(inExpected(flat)));
        return difference.abs().doubleValue();
    }

    private OptionalLong ulps(long flat, double wanted) {
        return is.dtype()
                .map(dtype -> dtype.ulps(is.code(inActual(flat)), wanted))
                .orElseGet(OptionalLong::empty);
    }

    /**
     * Returns whether all values are within the tolerance.
     *
     * @return false also when the tensors cannot be compared, and when only a part of their values is known
     */
    public boolean matches() {
        return isComparable() && !isPartial() && mismatches == 0;
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
     * @throws IllegalStateException when the tensors cannot be compared, or only in part
     */
    public HeatMap differences(int cells) {
        if (!isComparable() || isPartial()) {
            throw new IllegalStateException(isPartial() ? "only a part of the values is known" : trouble);
        }
        return HeatMap.of(actual.shape(), cells, flat -> {
            double number = actual.number(flat);
            double wanted = expected.number(flat);
            boolean bothNaN = Double.isNaN(number) && Double.isNaN(wanted);
            return number == wanted || bothNaN && tolerance.nanEqualsNan() ? 0 : difference(flat, number, wanted);
        });
    }
}
