package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.ExpectOutput;
import dev.neurontest.MaxLatency;
import dev.neurontest.Neff;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.runtime.Execution;
import dev.neurontest.runtime.ExecutionStatistics;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.TensorView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page docs/outputs.md. */
@NeuronTest
class OutputsGuideTest {

    // tag::script
    @BeforeAll
    static void script(FakeNeuronHost fake) throws IOException {
        assumeTrue(FakeRuntime.unavailable().isEmpty());
        GuideNeffs.kernels();
        try (OutputStream golden = Files.newOutputStream(Path.of("target/guide/y.npy"))) {
            Npy.write(TensorView.of(new float[] {1, 2, 3, 4}), golden);
        }
        fake.runtime().reset();
        fake.runtime().neff("scale").output("y", inputs -> inputs.get("x"));
    }
    // end::script

    // tag::first
    @Test
    @ExpectOutput(value = "y", golden = "target/guide/y.npy", tolerance = "1e-3 + 1 %")
    void matchesTheReference(@Neff("target/guide/scale.neff") LoadedModel scale) {
        scale.execute(Map.of("x", new float[] {1, 2, 3, 4}));
    }
    // end::first

    // tag::timed
    @Test
    @ExpectOutput
    void writesItsOutputsInTime(@Neff("target/guide/scale.neff") LoadedModel scale) {
        try (Execution execution = scale.bind().input("x", new float[] {1, 2, 3, 4})) {
            ExecutionStatistics runs = execution.runMany(100);

            assertThat(runs.failures()).isEmpty();
            assertThat(runs.percentile(99)).isLessThan(Duration.ofSeconds(10));
        }
    }
    // end::timed

    // tag::captured
    @Test
    @ProfileNeff(value = "target/guide/scale.neff", inputs = "x=target/guide/y.npy")
    @MaxLatency("100 ms")
    @ExpectOutput(value = "y", golden = "target/guide/y.npy")
    void isRightAndFast() {}
    // end::captured
}
