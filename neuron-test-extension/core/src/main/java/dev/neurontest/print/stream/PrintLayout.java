package dev.neurontest.print.stream;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.TensorBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fixed part of a print, {@code ndebug_stream_payload_debug_tensor_read_t}: 1024 bytes, little-endian, after which the
 * values follow.
 */
final class PrintLayout {

    /** Bytes of {@code ndebug_stream_event_header_t}, which comes before. */
    static final int HEADER = 64;

    static final int PREFIX_SIZE = 512;
    static final int CORE = 512;
    static final int PIPE = 516;
    static final int DTYPE = 520;
    static final int DTYPE_SIZE = 16;
    static final int SHAPE = 536;
    static final int DIMENSIONS = 8;
    static final int DATA_SIZE = 600;
    static final int RESERVED = 608;
    static final int RESERVED_SIZE = 416;
    static final int DATA = 1024;

    private PrintLayout() {}

    /**
     * What is wrong with a print.
     *
     * @param payload has the fixed part, little-endian
     * @param at where that begins
     * @param size of the whole payload
     * @param widths of elements
     * @return null when nothing is
     */
    static @Nullable String fault(ByteBuffer payload, int at, long size, ElementWidths widths) {
        long data = dataSize(payload, at);
        if (data < 0 || data > size - DATA) {
            return "tensor_data_size is %s, and only %s bytes follow the fixed part"
                    .formatted(Long.toUnsignedString(data), size - DATA);
        }
        int used = used(payload, at);
        long elements = 1;
        for (int dimension = 0; dimension < used; dimension++) {
            long length = dimension(payload, at, dimension);
            if (length <= 0) {
                return "dimension %s of the shape %s is %s"
                        .formatted(dimension, shapeText(payload, at, used), Long.toUnsignedString(length));
            }
            if (Math.multiplyHigh(elements, length) != 0 || elements * length < 0) {
                return "the shape %s has more elements than can be counted".formatted(shapeText(payload, at, used));
            }
            elements *= length;
        }
        int bits = widths.bits(payload, at);
        boolean fits = bits == 0 || elements <= data && elements * (bits / Byte.SIZE) == data;
        return fits
                ? null
                : "%s bytes are not %s elements of %s, shape %s"
                        .formatted(data, elements, dtype(payload, at), shapeText(payload, at, used));
    }

    /** A print that has no {@link #fault}, as its fixed part says; values are decoded when they are asked for. */
    static DevicePrint decode(
            long order,
            Instant arrived,
            PrintOrigin origin,
            int core,
            ByteBuffer payload,
            int at,
            TensorBytes data,
            TensorBytes reserved) {
        return new DevicePrint(
                order,
                arrived,
                origin,
                core,
                Integer.toUnsignedLong(payload.getInt(at + CORE)),
                Integer.toUnsignedLong(payload.getInt(at + PIPE)),
                prefix(payload, at),
                dtype(payload, at),
                shape(payload, at),
                data,
                reserved);
    }

    private static int used(ByteBuffer payload, int at) {
        int used = DIMENSIONS;
        while (used > 0 && dimension(payload, at, used - 1) == 0) {
            used--;
        }
        return used;
    }

    private static String shapeText(ByteBuffer payload, int at, int used) {
        List<String> dimensions = new ArrayList<>();
        for (int dimension = 0; dimension < used; dimension++) {
            dimensions.add(Long.toUnsignedString(dimension(payload, at, dimension)));
        }
        return dimensions.toString();
    }

    private static long dimension(ByteBuffer payload, int at, int dimension) {
        return payload.getLong(at + SHAPE + dimension * Long.BYTES);
    }

    static long dataSize(ByteBuffer payload, int at) {
        return payload.getLong(at + DATA_SIZE);
    }

    private static List<Long> shape(ByteBuffer payload, int at) {
        int used = used(payload, at);
        Long[] shape = new Long[used];
        for (int dimension = 0; dimension < used; dimension++) {
            shape[dimension] = dimension(payload, at, dimension);
        }
        return List.of(shape);
    }

    static String prefix(ByteBuffer payload, int at) {
        return text(payload, at, PREFIX_SIZE);
    }

    static String dtype(ByteBuffer payload, int at) {
        return text(payload, at + DTYPE, DTYPE_SIZE);
    }

    private static String text(ByteBuffer payload, int from, int atMost) {
        int length = 0;
        while (length < atMost && payload.get(from + length) != 0) {
            length++;
        }
        byte[] bytes = new byte[length];
        payload.get(from, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
