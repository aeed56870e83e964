package dev.neurontest.internal.output;

import dev.neurontest.internal.text.CountText;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;

/**
 * Elements of an output that still hold the fill pattern.
 *
 * @param count their number
 * @param first row-major index of the first one
 * @param last row-major index of the last one
 * @param size number of all elements
 */
record UnwrittenElements(long count, long first, long last, long size) {

    /** Minimum length in bytes of an unwritten part. A shorter one may be a result; a whole tensor counts at any length. */
    private static final long LEAST = 8;

    /** Minimum size in bytes of a tensor that is certainly unwritten if it holds only the pattern. */
    private static final long CERTAIN = 4;

    /** Finds the elements that a fill left. */
    static UnwrittenElements in(TensorView tensor) {
        TensorBytes bytes = tensor.bytes();
        long size = bytes.size();
        long elements = tensor.size();
        long count = 0;
        long first = -1;
        long last = -1;
        long start = 0;
        for (long at = 0; at <= size; at++) {
            if (at < size && bytes.byteAt(at) == OutputTensor.FILL) {
                continue;
            }
            if (at - start >= LEAST || at - start == size && size > 0) {
                long from = (start * elements + size - 1) / size;
                long to = at * elements / size;
                count += Math.max(0, to - from);
                first = first < 0 && to > from ? from : first;
                last = to > from ? to - 1 : last;
            }
            start = at + 1;
        }
        return new UnwrittenElements(count, first, last, elements);
    }

    boolean isNone() {
        return count == 0;
    }

    boolean isAll() {
        return count == size && size > 0;
    }

    /** Returns whether a result may by chance look like an unwritten buffer. */
    static boolean isUncertain(TensorView tensor) {
        return tensor.bytes().size() < CERTAIN;
    }

    /** Returns such as {@code unwritten in the last 128 of 1,024 elements}. */
    String text(TensorView tensor) {
        if (isAll()) {
            return size == 1 ? "unwritten" : "unwritten in all %s elements".formatted(CountText.of(size));
        }
        boolean isOnePart = last - first + 1 == count;
        String part = isOnePart && last == size - 1 ? "the last " : isOnePart && first == 0 ? "the first " : "";
        String range = part.isEmpty() ? ", from %s to %s".formatted(tensor.index(first), tensor.index(last)) : "";
        return "unwritten in %s%s of %s elements%s".formatted(part, CountText.of(count), CountText.of(size), range);
    }
}
