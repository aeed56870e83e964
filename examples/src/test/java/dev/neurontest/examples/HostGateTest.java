package dev.neurontest.examples;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.ForEachCore;
import dev.neurontest.ForEachDevice;
import dev.neurontest.NeuronTest;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.DeviceHealth;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.Fault;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests for a CI owner: the host of the gate is healthy, and a run does not change its error counters. */
@NeuronTest
class HostGateTest {

    @ForEachDevice
    void isHealthy(NeuronDevice device) {
        assertThat(device.health().state()).isNotEqualTo(DeviceHealth.State.UNHEALTHY);
        assertThat(device.cores()).isNotEmpty();
    }

    @ForEachCore
    void answers(NeuronCore core, NeuronHost host, Optional<FakeNeuronHost> fake) {
        Workload.on(host, fake).infer(List.of(core), 1);
    }

    @Test
    void aRunMovesNoErrorCounterAnywhere(
            NeuronCore core, Counters counters, NeuronHost host, Optional<FakeNeuronHost> fake) {
        CounterDiff diff =
                counters.wholeHost().during(() -> Workload.on(host, fake).infer(List.of(core), 5));

        assertThat(diff).hasNoErrors();
    }

    /**
     * Verifies a corrected memory error, which only a fake produces on request. The gate would count an uncorrected
     * one, because it belongs to no test with a core of the device.
     */
    @Test
    void noticesACorrectedMemoryErrorOfAnyDevice(Counters counters, NeuronHost host, Optional<FakeNeuronHost> fake) {
        assumeTrue(fake.isPresent(), "hardware cannot be told to break");

        CounterDiff diff =
                counters.wholeHost().during(() -> fake.get().device(0).fault(Fault.ecc("mem_corrected", 1)));

        assertThat(diff).counter("hardware/mem_ecc_corrected").roseBy(1);
    }
}
