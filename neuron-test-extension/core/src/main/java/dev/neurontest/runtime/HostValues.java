package dev.neurontest.runtime;

import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Consumer;

/** Converter from values of a test to bytes for the device: little-endian, each in the width of its Java type. */
final class HostValues {

    private HostValues() {}

    /** Returns whether each element is a number. The elements of a {@code byte[]} are only parts of numbers. */
    static boolean isArrayOfNumbers(Object values) {
        return values instanceof float[]
                || values instanceof double[]
                || values instanceof int[]
                || values instanceof long[]
                || values instanceof short[];
    }

    /**
     * Returns the array type with the element width of a data type. Empty if the runtime does not report the type. Also empty for types of
     * 8 bits, because these may be packed types.
     */
    static Optional<String> arrayOf(String dtype) {
        return switch (dtype) {
            case "float32", "float32r" -> Optional.of("float[]");
            case "int32", "uint32" -> Optional.of("int[]");
            case "int64", "uint64" -> Optional.of("long[]");
            case "int16", "uint16", "float16", "bfloat16" -> Optional.of("short[]");
            default -> Optional.empty();
        };
    }

    static TensorBytes bytes(Object values) {
        if (values instanceof TensorBytes bytes) {
            return bytes;
        }
        if (values instanceof TensorView tensor) {
            return tensor.bytes();
        }
        if (values instanceof byte[] bytes) {
            return TensorBytes.of(bytes);
        }
        if (values instanceof ByteBuffer buffer) {
            return TensorBytes.of(buffer);
        }
        if (values instanceof float[] floats) {
            return bytes(
                    floats.length, Float.BYTES, bytes -> bytes.asFloatBuffer().put(floats));
        }
        if (values instanceof double[] doubles) {
            return bytes(
                    doubles.length,
                    Double.BYTES,
                    bytes -> bytes.asDoubleBuffer().put(doubles));
        }
        if (values instanceof int[] ints) {
            return bytes(
                    ints.length, Integer.BYTES, bytes -> bytes.asIntBuffer().put(ints));
        }
        if (values instanceof long[] longs) {
            return bytes(longs.length, Long.BYTES, bytes -> bytes.asLongBuffer().put(longs));
        }
        if (values instanceof short[] shorts) {
            return bytes(
                    shorts.length, Short.BYTES, bytes -> bytes.asShortBuffer().put(shorts));
        }
        throw new IllegalArgumentException(
                "%s cannot be written to a tensor: use a byte[], short[], int[], long[], float[], double[], ByteBuffer, TensorView, TensorBytes or DeviceTensor"
                        .formatted(values.getClass().getTypeName()));
    }

    private static TensorBytes bytes(int count, int width, Consumer<ByteBuffer> content) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(count, width)).order(ByteOrder.LITTLE_ENDIAN);
        content.accept(bytes);
        return TensorBytes.of(bytes);
    }
}
