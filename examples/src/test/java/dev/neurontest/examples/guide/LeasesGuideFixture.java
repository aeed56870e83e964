package dev.neurontest.examples.guide;

import dev.neurontest.Count;
import dev.neurontest.NeuronIndex;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Failures that docs/leases.md shows. */
@NeuronTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LeasesGuideFixture {

    private static FakeProcess notebook;

    @BeforeAll
    static void openANotebook(FakeNeuronHost fake) {
        notebook = fake.openProcess("jupyter", fake.device(0).core(0));
    }

    @AfterAll
    static void closeTheNotebook() {
        notebook.close();
    }

    @Test
    @Order(1)
    void wantsMoreThanThereIs(@Count(64) List<NeuronCore> cores) {}

    @Test
    @Order(2)
    @Timeout(1)
    void hangs(@NeuronIndex(4) NeuronCore core, FakeNeuronHost fake) throws InterruptedException {
        new Model(fake).infer(core, 3);
        Thread.sleep(60_000);
    }

    @Test
    @Order(3)
    void wantsTheDeviceOfANotebook(@NeuronIndex(1) NeuronCore core) {}

    @Test
    @Order(4)
    void wantsAGroupOfSix(@Count(value = 6, collectives = true) List<NeuronCore> cores) {}
}
