package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of device memory with the stand-in library. */
class DeviceTensorIT {

    private static RuntimeFixture fixture;
    private static NeuronRuntime runtime;
    private static NeuronCore core;

    @BeforeAll
    static void start() throws IOException {
        fixture = new RuntimeFixture();
        core = fixture.cores().get(0);
        runtime = fixture.builder().open();
    }

    @AfterAll
    static void stop() {
        if (runtime != null) {
            runtime.close();
        }
        if (fixture != null) {
            fixture.close();
        }
    }

    private static byte[] bytes(int... bytes) {
        byte[] result = new byte[bytes.length];
        for (int index = 0; index < bytes.length; index++) {
            result[index] = (byte) bytes[index];
        }
        return result;
    }

    private static Stream<Object[]> values() {
        byte[] plain = bytes(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0);
        return Stream.of(
                new Object[] {plain, plain},
                new Object[] {ByteBuffer.wrap(bytes(9, 1, 2, 9), 1, 2), bytes(1, 2)},
                new Object[] {new short[] {0x0102, -1}, bytes(2, 1, 0xff, 0xff)},
                new Object[] {new int[] {0x01020304}, bytes(4, 3, 2, 1)},
                new Object[] {new long[] {0x0102030405060708L}, bytes(8, 7, 6, 5, 4, 3, 2, 1)},
                new Object[] {new float[] {1, -2}, plain},
                new Object[] {new double[] {1}, bytes(0, 0, 0, 0, 0, 0, 0xf0, 0x3f)},
                new Object[] {TensorBytes.of(plain), plain},
                new Object[] {TensorView.of(new float[] {1, -2}), plain});
    }

    @ParameterizedTest
    @MethodSource("values")
    void writesValuesLittleEndian(Object values, byte[] expected) {
        // given
        try (DeviceTensor tensor = runtime.allocate(core, "t", expected.length)) {
            // when
            tensor.write(values);

            // then
            assertThat(tensor.read()).containsExactly(expected);
        }
    }

    @Test
    void writesAndReadsSeveralChunks() {
        // given
        byte[] content = new byte[(9 << 20) + 7];
        new Random(1).nextBytes(content);
        try (DeviceTensor tensor = runtime.allocate(core, "large", content.length + 3)) {
            // when
            tensor.write(3, content);

            // then
            assertThat(tensor.read(3, content.length)).isEqualTo(content);
            assertThat(tensor.read(4 << 20, 5))
                    .containsExactly(Arrays.copyOfRange(content, (4 << 20) - 3, (4 << 20) + 2));
        }
    }

    @Test
    void refusesValuesOfAnotherSize() {
        // given
        try (DeviceTensor tensor = runtime.allocate(core, "t", 8)) {
            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tensor.write(new float[3]))
                    .withMessage("tensor t has 8 bytes, but the values have 12");
            assertThatThrownBy(() -> tensor.write(5, new byte[4])).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> tensor.write(-1, new byte[4])).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> tensor.read(8, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void closesOnceFromManyThreads() {
        // given
        long before = runtime.memory(core).usedBytes();
        DeviceTensor tensor = runtime.allocate(core, "t", 1 << 20);

        // when
        Stream.generate(() -> tensor).limit(64).parallel().forEach(DeviceTensor::close);

        // then
        assertThat(runtime.memory(core).usedBytes()).isEqualTo(before);
    }

    @Test
    void reportsTooLittleDeviceMemory() {
        // then
        assertThatThrownBy(() -> runtime.allocate(core, "huge", 1L << 45))
                .isInstanceOf(NrtException.class)
                .hasMessageStartingWith(
                        "nrt_tensor_allocate of 35184372088832 bytes for tensor huge on neuron0/neuron_core0 returned NRT_RESOURCE (4): memory or another resource is used up. Possible causes: the kernel or model,");
    }

    @Test
    void refusesNulInNameAndNegativeSize() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runtime.allocate(core, "a\0b", 1))
                .withMessage("\"a\\0b\" contains a NUL, which ends a text in C");
        assertThatIllegalArgumentException().isThrownBy(() -> runtime.allocate(core, "a", -1));
    }
}
