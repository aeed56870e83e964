package com.example;

// tag::test
import dev.neurontest.ExpectCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import org.junitpioneer.jupiter.RetryingTest;
import org.junitpioneer.jupiter.cartesian.CartesianTest;
import org.junitpioneer.jupiter.cartesian.CartesianTest.Values;

@NeuronTest
class PioneerTest {

    @CartesianTest
    @ExpectCounter(value = "inference_count", min = 1)
    void infersInEachCombination(
            @Values(ints = {1, 8}) int batch,
            @Values(strings = {"bf16", "fp8"}) String type,
            NeuronCore core,
            FakeNeuronHost fake) {
        infer(core, fake, batch);
    }

    @RetryingTest(2)
    @ExpectCounter(value = "inference_count", delta = 1)
    void isTriedAgain(NeuronCore core, FakeNeuronHost fake) {
        infer(core, fake, 1);
    }

    private static void infer(NeuronCore core, FakeNeuronHost fake, int times) {
        try (FakeProcess process = fake.openProcess("java", core)) {
            process.execute(core, times);
        }
    }
}
// end::test
