package dev.neurontest.examples.guide;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.ExpectPrint;
import dev.neurontest.Neff;
import dev.neurontest.NeuronTest;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.tensor.Tolerance;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Failures that docs/prints.md and docs/runtime.md show. */
@NeuronTest
class RuntimeGuideFixture {

    @BeforeAll
    static void script(FakeNeuronHost fake) throws IOException {
        assumeTrue(FakeRuntime.unavailable().isEmpty(), "no stand-in of the runtime library was built");
        GuideNeffs.kernels();
        fake.runtime().reset();
        for (int tile = 0; tile < 64; tile++) {
            FakePrint print = FakePrint.of("acc", "bfloat16", 4, 4).fill(tile);
            fake.runtime().neff("tiles").print(tile == 40 ? print.nan(3) : tile == 17 ? print.arange() : print);
        }
    }

    @Test
    void differsInTile17(@Neff("target/guide/tiles.neff") LoadedModel tiles, DevicePrints prints) {
        tiles.execute(Map.of());

        float[] expected = new float[16];
        Arrays.fill(expected, 17);
        assertThat(prints).withPrefix("acc").tensor(17).isCloseTo(expected, Tolerance.ulps(1));
    }

    @Test
    @ExpectPrint(prefix = "norm")
    void printsNoNorm(@Neff("target/guide/tiles.neff") LoadedModel tiles) {
        tiles.execute(Map.of());
    }

    @Test
    void givesAnInputOfTheWrongSize(@Neff("target/guide/scale.neff") LoadedModel scale) {
        scale.execute(Map.of("x", new float[3]));
    }
}
