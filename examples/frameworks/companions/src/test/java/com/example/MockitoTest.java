package com.example;

// tag::test
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.when;

import dev.neurontest.ExpectCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mock;
import org.mockito.junit.jupiter.MockitoExtension;

@NeuronTest
@ExtendWith(MockitoExtension.class)
class MockitoTest {

    @Test
    @ExpectCounter(value = "inference_count", delta = 3)
    void infersAsOftenAsTheQueueSays(NeuronCore core, FakeNeuronHost fake, @Mock IntSupplier queue) {
        when(queue.getAsInt()).thenReturn(3);
        try (FakeProcess process = fake.openProcess("java", core)) {
            process.execute(core, queue.getAsInt());
        }
        assertThat(core.name()).startsWith("neuron");
    }
}
// end::test
