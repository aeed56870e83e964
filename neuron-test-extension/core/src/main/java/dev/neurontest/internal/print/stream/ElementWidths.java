package dev.neurontest.internal.print.stream;

import dev.neurontest.tensor.DType;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Widths of elements, by the name of the data type in a print (16 bytes). The last name is compared as two numbers, because consecutive
 * prints usually have the same type. Not thread-safe.
 */
final class ElementWidths {

    /** Number of names above which the cache is cleared. Names come from outside and are unlimited. */
    private static final int REMEMBERED = 256;

    private final Map<String, Integer> bits = new HashMap<>();
    private long first;
    private long second;
    private int last;

    /** Returns the width in bits; 0 for an unknown name and for types with several values in a byte or element. */
    int bits(ByteBuffer payload) {
        long start = payload.getLong(PrintLayout.DTYPE);
        long end = payload.getLong(PrintLayout.DTYPE + Long.BYTES);
        if (start != first || end != second) {
            if (bits.size() > REMEMBERED) {
                bits.clear();
            }
            last = bits.computeIfAbsent(PrintLayout.dtype(payload), ElementWidths::bits);
            first = start;
            second = end;
        }
        return last;
    }

    private static int bits(String dtype) {
        return DType.of(dtype)
                .filter(known -> known.lanes() == 1 && known.bits() >= Byte.SIZE)
                .map(DType::bits)
                .orElse(0);
    }
}
