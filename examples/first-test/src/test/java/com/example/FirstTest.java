package com.example;

import dev.neurontest.ExpectCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import org.junit.jupiter.api.Test;

@NeuronTest
class FirstTest {

    @Test
    @ExpectCounter(value = "inference_count", delta = 100)
    void answersAHundredTimes(NeuronCore core, FakeNeuronHost fake) {
        // On hardware your workload stands here. For the fake, say what a workload does to the driver.
        var physical = fake.core(core.physicalCores().get(0).toString());
        try (var model = fake.openProcess("python3", physical)) {
            model.execute(physical, 100);
        }
    }
}
