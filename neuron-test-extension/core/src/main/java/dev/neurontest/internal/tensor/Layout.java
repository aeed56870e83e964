package dev.neurontest.internal.tensor;

import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorBytes;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The positions of the values of a tensor in its bytes, determined by data type, shape and size together. Sources contradict each other on
 * packed data types, and only the size decides between them. Four bytes per unit are four values of 8 bits, and two bytes are four values
 * of 4 bits. With one byte, the shape counts values instead of units.
 *
 * @param shape shape of the values; the last dimension of a packed tensor is four times as long as printed, as in a NumPy view of the
 *     unpacked data type
 * @param place method of finding the code of a value
 * @param width bytes of one element of a tensor that cannot be decoded; otherwise unused
 * @param trouble reason why it cannot be decoded; empty when it can
 */
@API(status = API.Status.INTERNAL)
public record Layout(List<Long> shape, Place place, long width, String trouble) {

    private static final int LANES = 4;

    /** Maximum width of an element. Wider elements would only be long rows of digits. */
    private static final long WIDEST = 16;

    /** The methods of finding the code of a value. */
    public enum Place {
        BYTES {
            @Override
            public long code(TensorBytes bytes, int bits, long index) {
                return switch (bits) {
                    case Byte.SIZE -> Byte.toUnsignedLong(bytes.byteAt(index));
                    case Short.SIZE -> Short.toUnsignedLong(bytes.shortAt(2 * index));
                    case Integer.SIZE -> Integer.toUnsignedLong(bytes.intAt(4 * index));
                    default -> bytes.longAt(8 * index);
                };
            }
        },
        /** One value in each byte; the upper half of the byte is unused. */
        LOW_NIBBLES {
            @Override
            public long code(TensorBytes bytes, int bits, long index) {
                return bytes.byteAt(index) & 0xF;
            }
        },
        /** Two values in each byte, the lower half first. A little-endian unit of four values has the same layout. */
        NIBBLES {
            @Override
            public long code(TensorBytes bytes, int bits, long index) {
                return bytes.byteAt(index >>> 1) >>> 4 * (index & 1) & 0xF;
            }
        };

        public abstract long code(TensorBytes bytes, int bits, long index);
    }

    public static Layout of(String name, List<Long> shape, long size) {
        long count = count(shape);
        if (count < 0) {
            return new Layout(
                    List.of(size), Place.BYTES, 1, "%s has more values than can be counted".formatted(text(shape)));
        }
        return DType.of(name)
                .map(dtype -> known(dtype, shape, count, size))
                .orElseGet(() -> unknown(shape, count, size, "dtype \"%s\" is unknown".formatted(name)));
    }

    private static Layout known(DType dtype, List<Long> shape, long count, long size) {
        if (dtype.lanes() == LANES && size != count) {
            long units = dtype.bits() == Byte.SIZE ? LANES : LANES / 2;
            return holds(size, count, units)
                    ? new Layout(unpacked(shape), dtype.bits() == Byte.SIZE ? Place.BYTES : Place.NIBBLES, 0, "")
                    : mismatch(dtype, shape, count, size, "%s or %s".formatted(count, units * count));
        }
        if (dtype.bits() < Byte.SIZE) {
            return size == count
                    ? new Layout(shape, Place.LOW_NIBBLES, 0, "")
                    : size == (count >>> 1) + (count & 1)
                            ? new Layout(shape, Place.NIBBLES, 0, "")
                            : mismatch(
                                    dtype,
                                    shape,
                                    count,
                                    size,
                                    "%s or %s".formatted(count, (count >>> 1) + (count & 1)));
        }
        long width = dtype.bits() / Byte.SIZE;
        return holds(size, count, width)
                ? new Layout(shape, Place.BYTES, 0, "")
                : mismatch(dtype, shape, count, size, Long.toString(count * width));
    }

    private static boolean holds(long size, long count, long width) {
        return size % width == 0 && size / width == count;
    }

    private static Layout mismatch(DType dtype, List<Long> shape, long count, long size, String needed) {
        return unknown(
                shape,
                count,
                size,
                "%s of shape %s takes %s bytes, but there are %s".formatted(dtype, text(shape), needed, size));
    }

    /**
     * Returns a layout for undecodable bytes. The element width fills the bytes. It is one byte if the size is not divisible or the
     * elements would be too wide.
     */
    private static Layout unknown(List<Long> shape, long count, long size, String trouble) {
        return count > 0 && size > 0 && size % count == 0 && size / count <= WIDEST
                ? new Layout(shape, Place.BYTES, size / count, trouble)
                : new Layout(List.of(size), Place.BYTES, 1, trouble);
    }

    private static List<Long> unpacked(List<Long> shape) {
        if (shape.isEmpty()) {
            return List.of((long) LANES);
        }
        List<Long> unpacked = new ArrayList<>(shape);
        unpacked.set(shape.size() - 1, LANES * shape.get(shape.size() - 1));
        return List.copyOf(unpacked);
    }

    /** Returns the number of values; negative when a dimension is negative or the product is too large. */
    public static long count(List<Long> shape) {
        long count = 1;
        for (long dimension : shape) {
            if (dimension < 0 || count != 0 && dimension > Long.MAX_VALUE / Byte.SIZE / count) {
                return -1;
            }
            count *= dimension;
        }
        return count;
    }

    /** Formats a shape as a Python tuple, with a question mark for an unknown length. */
    public static String text(List<Long> shape) {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < shape.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(shape.get(i) < 0 ? "?" : shape.get(i));
        }
        return text.append(shape.size() == 1 ? ",)" : ")").toString();
    }
}
