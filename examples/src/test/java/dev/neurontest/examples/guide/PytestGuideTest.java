package dev.neurontest.examples.guide;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;

import dev.neurontest.NeuronTest;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import org.junit.jupiter.api.Test;

/** Tests that the page for users of pytest or JfrUnit shows. */
@NeuronTest
class PytestGuideTest {

    // tag::during
    @Test
    void countsWhatHappensMeanwhile(NeuronCore core, Counters counters, FakeNeuronHost fake) {
        try (FakeProcess process = fake.openProcess("python3", core)) {
            CounterDiff diff = counters.during(() -> process.execute(core, 100));
            assertThat(diff).counter("inference_count").roseBy(100);
        }
    }
    // end::during
}
