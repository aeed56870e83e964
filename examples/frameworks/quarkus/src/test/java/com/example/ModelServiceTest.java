package com.example;

// tag::test
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.neurontest.ExpectCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

@NeuronTest
@QuarkusTest
class ModelServiceTest {

    @Inject
    ModelService service;

    @Test
    @ExpectCounter(value = "inference_count", delta = 5)
    void answersFiveRequests(NeuronCore core, FakeNeuronHost fake) {
        try (FakeProcess process = fake.openProcess("java", core)) {
            assertEquals(5, service.answer(5, () -> process.execute(core, 1)));
        }
    }
}
// end::test
