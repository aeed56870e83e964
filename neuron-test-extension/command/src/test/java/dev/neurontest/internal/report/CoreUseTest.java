package dev.neurontest.internal.report;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static dev.neurontest.internal.evidence.RunLinesFixture.testClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.report.merge.MergeFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoreUseTest {

    private static final String PAIR = "core 5 (neuron10/neuron_core2, neuron10/neuron_core3)";

    @TempDir
    Path folder;

    private List<CoreUse> cores() {
        return CoreUse.of(MergeFixture.afterAllEnded(List.of(folder)));
    }

    @Test
    void countsTestsFailuresAndQuarantinesByCore() throws IOException {
        // given
        new RunLinesFixture(1)
                .started("a")
                .onHardware()
                .ran(test("t"), Outcome.PASSED, PAIR)
                .ran(test("u"), Outcome.FAILED, PAIR, "neuron2/neuron_core0")
                .add(new RunEvent.Quarantined("BertTest > u()", List.of("neuron2/neuron_core1"), "hung", 1, false))
                .begun(test("lost"), PAIR)
                .writeTo(folder);

        // then
        assertThat(cores())
                .extracting(core -> core.device() + " " + core.core() + ": " + core.tests() + ", " + core.failed()
                        + ", " + core.quarantines().size())
                .containsExactly(
                        "neuron2 neuron2/neuron_core0: 1, 1, 0",
                        "neuron2 neuron2/neuron_core1: 0, 0, 1",
                        "neuron10 " + PAIR + ": 3, 2, 0");
    }

    @Test
    void countsTestWithAttemptsOnceOnEachOfItsCores() throws IOException {
        // given
        RunLinesFixture jvm = new RunLinesFixture(1).started("a").onHardware();
        for (String core : List.of("neuron0/neuron_core0", "neuron0/neuron_core0", "neuron1/neuron_core0")) {
            jvm.ran(test("t"), core.startsWith("neuron0") ? Outcome.FAILED : Outcome.PASSED, core)
                    .add(new RunEvent.PlanFinished());
        }
        jvm.finished().writeTo(folder);

        // then
        assertThat(cores())
                .extracting(core -> core.core() + ": " + core.tests() + ", " + core.failed())
                .containsExactly("neuron0/neuron_core0: 1, 1", "neuron1/neuron_core0: 1, 0");
    }

    @Test
    void countsSharedTimeOnceWithoutWaiting() throws IOException {
        // given
        new RunLinesFixture(1)
                .started("a")
                .onHardware()
                .begun(testClass(), PAIR)
                .ran(test("t"), Outcome.PASSED, PAIR)
                .after(Duration.ofSeconds(3))
                .add(new RunEvent.Released(testClass(), List.of(PAIR), Duration.ofSeconds(3)))
                .finished()
                .writeTo(folder);

        // then
        assertThat(cores()).singleElement().satisfies(core -> {
            assertThat(core.tests()).isEqualTo(1);
            assertThat(core.used()).isEqualTo(Duration.ofMillis(3096));
        });
    }

    @Test
    void separatesCoresOfTwoHosts() throws IOException {
        // given
        for (int pid = 1; pid <= 2; pid++) {
            new RunLinesFixture(pid)
                    .started("machine" + pid)
                    .onHardware()
                    .ran(test("t"), Outcome.PASSED, PAIR)
                    .finished()
                    .writeTo(folder);
        }

        // then
        assertThat(cores()).extracting(CoreUse::host).containsExactly("machine1", "machine2");
    }
}
