package com.example;

// tag::test
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.ExpectCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@NeuronTest
@SpringBootTest(classes = ModelService.class)
class ModelServiceTest {

    @Autowired
    ModelService service;

    @Test
    @ExpectCounter(value = "inference_count", delta = 5)
    void answersFiveRequests(NeuronCore core, FakeNeuronHost fake) {
        FakeCore physical = fake.core(core.physicalCores().get(0).toString());
        try (FakeProcess process = fake.openProcess("java", physical)) {
            assertThat(service.answer(5, () -> process.execute(physical, 1))).isEqualTo(5);
        }
    }
}
// end::test
