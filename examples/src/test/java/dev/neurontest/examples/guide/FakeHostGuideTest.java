package dev.neurontest.examples.guide;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.neurontest.AllowCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.NrtStatus;
import org.junit.jupiter.api.Test;

/**
 * Tests that the page about the fake host shows. They use JUnit alone, because the page about reports runs them without
 * other libraries.
 */
@NeuronTest
class FakeHostGuideTest {

    // tag::script
    @Test
    @AllowCounter("timeout")
    void retriesAfterATimeout(NeuronCore core, FakeNeuronHost fake) {
        try (FakeProcess process = fake.openProcess("python3", core)) {
            process.execute(core, NrtStatus.of("NRT_TIMEOUT"), 1);
            process.execute(core, 99);
        }
    }
    // end::script

    // tag::fault
    @Test
    void showsAFileThatCannotBeRead(NeuronCore core, FakeNeuronHost fake) {
        FakeCore physical = fake.core(core);
        try (FakeFault fault = physical.fault(
                Fault.errno("stats/status/success/total", Errno.EIO).afterReads(3))) {
            // what the program under test does with an unreadable file
            assertFalse(fault.triggered());
        }
    }
    // end::fault
}
