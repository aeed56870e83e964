package dev.neurontest.internal.print.stream;

import dev.neurontest.tensor.DType;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The widths of elements by the 16 bytes of their data type's name. The last name is cached because consecutive prints usually have the
 * same type. Not thread-safe.
 */
final class ElementWidths {

    /** Maximum number of cached names. Names come from outside, and their number is unlimited. */
    private static final int REMEMBERED = 256;

    private final Map<String, Integer> bits = new HashMap<>();
    private long first;
    private long second;
    private int last;

    /** Returns the width in bits; 0 when the name is unknown, or when the width is ambiguous, as for packed data types. */
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
