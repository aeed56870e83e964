package dev.neurontest.examples.guide;

import dev.neurontest.NeuronIndex;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A broken core, as docs/leases.md shows it. */
@NeuronTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class QuarantineGuideFixture {

    @Test
    @Order(1)
    void meetsBrokenMemory(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
        fake.device(0).ecc("mem_uncorrected", 1);
    }

    @Test
    @Order(2)
    void wantsTheSameCore(@NeuronIndex(0) NeuronCore core) {}
}
