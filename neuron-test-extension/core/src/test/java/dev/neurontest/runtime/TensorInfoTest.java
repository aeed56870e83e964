package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the runtime's information on tensors, read from memory in the layout of the headers. */
class TensorInfoTest {

    private static final int STRIDE = 296;

    /** Returns one tensor {@code t} of the shape 2 x 8. */
    private static Memory array(int usage, int dtype, long bytes) {
        Memory memory = new Memory(8 + STRIDE + 8);
        memory.clear();
        memory.setLong(0, 1);
        memory.write(8, "t".getBytes(StandardCharsets.US_ASCII), 0, 1);
        memory.setInt(8 + 256, usage);
        memory.setLong(8 + 264, bytes);
        memory.setInt(8 + 272, dtype);
        memory.setPointer(8 + 280, memory.share(8 + STRIDE));
        memory.setInt(8 + 288, 2);
        memory.setInt(8 + STRIDE, 2);
        memory.setInt(8 + STRIDE + 4, 8);
        return memory;
    }

    @ParameterizedTest
    @CsvSource({"0, INPUT", "1, OUTPUT", "2, UNKNOWN", "7, UNKNOWN", "-1, UNKNOWN"})
    void readsUnlistedUsageAsUnknown(int usage, TensorInfo.Usage expected) {
        Optional<List<TensorInfo>> infos = TensorInfo.read(array(usage, 10, 64));

        assertThat(infos.orElseThrow())
                .containsExactly(new TensorInfo("t", expected, 10, "float32", List.of(2L, 8L), 64));
    }

    @Test
    void namesModelWithoutTensorArray() {
        assertThatIllegalStateException()
                .isThrownBy(() -> LoadedModel.infos(0, "add.neff", "2.34.10.0 at /lib"))
                .withMessageStartingWith(
                        "nrt_get_model_tensor_info returned NRT_SUCCESS for add.neff, but no array of its tensors (runtime 2.34.10.0 at /lib).");
    }

    @Test
    void namesModelWithUnknownLayout() {
        try (Memory memory = array(0, 10, 64)) {
            memory.setLong(0, -1);
            assertThatIllegalStateException()
                    .isThrownBy(() -> LoadedModel.infos(Pointer.nativeValue(memory), "add.neff", "2.34.10.0 at /lib"))
                    .withMessageContaining("returned the tensors of add.neff in an unknown layout");
        }
    }

    @ParameterizedTest
    @CsvSource({
        // One byte for a unit of four 8-bit values, half a byte for one of four 4-bit values.
        "2.32.31.0, 0, 16, true",
        "2.32.31.0, 0, 8, true",
        "2.32.31.0, 99, 16, true",
        "0.0.0.0, 0, 16, true",
        "2.33.10.0, 0, 16, false",
        "2.33.10.0, 0, 8, false",
        "3.0.0.0, 0, 16, false",
        "2.32.31.0, 0, 32, false",
        "2.32.31.0, 0, 64, false",
        "2.32.31.0, 3, 16, false",
        "2.32.31.0, 10, 64, false",
    })
    void sizesOfPackedTypesAreNotTrustedBelow233(String version, int dtype, long bytes, boolean doubted) {
        String[] numbers = version.split("\\.");
        RuntimeVersion runtime = new RuntimeVersion(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), 0, 0);

        assertThat(TensorInfo.read(array(0, dtype, bytes)).orElseThrow().get(0).mayBeQuarter(runtime))
                .isEqualTo(doubted);
    }
}
