package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.Neff;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.ExecutionFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.runtime.LoadedModel;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A kernel with an index out of bounds, as docs/fake-host.md shows it. */
@NeuronTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BrokenKernelGuideFixture {

    // tag::kernel
    @BeforeAll
    static void script(FakeNeuronHost fake) throws IOException {
        assumeTrue(FakeRuntime.unavailable().isEmpty());
        GuideNeffs.kernels();
        fake.runtime().reset().neff("tiles").fault(ExecutionFault.OUT_OF_BOUNDS).times(1);
    }

    @Test
    @Order(1)
    void reachesOutOfBounds(@Neff("target/guide/tiles.neff") LoadedModel tiles) {
        tiles.execute(Map.of());
    }

    @Test
    @Order(2)
    void runsOnTheSameCore(@Neff("target/guide/tiles.neff") LoadedModel tiles, NeuronCore core) {
        tiles.execute(Map.of());
        assertThat(core.index()).isZero();
    }
    // end::kernel
}
