package com.example;

// tag::test
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.ExpectCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
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
        try (FakeProcess process = fake.openProcess("java", core)) {
            assertThat(service.answer(5, () -> process.execute(core, 1))).isEqualTo(5);
        }
    }
}
// end::test
