package dev.neurontest.internal.tensor;

import java.util.List;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * A value that differs from the expected value.
 *
 * @param flat its row-major index
 * @param index its indices
 * @param expected expected value in the style of NumPy
 * @param actual actual value in the style of NumPy
 * @param difference absolute difference; NaN when one of them is NaN
 * @param ulps distance in values of the data type; empty where it is undefined
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Mismatch(
        long flat, List<Long> index, String expected, String actual, double difference, OptionalLong ulps) {

    /** Creates a mismatch with its own copy of the index. */
    public Mismatch {
        index = List.copyOf(index);
    }

    /** Returns whether NaN was expected and is the actual value. */
    boolean hasTwoNaN() {
        return expected.equals("nan") && actual.equals("nan");
    }

    /** Returns the difference, or infinity when it is NaN. */
    double distance() {
        return Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference;
    }
}
