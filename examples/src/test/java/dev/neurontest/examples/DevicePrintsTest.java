package dev.neurontest.examples;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.AllowCounter;
import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectPrint;
import dev.neurontest.Neff;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.tensor.Tolerance;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests for a kernel developer: the results of the kernel, at its end and in the middle. The kernel runs in the JVM of
 * the test.
 */
@NeuronTest
class DevicePrintsTest {

    @BeforeAll
    static void compile(NeuronHost host, Optional<FakeNeuronHost> fake) throws IOException {
        CompiledKernels.compile(host, fake);
    }

    @Test
    @ExpectCounter(value = "inference_count", delta = 1)
    void doubles(@Neff(CompiledKernels.SCALE) LoadedModel scale) {
        Map<String, ?> inputs = Map.of("x", new float[] {1, 2, 3, 4});

        assertThat(scale.execute(inputs).tensor("y")).isEqualTo(new float[] {2, 4, 6, 8});
    }

    @Test
    @ExpectPrint(prefix = "acc", count = 64)
    void accumulatesTileByTile(@Neff(CompiledKernels.TILES) LoadedModel tiles, DevicePrints prints) {
        tiles.execute(Map.of());

        for (int tile = 0; tile < 64; tile++) {
            float[] expected = new float[16 * 32];
            Arrays.fill(expected, tile);
            assertThat(prints).withPrefix("acc").tensor(tile).hasShape(16, 32).isCloseTo(expected, Tolerance.ulps(1));
        }
    }

    @Test
    @AllowCounter("oob_error")
    @ExpectCounter(value = "oob_error", delta = 1)
    void refusesToReachOutOfBounds(@Neff(CompiledKernels.OUT_OF_BOUNDS) LoadedModel kernel) {
        assertThat(kernel.tryExecute(Map.of()).status()).isEqualTo(RuntimeStatus.of("NRT_EXEC_OOB"));
    }

    @Test
    void findsTheTileInWhichNaNBegins(@Neff(CompiledKernels.UNSTABLE) LoadedModel unstable, DevicePrints prints) {
        unstable.execute(Map.of());

        List<DevicePrint> tiles = prints.withPrefix("norm").all();
        List<DevicePrint> unwell = tiles.stream()
                .filter(tile -> tile.tensor().first(Double::isNaN).isPresent())
                .toList();
        assertThat(tiles.indexOf(unwell.get(0))).isEqualTo(5);
        assertThat(prints).withPrefix("norm").tensor(4).hasNoNaN();
    }
}
