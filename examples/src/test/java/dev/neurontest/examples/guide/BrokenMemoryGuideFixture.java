package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.Neff;
import dev.neurontest.NeuronIndex;
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

/** A core with broken memory, as docs/fake-host.md shows it. */
@NeuronTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BrokenMemoryGuideFixture {

    // tag::memory
    @BeforeAll
    static void script(FakeNeuronHost fake) throws IOException {
        assumeTrue(FakeRuntime.unavailable().isEmpty());
        GuideNeffs.kernels();
        fake.runtime().reset().neff("tiles").fault(ExecutionFault.SRAM).times(1);
    }

    @Test
    @Order(1)
    void executesOnBrokenMemory(@Neff("target/guide/tiles.neff") LoadedModel tiles) {
        tiles.execute(Map.of());
    }

    @Test
    @Order(2)
    void runsOnAnotherCore(NeuronCore core) {
        assertThat(core.index()).isEqualTo(1);
    }
    // end::memory

    /** Requests the broken core. A private fake resets suspect devices, which does not repair memory. */
    @Test
    @Order(3)
    void requestsTheBrokenCore(@NeuronIndex(0) NeuronCore core) {}
}
