package dev.neurontest.internal.print.stream;

import dev.neurontest.tensor.DType;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** How many bits an element has, by the 16 bytes that name its dtype; mostly they are those of the print before. Not for several threads. */
final class ElementWidths {

    /** Names come from outside, so that there may be any number of them. */
    private static final int REMEMBERED = 256;

    private final Map<String, Integer> bits = new HashMap<>();
    private long first;
    private long second;
    private int last;

    /** 0 when the name is not known, or when sources do not agree on the width, as for packed dtypes. */
    int bits(ByteBuffer payload) {
        long one = payload.getLong(PrintLayout.DTYPE);
        long two = payload.getLong(PrintLayout.DTYPE + Long.BYTES);
        if (one != first || two != second) {
            if (bits.size() > REMEMBERED) {
                bits.clear();
            }
            last = bits.computeIfAbsent(PrintLayout.dtype(payload), ElementWidths::bits);
            first = one;
            second = two;
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
