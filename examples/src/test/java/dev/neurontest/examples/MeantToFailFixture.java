package dev.neurontest.examples;

import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.NeuronIndex;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Tests that fail on purpose, to show their messages. The build runs them through {@link FailureTablesTest} only. */
@NeuronTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MeantToFailFixture {

    /** Times out an execution, in a test that runs before a process is left on the device. */
    @Test
    @Order(1)
    void anExecutionTimesOut(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
        try (FakeProcess process = fake.openProcess("python3", core)) {
            process.execute(core, 97);
            process.execute(core, NrtStatus.of("NRT_TIMEOUT"), 3);
        }
    }

    @Test
    @ExpectCounter(value = "inference_count", delta = 100)
    @ExpectDeviceMemoryReturned(tolerance = "64 KiB")
    void executionsAreMissingAndMemoryStaysBehind(@NeuronIndex(1) NeuronCore core, FakeNeuronHost fake) {
        FakeProcess leftRunning = fake.openProcess("python3", core);
        leftRunning.allocate(core, "tensors", 2 << 20);
        leftRunning.execute(core, 99);
    }
}
