package dev.neurontest.runtime;

import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Values of a test as the bytes that the device reads: little-endian, each in the width of its Java type. */
final class HostValues {

    private HostValues() {}

    /** Whether each element has a meaning by itself, unlike those of a {@code byte[]}. */
    static boolean isArrayOfNumbers(Object values) {
        return values instanceof float[]
                || values instanceof double[]
                || values instanceof int[]
                || values instanceof long[]
                || values instanceof short[];
    }

    /** Which array holds the bits of a dtype; empty where the runtime does not tell it, or tells 8 bits, which may be packed ones. */
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
            ByteBuffer bytes = room(floats.length, Float.BYTES);
            bytes.asFloatBuffer().put(floats);
            return TensorBytes.of(bytes);
        }
        if (values instanceof double[] doubles) {
            ByteBuffer bytes = room(doubles.length, Double.BYTES);
            bytes.asDoubleBuffer().put(doubles);
            return TensorBytes.of(bytes);
        }
        if (values instanceof int[] ints) {
            ByteBuffer bytes = room(ints.length, Integer.BYTES);
            bytes.asIntBuffer().put(ints);
            return TensorBytes.of(bytes);
        }
        if (values instanceof long[] longs) {
            ByteBuffer bytes = room(longs.length, Long.BYTES);
            bytes.asLongBuffer().put(longs);
            return TensorBytes.of(bytes);
        }
        if (values instanceof short[] shorts) {
            ByteBuffer bytes = room(shorts.length, Short.BYTES);
            bytes.asShortBuffer().put(shorts);
            return TensorBytes.of(bytes);
        }
        throw new IllegalArgumentException(
                "%s cannot be written to a tensor: give a byte[], short[], int[], long[], float[], double[], ByteBuffer, TensorView, TensorBytes or DeviceTensor"
                        .formatted(values.getClass().getTypeName()));
    }

    private static ByteBuffer room(int count, int width) {
        return ByteBuffer.allocate(Math.multiplyExact(count, width)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
