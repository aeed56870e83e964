package dev.neurontest.examples;

import dev.neurontest.AllowCounter;
import dev.neurontest.Count;
import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

@NeuronTest
class FirstTest {

    @Test
    @ExpectCounter(value = "inference_count", delta = 100)
    @ExpectDeviceMemoryReturned
    void answersAHundredTimes(NeuronCore core, FakeNeuronHost fake) {
        // On hardware this line is your workload. On the fake it is scripted: what would it do to the driver?
        try (FakeProcess process = fake.openProcess("python3", core)) {
            process.allocate(core, "tensors", 3 << 20);
            process.execute(core, 100);
        }
    }

    @Test
    @AllowCounter("oob_error")
    void mayReachOutOfBounds(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
        try (FakeProcess process = fake.openProcess(cores.get(0))) {
            process.execute(cores.get(0), NrtStatus.of("NRT_EXEC_OOB"), 1);
        }
    }
}
