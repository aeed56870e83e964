package dev.neurontest.assertj;

import dev.neurontest.internal.assertj.ObservedTensor;
import dev.neurontest.internal.tensor.Mismatch;
import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.internal.tensor.TensorComparisonText;
import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;

/**
 * Assertions on the values of a tensor. Expected values are a Java array in row-major order, another tensor of any dtype and the same
 * shape, or a {@code .npy} file. The file is read in the dtype of the tensor if NumPy has no name for that dtype.
 *
 * <p>A failure shows how many values differ. For the first ones it shows index, expected and actual value, difference, and distance in
 * units in the last place (ULP). It also names prints of the same test that contain NaN or infinities. For distances in ULP, the expected
 * value is first rounded to the dtype of the tensor.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class TensorAssert extends AbstractNeuronAssert<TensorAssert, ObservedTensor> {

    private static final double PERCENT = 100;

    /**
     * Creates the assertions; usually called by {@link NeuronAssertions#assertThat(TensorView)}.
     *
     * @param actual the tensor
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public TensorAssert(ObservedTensor actual) {
        super(actual, TensorAssert.class);
    }

    /**
     * Verifies the shape; a scalar has no dimensions.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("acc").tensor(0).hasShape(128, 512);     // succeeds for a tile of SBUF
     * assertThat(prints).withPrefix("acc").tensor(0).hasShape(512, 128);     // fails
     * }</pre>
     *
     * @param shape one size for each dimension
     * @return this
     */
    public TensorAssert hasShape(long... shape) {
        List<Long> expected = Arrays.stream(shape).boxed().toList();
        if (!tensor().shape().equals(expected)) {
            throw failureWithActualExpected(
                    tensor().shape(),
                    expected,
                    "%s: expected shape %s, was %s",
                    actual.name(),
                    TensorView.shapeText(expected),
                    tensor().shapeText());
        }
        return this;
    }

    /**
     * Verifies the dtype.
     *
     * <pre>{@code
     * assertThat(print.tensor()).hasDType("bf16");                           // succeeds for bfloat16
     * assertThat(print.tensor()).hasDType("float32");                        // fails
     * }</pre>
     *
     * @param dtype any name of the dtype
     * @return this
     */
    public TensorAssert hasDType(String dtype) {
        String expected = DType.of(dtype).map(DType::toString).orElse(dtype);
        String is = DType.of(tensor().dtypeName()).map(DType::toString).orElse(tensor().dtypeName());
        if (!is.equals(expected)) {
            throw failureWithActualExpected(is, expected, "%s: expected dtype %s, was %s", actual.name(), expected, is);
        }
        return this;
    }

    /**
     * Verifies that the values are exactly equal; both zeros are equal.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isEqualTo(new double[] {1, 2, 3, 4});       // succeeds
     * assertThat(print.tensor()).isEqualTo(new double[] {1, 2, 3, 5});       // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @return this
     */
    public TensorAssert isEqualTo(double[] expected) {
        return isCloseTo(expected, Tolerance.exact());
    }

    /**
     * Verifies that the values are exactly equal; both zeros are equal.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isEqualTo(new float[] {1, 2, 3, 4});        // succeeds
     * assertThat(print.tensor()).isEqualTo(new float[] {1, 2, 3, 5});        // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @return this
     */
    public TensorAssert isEqualTo(float[] expected) {
        return isCloseTo(expected, Tolerance.exact());
    }

    /**
     * Verifies that the values are exactly equal.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isEqualTo(new int[] {1, 2, 3, 4});          // succeeds
     * assertThat(print.tensor()).isEqualTo(new int[] {1, 2, 3, 5});          // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @return this
     */
    public TensorAssert isEqualTo(int[] expected) {
        return compare(likeActual(expected.length, shape -> TensorView.of(expected, shape)), Tolerance.exact());
    }

    /**
     * Verifies that the values are exactly equal, including all digits.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isEqualTo(new long[] {1, 2, 3, 4});         // succeeds
     * assertThat(print.tensor()).isEqualTo(new long[] {1, 2, 3, 5});         // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @return this
     */
    public TensorAssert isEqualTo(long[] expected) {
        return compare(likeActual(expected.length, shape -> TensorView.of(expected, shape)), Tolerance.exact());
    }

    /**
     * Verifies that the values are exactly equal to those of another tensor; the dtypes can differ.
     *
     * <pre>{@code
     * assertThat(outputs.tensor("c")).isEqualTo(print.tensor());             // succeeds
     * assertThat(outputs.tensor("c")).isEqualTo(beforeTheFix.tensor());      // fails
     * }</pre>
     *
     * @param expected a tensor of the same shape
     * @return this
     */
    public TensorAssert isEqualTo(TensorView expected) {
        return isCloseTo(expected, Tolerance.exact());
    }

    /**
     * Verifies that the values are exactly equal to those of a file.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isEqualTo(Path.of("golden/acc.npy"));       // succeeds
     * assertThat(print.tensor()).isEqualTo(Path.of("golden/other.npy"));     // fails
     * }</pre>
     *
     * @param npy a file with a tensor of the same shape
     * @return this
     * @throws dev.neurontest.tensor.NpyException if the file cannot be read
     */
    public TensorAssert isEqualTo(Path npy) {
        return isCloseTo(npy, Tolerance.exact());
    }

    /**
     * Verifies that the values are within a tolerance of the expected values.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(expected, withinUlps(2));         // succeeds
     * assertThat(print.tensor()).isCloseTo(expected, Tolerance.exact());     // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @param tolerance the accepted distance
     * @return this
     */
    public TensorAssert isCloseTo(double[] expected, Tolerance tolerance) {
        return compare(likeActual(expected.length, shape -> TensorView.of(expected, shape)), tolerance);
    }

    /**
     * Verifies that the values are within an offset of the expected values.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(expected, within(1e-3));          // succeeds
     * assertThat(print.tensor()).isCloseTo(expected, within(1e-9));          // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @param offset an offset such as AssertJ's {@code within(1e-3)} or {@code byLessThan(1e-3)}
     * @return this
     */
    public TensorAssert isCloseTo(double[] expected, Offset<Double> offset) {
        return isCloseTo(expected, tolerance(offset));
    }

    /**
     * Verifies that the values are within a percentage of the expected values.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(expected, withinPercentage(1));   // succeeds
     * assertThat(print.tensor()).isCloseTo(expected, withinPercentage(0));   // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @param percentage a percentage of each expected value
     * @return this
     */
    public TensorAssert isCloseTo(double[] expected, Percentage percentage) {
        return isCloseTo(expected, tolerance(percentage));
    }

    /**
     * Verifies that the values are within a tolerance of the expected values.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(expected, withinUlps(2));         // succeeds
     * assertThat(print.tensor()).isCloseTo(expected, Tolerance.exact());     // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @param tolerance the accepted distance
     * @return this
     */
    public TensorAssert isCloseTo(float[] expected, Tolerance tolerance) {
        return compare(likeActual(expected.length, shape -> TensorView.of(expected, shape)), tolerance);
    }

    /**
     * Verifies that the values are within an offset of the expected values.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(expected, within(1e-3));          // succeeds
     * assertThat(print.tensor()).isCloseTo(expected, within(1e-9));          // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @param offset an offset such as AssertJ's {@code within(1e-3)} or {@code byLessThan(1e-3)}
     * @return this
     */
    public TensorAssert isCloseTo(float[] expected, Offset<Double> offset) {
        return isCloseTo(expected, tolerance(offset));
    }

    /**
     * Verifies that the values are within a percentage of the expected values.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(expected, withinPercentage(1));   // succeeds
     * assertThat(print.tensor()).isCloseTo(expected, withinPercentage(0));   // fails
     * }</pre>
     *
     * @param expected the values in row-major order
     * @param percentage a percentage of each expected value
     * @return this
     */
    public TensorAssert isCloseTo(float[] expected, Percentage percentage) {
        return isCloseTo(expected, tolerance(percentage));
    }

    /**
     * Verifies that the values are within a tolerance of those of another tensor; the dtypes can differ.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(reference, Tolerance.absolute(1e-3).plusRelative(1e-2)); // succeeds
     * assertThat(print.tensor()).isCloseTo(reference, Tolerance.exact());    // fails
     * }</pre>
     *
     * @param expected a tensor of the same shape
     * @param tolerance the accepted distance
     * @return this
     */
    public TensorAssert isCloseTo(TensorView expected, Tolerance tolerance) {
        return compare(expected, tolerance);
    }

    /**
     * Verifies that the values are within an offset of those of another tensor; the dtypes can differ.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(reference, within(1e-3));         // succeeds
     * assertThat(print.tensor()).isCloseTo(reference, within(1e-9));         // fails
     * }</pre>
     *
     * @param expected a tensor of the same shape
     * @param offset an offset such as AssertJ's {@code within(1e-3)} or {@code byLessThan(1e-3)}
     * @return this
     */
    public TensorAssert isCloseTo(TensorView expected, Offset<Double> offset) {
        return isCloseTo(expected, tolerance(offset));
    }

    /**
     * Verifies that the values are within a percentage of those of another tensor; the dtypes can differ.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(reference, withinPercentage(1));  // succeeds
     * assertThat(print.tensor()).isCloseTo(reference, withinPercentage(0));  // fails
     * }</pre>
     *
     * @param expected a tensor of the same shape
     * @param percentage a percentage of each expected value
     * @return this
     */
    public TensorAssert isCloseTo(TensorView expected, Percentage percentage) {
        return isCloseTo(expected, tolerance(percentage));
    }

    /**
     * Verifies that the values are within a tolerance of those of a file.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("acc").tensor(17).isCloseTo(Path.of("golden/acc.npy"), withinUlps(1)); // succeeds
     * assertThat(prints).withPrefix("acc").tensor(40).isCloseTo(Path.of("golden/acc.npy"), withinUlps(1)); // fails
     * }</pre>
     *
     * @param npy a file with a tensor of the same shape
     * @param tolerance the accepted distance
     * @return this
     * @throws dev.neurontest.tensor.NpyException if the file cannot be read
     */
    public TensorAssert isCloseTo(Path npy, Tolerance tolerance) {
        return compare(
                Npy.read(npy, tensor().dtypeName()),
                tolerance,
                "The expected values are those of %s.\n".formatted(npy));
    }

    /**
     * Verifies that the values are within an offset of those of a file.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(Path.of("acc.npy"), within(1e-3)); // succeeds
     * assertThat(print.tensor()).isCloseTo(Path.of("acc.npy"), within(1e-9)); // fails
     * }</pre>
     *
     * @param npy a file with a tensor of the same shape
     * @param offset an offset such as AssertJ's {@code within(1e-3)} or {@code byLessThan(1e-3)}
     * @return this
     * @throws dev.neurontest.tensor.NpyException if the file cannot be read
     */
    public TensorAssert isCloseTo(Path npy, Offset<Double> offset) {
        return isCloseTo(npy, tolerance(offset));
    }

    /**
     * Verifies that the values are within a percentage of those of a file.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(Path.of("acc.npy"), withinPercentage(1)); // succeeds
     * assertThat(print.tensor()).isCloseTo(Path.of("acc.npy"), withinPercentage(0)); // fails
     * }</pre>
     *
     * @param npy a file with a tensor of the same shape
     * @param percentage a percentage of each expected value
     * @return this
     * @throws dev.neurontest.tensor.NpyException if the file cannot be read
     */
    public TensorAssert isCloseTo(Path npy, Percentage percentage) {
        return isCloseTo(npy, tolerance(percentage));
    }

    /**
     * Verifies that no value is NaN.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("acc").tensor(17).hasNoNaN();            // succeeds
     * assertThat(prints).withPrefix("acc").tensor(40).hasNoNaN();            // fails, where the loop divided by zero
     * }</pre>
     *
     * @return this
     */
    public TensorAssert hasNoNaN() {
        return hasNo(Double::isNaN, "NaN");
    }

    /**
     * Verifies that no value is infinite.
     *
     * <pre>{@code
     * assertThat(print.tensor()).hasNoInfinity();                            // succeeds
     * assertThat(maskedScores.tensor()).hasNoInfinity();                     // fails
     * }</pre>
     *
     * @return this
     */
    public TensorAssert hasNoInfinity() {
        return hasNo(Double::isInfinite, "infinite");
    }

    /**
     * Verifies that all values are in a range; NaN is in no range.
     *
     * <pre>{@code
     * assertThat(softmax.tensor()).hasValuesBetween(0, 1);                   // succeeds
     * assertThat(logits.tensor()).hasValuesBetween(0, 1);                    // fails
     * }</pre>
     *
     * @param least the smallest accepted value
     * @param most the largest accepted value
     * @return this
     */
    public TensorAssert hasValuesBetween(double least, double most) {
        return hasNo(value -> !(value >= least && value <= most), "outside %s to %s".formatted(least, most));
    }

    /**
     * Verifies that all values satisfy a condition.
     *
     * <pre>{@code
     * assertThat(counts.tensor()).hasValuesThat("are even", value -> value % 2 == 0); // succeeds
     * assertThat(odds.tensor()).hasValuesThat("are even", value -> value % 2 == 0);   // fails
     * }</pre>
     *
     * @param description the description of the condition in the failure message
     * @param condition the condition for each value
     * @return this
     */
    public TensorAssert hasValuesThat(String description, DoublePredicate condition) {
        return hasNo(condition.negate(), "not such that they " + description);
    }

    private TensorAssert hasNo(DoublePredicate what, String name) {
        TensorView written = tensor().written();
        OptionalLong first = written.first(what);
        if (first.isPresent()) {
            throw failure(
                    "%s: %s of %s values %s %s, first %s at %s",
                    actual,
                    written.count(what),
                    written.size(),
                    written.count(what) == 1 ? "is" : "are",
                    name,
                    written.text(first.getAsLong()),
                    written.index(first.getAsLong()));
        }
        requireNumbers();
        return this;
    }

    private void requireNumbers() {
        if (!tensor().isDecodable()) {
            throw failure("%s %s", actual.name(), tensor().notDecodable());
        }
    }

    @Override
    protected AssertionError failure(String errorMessage, Object... arguments) {
        return super.failure("%s", errorMessage.formatted(arguments) + actual.besides());
    }

    @Override
    protected AssertionError failureWithActualExpected(
            Object actualValue, Object expectedValue, String errorMessageFormat, Object... arguments) {
        return super.failureWithActualExpected(
                actualValue, expectedValue, "%s", errorMessageFormat.formatted(arguments) + actual.besides());
    }

    private TensorView tensor() {
        isNotNull();
        return actual.tensor();
    }

    private static Tolerance tolerance(Offset<Double> offset) {
        return Tolerance.absolute(offset.strict ? Math.nextDown(offset.value) : offset.value);
    }

    private static Tolerance tolerance(Percentage percentage) {
        return Tolerance.relative(percentage.value / PERCENT);
    }

    /** Applies the shape of the tensor to a flat array if both have the same number of values. */
    private TensorView likeActual(long length, Function<long[], TensorView> expected) {
        boolean same = tensor().size() == length;
        return expected.apply(
                same ? tensor().shape().stream().mapToLong(Long::longValue).toArray() : new long[] {length});
    }

    private TensorAssert compare(TensorView expected, Tolerance tolerance) {
        return compare(expected, tolerance, "");
    }

    private TensorAssert compare(TensorView expected, Tolerance tolerance, String origin) {
        if (expected.bytes() == tensor().bytes()) {
            throw failure(
                    "%s was compared with itself, which proves nothing. Compare it with values from elsewhere.",
                    actual.name());
        }
        TensorComparison comparison = TensorComparison.of(tensor(), expected, tolerance);
        if (!comparison.matches()) {
            actual.memory().accept(comparison);
            throw failureWithActualExpected(
                    lines(comparison, Mismatch::actual),
                    lines(comparison, Mismatch::expected),
                    "%s",
                    TensorComparisonText.of(actual.name(), comparison) + origin);
        }
        return this;
    }

    private static String lines(TensorComparison comparison, Function<Mismatch, String> value) {
        return comparison.first().stream()
                .map(mismatch -> mismatch.index() + ": " + value.apply(mismatch))
                .collect(Collectors.joining("\n"));
    }
}
