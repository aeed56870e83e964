package dev.neurontest.examples.guide;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.ExpectOutput;
import dev.neurontest.MaxLatency;
import dev.neurontest.Neff;
import dev.neurontest.NeuronTest;
import dev.neurontest.ProfileNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.runtime.Execution;
import dev.neurontest.runtime.LoadedModel;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Failures that docs/outputs.md shows. */
@NeuronTest
class OutputsGuideFixture {

    @BeforeAll
    static void script(FakeNeuronHost fake) throws IOException {
        assumeTrue(FakeRuntime.unavailable().isEmpty(), "no stand-in of the runtime library was built");
        OutputsGuideTest.script(fake);
    }

    @Test
    @ExpectOutput(value = "y", golden = "target/guide/y.npy", tolerance = "1e-3 + 1 %")
    void leavesOutTheLastTile(@Neff("target/guide/scale.neff") LoadedModel scale) {
        scale.execute(Map.of("x", new float[] {1, 2, 0, 0}));
    }

    @Test
    @ExpectOutput
    void skipsTheTimedExecutions(@Neff("target/guide/scale.neff") LoadedModel scale, FakeNeuronHost fake) {
        fake.runtime().neff("scale").output("y", "unwritten");
        fake.runtime().neff("scale").output("y", inputs -> inputs.get("x")).times(1);
        try (Execution execution = scale.bind().input("x", new float[] {1, 2, 3, 4})) {
            execution.runMany(100);
        }
    }

    @Test
    @ProfileNeff(value = "target/guide/scale.neff", inputs = "x=target/guide/y.npy")
    @MaxLatency("100 ms")
    @ExpectOutput(value = "y", golden = "target/guide/y.npy")
    void isFastAndWrong(FakeNeuronHost fake) {
        fake.runtime().neff("scale").output("y", "zeros").times(2);
    }
}
