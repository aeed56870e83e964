package com.example;

// tag::test
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.ExpectCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.RepeatedTest;

@NeuronTest
class ParallelTest {

    private static final Set<String> TAKEN = ConcurrentHashMap.newKeySet();

    @RepeatedTest(20)
    @ExpectCounter(value = "inference_count", delta = 2)
    void hasItsCoreForItself(NeuronCore core, FakeNeuronHost fake) {
        assertThat(TAKEN.add(core.name())).isTrue();
        try (FakeProcess process = fake.openProcess("java", core)) {
            process.execute(core, 2);
        }
        TAKEN.remove(core.name());
    }
}
// end::test
