package dev.neurontest.tensor;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The part of a tensor that a program wrote when it abbreviated it, as NumPy does with more than 1,000 values: {@code ...} replaces the
 * indices between the first and the last ones of a dimension.
 *
 * @param written number of written indices of each dimension
 * @param gaps number of written indices before the omitted ones, for each dimension; -1 where none are omitted
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Abbreviation(List<Long> written, List<Long> gaps) {

    /** The length of a dimension with omitted indices, if the program did not write it. */
    public static final long UNKNOWN = -1;

    /** The gap of a dimension without omitted indices. */
    private static final long NO_GAP = -1;

    /**
     * Creates an abbreviation with its own copies of the lists.
     *
     * @param written number of written indices of each dimension
     * @param gaps number of written indices before the omitted ones
     * @throws IllegalArgumentException when the lists differ in length
     */
    public Abbreviation {
        written = List.copyOf(written);
        gaps = List.copyOf(gaps);
        if (written.size() != gaps.size()) {
            throw new IllegalArgumentException("%s lengths, but %s gaps".formatted(written.size(), gaps.size()));
        }
    }

    /**
     * Returns the shape of the whole tensor as far as the written part tells it.
     *
     * @return {@link #UNKNOWN} for each dimension with omitted indices
     */
    public List<Long> knownShape() {
        List<Long> shape = new ArrayList<>();
        for (int dimension = 0; dimension < written.size(); dimension++) {
            shape.add(hasGap(dimension) ? UNKNOWN : written.get(dimension));
        }
        return List.copyOf(shape);
    }

    /**
     * Returns whether indices of a dimension are omitted.
     *
     * @param dimension from 0
     * @return true if they are
     */
    public boolean hasGap(int dimension) {
        return gaps.get(dimension) != NO_GAP;
    }

    /**
     * Returns the index in the whole tensor. It is counted from the end, as in Python, if the length is not known.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public long index(int dimension, long place, long length) {
        if (!hasGap(dimension) || place < gaps.get(dimension)) {
            return place;
        }
        return place - written.get(dimension) + (length == UNKNOWN ? 0 : length);
    }
}
