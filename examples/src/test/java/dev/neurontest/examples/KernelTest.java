package dev.neurontest.examples;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;

import dev.neurontest.AllowCounter;
import dev.neurontest.ExpectCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests for a kernel developer: the kernel works, and fails where it should. */
@NeuronTest
class KernelTest {

    private final Workload kernel;

    KernelTest(NeuronHost host, Optional<FakeNeuronHost> fake) {
        kernel = Workload.on(host, fake);
    }

    @Test
    @AllowCounter("oob_error")
    @ExpectCounter(value = "oob_error", delta = 1)
    void reportsThatItReachedOutOfBounds(NeuronCore core) {
        kernel.reachOutOfBounds(core);
    }

    @Test
    void countsFloatingPointOperationsInPairs(NeuronCore core, Counters counters) {
        CounterDiff warm = counters.during(() -> kernel.infer(List.of(core), 1));
        CounterDiff timed = counters.during(() -> kernel.infer(List.of(core), 10));

        assertThat(warm).counter("flop_count").rose();
        assertThat(timed).counter("flop_count").rose();
        assertThat(timed).hasNoErrors();
    }
}
