package dev.neurontest.internal.tensor;

import dev.neurontest.tensor.TensorView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The places of the values that both of two tensors have. These are all of them, unless one of the tensors is abbreviated.
 *
 * @param actual flat index in the written values of the actual tensor, by number of the compared value
 * @param expected flat index in the written values of the expected tensor, by number of the compared value
 */
record ComparedPlaces(List<Long> actual, List<Long> expected) {

    /** The shape that two tensors have in common; -1 for a length that neither of them has. */
    static boolean haveSameShape(TensorView actual, TensorView expected) {
        List<Long> some = actual.shape();
        List<Long> other = expected.shape();
        boolean same = some.size() == other.size();
        for (int dimension = 0; same && dimension < some.size(); dimension++) {
            same = fits(some.get(dimension), other, expected, dimension)
                    && fits(other.get(dimension), some, actual, dimension)
                    && (some.get(dimension) < 0
                            || other.get(dimension) < 0
                            || some.get(dimension).equals(other.get(dimension)));
        }
        return same;
    }

    /** Checks a length against one that may be unknown. It then exceeds the number of the written indices. */
    private static boolean fits(long length, List<Long> shape, TensorView tensor, int dimension) {
        return length < 0
                || shape.get(dimension) >= 0
                || length > tensor.written().shape().get(dimension);
    }

    static ComparedPlaces of(TensorView actual, TensorView expected) {
        List<Long> some = new ArrayList<>(List.of(0L));
        List<Long> other = new ArrayList<>(List.of(0L));
        for (int dimension = 0; dimension < actual.shape().size(); dimension++) {
            long length =
                    Math.max(actual.shape().get(dimension), expected.shape().get(dimension));
            List<Long> ofActual = indices(actual, dimension, length);
            List<Long> ofExpected = indices(expected, dimension, length);
            Map<Long, Long> places = new HashMap<>();
            for (int place = 0; place < ofExpected.size(); place++) {
                places.put(ofExpected.get(place), (long) place);
            }
            List<Long> nextSome = new ArrayList<>();
            List<Long> nextOther = new ArrayList<>();
            for (int before = 0; before < some.size(); before++) {
                for (int place = 0; place < ofActual.size(); place++) {
                    if (places.containsKey(ofActual.get(place))) {
                        nextSome.add(some.get(before) * ofActual.size() + place);
                        nextOther.add(other.get(before) * ofExpected.size() + places.get(ofActual.get(place)));
                    }
                }
            }
            some = nextSome;
            other = nextOther;
        }
        return new ComparedPlaces(some, other);
    }

    /** Returns the indices in the whole tensor that are written; negative ones are counted from an unknown end. */
    private static List<Long> indices(TensorView tensor, int dimension, long length) {
        long written = tensor.written().shape().get(dimension);
        List<Long> indices = new ArrayList<>();
        for (long place = 0; place < written; place++) {
            long index = place;
            indices.add(tensor.abbreviation()
                    .map(part -> part.index(dimension, index, length))
                    .orElse(index));
        }
        return indices;
    }
}
