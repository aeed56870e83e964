package dev.neurontest.examples.guide;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static java.time.Duration.ofSeconds;

import dev.neurontest.AllowCounter;
import dev.neurontest.Count;
import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.ExpectPeakMemory;
import dev.neurontest.NeuronTest;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page docs/counters.md. */
@NeuronTest
class CountersGuideTest {

    // tag::used
    private Model model;

    @BeforeEach
    void createModel(FakeNeuronHost fake) {
        model = new Model(fake);
    }
    // end::used

    // tag::first
    @Test
    @ExpectCounter(value = "inference_count", delta = 100)
    @ExpectDeviceMemoryReturned
    void answersAHundredTimes(NeuronCore core) {
        model.infer(core, 100);
    }
    // end::first

    // tag::allow
    @Test
    @AllowCounter("oob_error")
    @ExpectCounter(value = "oob_error", delta = 1)
    void reportsThatItReachedOutOfBounds(NeuronCore core) {
        model.fail(core, "NRT_EXEC_OOB", 1);
    }
    // end::allow

    // tag::several
    @Test
    @ExpectCounter(value = "inference_count", delta = 20) // the sum over both cores
    @ExpectCounter(value = "model_load_count", delta = 1, each = true)
    @ExpectPeakMemory(category = "device_mem/tensors", atMost = "16 MiB", clearFirst = true)
    void runsOnTwoCores(@Count(2) List<NeuronCore> cores) {
        model.infer(cores, 10);
    }
    // end::several

    // tag::during
    @Test
    void loadsOnlyOnce(NeuronCore core, Counters counters) {
        CounterDiff first = counters.during(() -> model.infer(core, 1));
        CounterDiff second = counters.during(() -> model.infer(core, 10));

        assertThat(first).counter("model_load_count").roseBy(1);
        assertThat(second).counter("inference_count").roseBy(10);
        assertThat(second).hasNoErrors().deviceMemoryReturned("64 KiB");
    }
    // end::during

    // tag::await
    @Test
    void warmsUp(NeuronCore core, Counters counters) {
        try (FakeProcess server = model.start(core)) {
            server.execute(core, 12);

            counters.await("device_mem/model_code").atLeast(1).within(ofSeconds(30)); // the model is on the core
            counters.await("inference_count").atLeast(10).within(ofSeconds(5)); // ten requests were answered
        }
    }
    // end::await

    // tag::host
    @Test
    void movesNoErrorCounterOfTheWholeHost(NeuronCore core, Counters counters) {
        CounterDiff diff = counters.wholeHost().during(() -> model.infer(core, 5));

        assertThat(diff).hasNoErrors();
    }
    // end::host
}
