package dev.neurontest.internal.print.stream;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.TensorBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fixed part of a print, {@code ndebug_stream_payload_debug_tensor_read_t}: 1024 bytes, little-endian, followed by the values. */
final class PrintLayout {

    /** Size of {@code ndebug_stream_event_header_t}, which precedes the payload. */
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
     * Checks an event.
     *
     * @param type type in the header
     * @param promised payload size in the header, unsigned
     * @param size actual size of the whole payload
     * @param payload a buffer with the fixed part, little-endian
     * @param widths widths of elements
     * @return the reason why it is not a print; null when it is one
     */
    static @Nullable String fault(long type, long promised, long size, ByteBuffer payload, ElementWidths widths) {
        if (type != DevicePrint.EVENT_TYPE) {
            return "the event type %s is unknown".formatted(type);
        }
        if (promised != size) {
            return "the header promises %s bytes, but there are %s".formatted(Long.toUnsignedString(promised), size);
        }
        if (size < DATA) {
            return "%s bytes are less than the %s that every print has".formatted(size, DATA);
        }
        long data = dataSize(payload);
        if (data < 0 || data > size - DATA) {
            return "tensor_data_size is %s, but only %s bytes follow the fixed part"
                    .formatted(Long.toUnsignedString(data), size - DATA);
        }
        int used = used(payload);
        long elements = 1;
        for (int dimension = 0; dimension < used; dimension++) {
            long length = dimension(payload, dimension);
            if (length <= 0) {
                return "dimension %s of the shape %s is %s"
                        .formatted(dimension, shapeText(payload, used), Long.toUnsignedString(length));
            }
            if (Math.multiplyHigh(elements, length) != 0 || elements * length < 0) {
                return "the shape %s has more elements than can be counted".formatted(shapeText(payload, used));
            }
            elements *= length;
        }
        int bits = widths.bits(payload);
        boolean fits = bits == 0 || elements <= data && elements * (bits / Byte.SIZE) == data;
        return fits
                ? null
                : "%s bytes are not %s elements of %s, shape %s"
                        .formatted(data, elements, dtype(payload), shapeText(payload, used));
    }

    /** Creates a print from the fixed part of an event without a {@link #fault}. Values are decoded lazily. */
    static DevicePrint decode(
            long order,
            Instant arrived,
            PrintOrigin origin,
            int core,
            ByteBuffer payload,
            TensorBytes data,
            TensorBytes reserved) {
        return new DevicePrint(
                order,
                arrived,
                origin,
                core,
                Integer.toUnsignedLong(payload.getInt(CORE)),
                Integer.toUnsignedLong(payload.getInt(PIPE)),
                prefix(payload),
                dtype(payload),
                shape(payload),
                data,
                reserved);
    }

    private static int used(ByteBuffer payload) {
        int used = DIMENSIONS;
        while (used > 0 && dimension(payload, used - 1) == 0) {
            used--;
        }
        return used;
    }

    private static String shapeText(ByteBuffer payload, int used) {
        List<String> dimensions = new ArrayList<>();
        for (int dimension = 0; dimension < used; dimension++) {
            dimensions.add(Long.toUnsignedString(dimension(payload, dimension)));
        }
        return dimensions.toString();
    }

    private static long dimension(ByteBuffer payload, int dimension) {
        return payload.getLong(SHAPE + dimension * Long.BYTES);
    }

    static long dataSize(ByteBuffer payload) {
        return payload.getLong(DATA_SIZE);
    }

    private static List<Long> shape(ByteBuffer payload) {
        int used = used(payload);
        Long[] shape = new Long[used];
        for (int dimension = 0; dimension < used; dimension++) {
            shape[dimension] = dimension(payload, dimension);
        }
        return List.of(shape);
    }

    static String prefix(ByteBuffer payload) {
        return text(payload, 0, PREFIX_SIZE);
    }

    static String dtype(ByteBuffer payload) {
        return text(payload, DTYPE, DTYPE_SIZE);
    }

    static int prefixLength(ByteBuffer payload) {
        return length(payload, 0, PREFIX_SIZE);
    }

    static boolean isReservedZero(ByteBuffer payload) {
        long bits = 0;
        for (int at = RESERVED; at < DATA; at += Long.BYTES) {
            bits |= payload.getLong(at);
        }
        return bits == 0;
    }

    private static int length(ByteBuffer payload, int from, int atMost) {
        int length = 0;
        while (length < atMost && payload.get(from + length) != 0) {
            length++;
        }
        return length;
    }

    private static String text(ByteBuffer payload, int from, int atMost) {
        byte[] bytes = new byte[length(payload, from, atMost)];
        payload.get(from, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
