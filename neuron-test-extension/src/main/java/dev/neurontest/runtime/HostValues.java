package dev.neurontest.runtime;

import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Values of a test as the bytes that the device reads: little-endian, each in the width of its Java type. */
final class HostValues {

    private HostValues() {}

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
