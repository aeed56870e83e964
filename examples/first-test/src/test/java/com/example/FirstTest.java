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
        try (var model = fake.openProcess("python3", core)) {
            model.execute(core, 100);
        }
    }
}
