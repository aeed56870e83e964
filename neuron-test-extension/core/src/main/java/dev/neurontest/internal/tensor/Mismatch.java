package dev.neurontest.internal.tensor;

import java.util.List;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * A value that is not what it should be.
 *
 * @param flat its row-major index
 * @param index its indices
 * @param expected what it should be, as NumPy writes it
 * @param actual what it is
 * @param difference between them, never negative; NaN when one of them is NaN
 * @param ulps how many values of the dtype apart; empty where that has no meaning
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Mismatch(
        long flat, List<Long> index, String expected, String actual, double difference, OptionalLong ulps) {

    /**
     * Keeps its own copy of the index.
     *
     * @param flat its row-major index
     * @param index its indices
     * @param expected what it should be
     * @param actual what it is
     * @param difference between them
     * @param ulps how many values of the dtype apart
     */
    public Mismatch {
        index = List.copyOf(index);
    }

    /** What is not a number is as far away as can be. */
    double distance() {
        return Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference;
    }
}
