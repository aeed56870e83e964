package dev.neurontest.internal.print.child;

import dev.neurontest.tensor.DType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Finder of the code of a narrow data type with the nearest value to a number. It is needed for numbers that were written with a few
 * digits only.
 */
final class NearestCode {

    private static final Map<DType, NearestCode> KNOWN = new ConcurrentHashMap<>();

    private final double[] values;
    private final int[] codes;
    private final int nan;

    private NearestCode(DType dtype) {
        int[] sorted = IntStream.range(0, 1 << dtype.bits())
                .filter(code -> !Double.isNaN(dtype.number(code)))
                .boxed()
                .sorted((a, b) -> Double.compare(dtype.number(a), dtype.number(b)))
                .mapToInt(Integer::intValue)
                .toArray();
        this.codes = sorted;
        this.values = IntStream.of(sorted).mapToDouble(dtype::number).toArray();
        this.nan = IntStream.range(0, 1 << dtype.bits())
                .filter(code -> Double.isNaN(dtype.number(code)))
                .findFirst()
                .orElse(0);
    }

    /**
     * Returns the finder of a data type.
     *
     * @param dtype a data type of 16 bits at most
     */
    static NearestCode of(DType dtype) {
        return KNOWN.computeIfAbsent(dtype, NearestCode::new);
    }

    int code(double number) {
        if (Double.isNaN(number)) {
            return nan;
        }
        int position = java.util.Arrays.binarySearch(values, number);
        if (position >= 0) {
            return codes[position];
        }
        int above = -position - 1;
        if (above == 0 || above == values.length) {
            return codes[Math.min(above, values.length - 1)];
        }
        boolean up = values[above] - number < number - values[above - 1];
        return codes[up ? above : above - 1];
    }
}
