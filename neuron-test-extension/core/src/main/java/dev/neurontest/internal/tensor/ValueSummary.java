package dev.neurontest.internal.tensor;

import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorView;
import java.util.Locale;
import java.util.OptionalDouble;
import org.apiguardian.api.API;

/**
 * A summary of the values of a tensor. An abbreviated tensor is summarized by its written values.
 *
 * @param least smallest finite value; empty without one
 * @param most largest finite value; empty without one
 * @param nan number of NaN values
 * @param infinite number of infinite values
 * @param zeros number of zeros
 * @param firstNaN row-major index; -1 without one
 * @param firstInfinite row-major index; -1 without one
 */
@API(status = API.Status.INTERNAL)
public record ValueSummary(
        OptionalDouble least,
        OptionalDouble most,
        long nan,
        long infinite,
        long zeros,
        long firstNaN,
        long firstInfinite) {

    /** Smallest integer whose neighbor has no exact {@code double}. */
    private static final double INEXACT = 0x1p53;

    private static final ValueSummary NOTHING =
            new ValueSummary(OptionalDouble.empty(), OptionalDouble.empty(), 0, 0, 0, -1, -1);

    /** Creates the summary of the known values of a tensor. */
    public static ValueSummary of(TensorView whole) {
        TensorView tensor = whole.written();
        if (!tensor.isDecodable()) {
            return NOTHING;
        }
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        long nan = 0;
        long infinite = 0;
        long zeros = 0;
        long firstNaN = -1;
        long firstInfinite = -1;
        for (long i = 0; i < tensor.size(); i++) {
            double value = tensor.number(i);
            if (Double.isFinite(value)) {
                least = Math.min(least, value);
                most = Math.max(most, value);
                zeros += value == 0 ? 1 : 0;
            } else if (Double.isNaN(value)) {
                firstNaN = nan++ == 0 ? i : firstNaN;
            } else {
                firstInfinite = infinite++ == 0 ? i : firstInfinite;
            }
        }
        boolean hasFinite = least <= most;
        return new ValueSummary(
                hasFinite ? OptionalDouble.of(least) : OptionalDouble.empty(),
                hasFinite ? OptionalDouble.of(most) : OptionalDouble.empty(),
                nan,
                infinite,
                zeros,
                firstNaN,
                firstInfinite);
    }

    public boolean isFinite() {
        return nan + infinite == 0;
    }

    /** Returns whether all values are equal and finite. */
    public boolean isConstant() {
        return isFinite()
                && least.isPresent()
                && least.getAsDouble() == most.getAsDouble()
                && Math.abs(least.getAsDouble()) < INEXACT;
    }

    /** Formats a value in the style of the data type: integers without a decimal point. */
    public static String shown(TensorView tensor, double value) {
        boolean whole = tensor.dtype().filter(DType::isFloating).isEmpty();
        return whole ? Long.toString((long) value) : String.format(Locale.ROOT, "%.4g", value);
    }
}
