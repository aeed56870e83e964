package com.example;

// tag::test
import dev.neurontest.ExpectCounter;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

@NeuronTest
@Testcontainers(disabledWithoutDocker = true)
class TestcontainersTest {

    @Container
    static final GenericContainer<?> STORE =
            new GenericContainer<>("redis:7-alpine").withExposedPorts(6379);

    @Test
    @ExpectCounter(value = "inference_count", delta = 1)
    void infersBesideAContainer(NeuronCore core, FakeNeuronHost fake) {
        try (FakeProcess process = fake.openProcess("java", core)) {
            process.execute(core, STORE.isRunning() ? 1 : 0);
        }
    }
}
// end::test
