package dev.neurontest.examples.guide;

import dev.neurontest.NeuronExtension;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules that are made in code: docs/counters.md. */
// tag::class
class RulesGuideTest {

    @RegisterExtension
    static final NeuronExtension NEURON = NeuronExtension.builder()
            .counters(rules -> rules.allow("oob_error"))
            .build();

    @Test
    void mayReachOutOfBounds(NeuronCore core, FakeNeuronHost fake) {
        new Model(fake).fail(core, "NRT_EXEC_OOB", 1);
    }
}
// end::class
