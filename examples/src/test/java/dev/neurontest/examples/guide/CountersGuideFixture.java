package dev.neurontest.examples.guide;

import static java.time.Duration.ofMillis;

import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.NeuronIndex;
import dev.neurontest.NeuronTest;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Failures that docs/counters.md shows. */
@NeuronTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CountersGuideFixture {

    private static final List<FakeProcess> LEFT_RUNNING = new ArrayList<>();

    private final Model model;

    CountersGuideFixture(FakeNeuronHost fake) {
        model = new Model(fake);
    }

    @AfterAll
    static void endAll() {
        LEFT_RUNNING.forEach(FakeProcess::close);
        LEFT_RUNNING.clear();
    }

    /**
     * Ends the processes of the test before. After that test would be too early, because its counters are judged last.
     */
    @BeforeEach
    void endWhatIsLeftOfTheTestBefore() {
        endAll();
    }

    private FakeProcess startAndLeaveRunning(NeuronCore core) {
        FakeProcess process = model.start(core);
        LEFT_RUNNING.add(process);
        return process;
    }

    @Test
    @Order(1)
    @ExpectCounter(value = "inference_count", delta = 100)
    void answersTooSeldom(@NeuronIndex(0) NeuronCore core) {
        model.infer(core, 99);
    }

    @Test
    @ExpectDeviceMemoryReturned
    void keepsMemory(@NeuronIndex(0) NeuronCore core) {
        startAndLeaveRunning(core).execute(core, 1);
    }

    @Test
    @ExpectCounter(value = "inference_counts", delta = 100)
    void asksForACounterThatIsNotThere(@NeuronIndex(0) NeuronCore core) {
        model.infer(core, 100);
    }

    @Test
    @ExpectCounter(value = "inference_count", delta = 100)
    void cannotBeDecidedWhileTheServerRuns(@NeuronIndex(1) NeuronCore core) {
        startAndLeaveRunning(core).execute(core, 100);
    }

    @Test
    @Order(2)
    void waitsInVain(@NeuronIndex(1) NeuronCore core, Counters counters) {
        model.infer(core, 7);
        counters.await("inference_count").atLeast(10).within(ofMillis(200));
    }
}
