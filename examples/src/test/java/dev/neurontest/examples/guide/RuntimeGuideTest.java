package dev.neurontest.examples.guide;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.AllowCounter;
import dev.neurontest.ExpectPrint;
import dev.neurontest.Neff;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.runtime.Execution;
import dev.neurontest.runtime.ExecutionStatistics;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.tensor.Tolerance;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pages docs/runtime.md and docs/prints.md. */
@NeuronTest
class RuntimeGuideTest {

    // tag::script
    @BeforeAll
    static void script(FakeNeuronHost fake) throws IOException {
        assumeTrue(FakeRuntime.unavailable().isEmpty());
        GuideNeffs.kernels();
        fake.runtime().reset();
        fake.runtime().neff("scale").output("y", inputs -> inputs.get("x"));
        for (int tile = 0; tile < 64; tile++) {
            fake.runtime()
                    .neff("tiles")
                    .print(FakePrint.of("acc", "bfloat16", 4, 4).fill(tile));
        }
    }
    // end::script

    // tag::first
    @Test
    void givesBackItsInput(@Neff("target/guide/scale.neff") LoadedModel scale) {
        Map<String, ?> inputs = Map.of("x", new float[] {1, 2, 3, 4});

        assertThat(scale.execute(inputs).tensor("y")).isEqualTo(new float[] {1, 2, 3, 4});
    }
    // end::first

    // tag::prints
    @Test
    @ExpectPrint(prefix = "acc", count = 64)
    void accumulatesTileByTile(@Neff("target/guide/tiles.neff") LoadedModel tiles, DevicePrints prints) {
        tiles.execute(Map.of());

        float[] expected = new float[16];
        Arrays.fill(expected, 17);
        assertThat(prints).withPrefix("acc").tensor(17).hasShape(4, 4).isCloseTo(expected, Tolerance.ulps(1));
    }
    // end::prints

    // tag::await
    @Test
    void seesAPrintWhileItRuns(@Neff("target/guide/tiles.neff") LoadedModel tiles, DevicePrints prints) {
        tiles.execute(Map.of());

        prints.await("acc", Duration.ofSeconds(5));
        assertThat(prints).withPrefix("acc").tensor(0).hasNoNaN();
    }
    // end::await

    // tag::bound
    @Test
    void keepsTensorsOnTheDevice(@Neff("target/guide/scale.neff") LoadedModel scale) {
        try (Execution first = scale.bind().input("x", new float[] {1, 2, 3, 4});
                Execution second = scale.bind().input("x", first.outputTensor("y"))) {
            first.run();
            ExecutionStatistics runs = second.runMany(100);

            assertThat(runs.failures()).isEmpty();
            assertThat(runs.percentile(99)).isLessThan(Duration.ofSeconds(10));
            assertThat(second.outputs().tensor("y").toFloats()).containsExactly(1, 2, 3, 4);
        }
    }
    // end::bound

    // tag::code
    @Test
    void loadsInCode(NeuronRuntime runtime, NeuronCore core) {
        try (LoadedModel scale = runtime.load(core, Path.of("target/guide/scale.neff"))) {
            assertThat(scale.execute(Map.of("x", new float[4])).tensor("y")).hasShape(4);
        }
    }
    // end::code

    // tag::status
    @Test
    @AllowCounter("oob_error")
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void reportsThatItReachedOutOfBounds(@Neff("target/guide/tiles.neff") LoadedModel tiles, FakeNeuronHost fake) {
        fake.runtime().neff("tiles").status(NrtStatus.of("NRT_EXEC_OOB")).times(1);

        assertThat(tiles.tryExecute(Map.of()).status()).isEqualTo(RuntimeStatus.of("NRT_EXEC_OOB"));
    }
    // end::status
}
