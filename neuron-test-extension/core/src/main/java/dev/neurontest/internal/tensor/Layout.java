package dev.neurontest.internal.tensor;

import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorBytes;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Where the values of a tensor lie in its bytes, decided by dtype, shape and size together. Sources contradict each other on
 * packed dtypes, and only the size tells which of them is right: four bytes a unit are four of 8 bits, two are four of 4 bits, and
 * one says that the shape counts values and not units.
 *
 * @param shape of the values; of a packed tensor its last dimension is four times as long as it was printed, as a NumPy view of the
 *     unpacked dtype would have it
 * @param place how the code of a value is found
 * @param width bytes of one element that is not decoded; else of no use
 * @param trouble why it cannot be decoded; empty when it can
 */
@API(status = API.Status.INTERNAL)
public record Layout(List<Long> shape, Place place, long width, String trouble) {

    private static final int LANES = 4;

    /** Wider elements would only be long rows of digits. */
    private static final long WIDEST = 16;

    /** How the code of a value is found. */
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
        /** The upper half of each byte is unused. */
        LOW_NIBBLES {
            @Override
            public long code(TensorBytes bytes, int bits, long index) {
                return bytes.byteAt(index) & 0xF;
            }
        },
        /** Two in each byte, the lower half first; so is a little-endian unit of four. */
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
                .orElseGet(() -> unknown(shape, count, size, "dtype \"%s\" is not known".formatted(name)));
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
                "%s of shape %s takes %s bytes, and there are %s".formatted(dtype, text(shape), needed, size));
    }

    /** Elements as wide as they must be to fill the bytes; single bytes when that does not come out even or too wide. */
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

    /** Negative when it is no number of values: one dimension is, or their product is too large. */
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

    /** As Python writes a tuple. */
    public static String text(List<Long> shape) {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < shape.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(shape.get(i));
        }
        return text.append(shape.size() == 1 ? ",)" : ")").toString();
    }
}
