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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static RunEvent.HostAdded host(String name, String kind) {
        return new RunEvent.HostAdded("Slurm", name, kind, "trn1.32xlarge", "2.30.51.0", 16, 32);
    }

    @Test
    void coresOfClusterBelongToTheirHosts() throws IOException {
        // given
        new RunLinesFixture(1)
                .started("n1")
                .onHardware()
                .add(host("n1", "real"))
                .add(host("n2", "real"))
                .ran(test("own"), Outcome.PASSED, "neuron0/neuron_core0")
                .ran(
                        test("cluster"),
                        Outcome.FAILED,
                        "n1:neuron0/neuron_core0",
                        "n2:neuron0/neuron_core0",
                        "n2:" + PAIR)
                .finished()
                .writeTo(folder);

        // then
        assertThat(cores())
                .extracting(core -> "%s %s %s: %s, %s"
                        .formatted(core.host(), core.device(), core.core(), core.tests(), core.failed()))
                .containsExactly(
                        "n1 neuron0 neuron0/neuron_core0: 2, 1",
                        "n2 neuron0 neuron0/neuron_core0: 1, 1",
                        "n2 neuron10 " + PAIR + ": 1, 1");
    }

    private void quarantinedOn(String machine, int jvm, String kind) throws IOException {
        new RunLinesFixture(jvm)
                .started(machine)
                .onHardware()
                .add(host("n2", kind))
                .add(new RunEvent.Quarantined("BertTest > u()", List.of("n2:neuron2/neuron_core1"), "hung", 1, false))
                .finished()
                .writeTo(folder);
    }

    @Test
    void quarantineOfRealHostThatSeveralJvmsReportIsOne() throws IOException {
        // given
        quarantinedOn("n1", 1, "real");
        quarantinedOn("n3", 2, "real");
        new RunLinesFixture(3)
                .started("n2")
                .onHardware()
                .add(new RunEvent.Quarantined("BertTest > u()", List.of("neuron2/neuron_core1"), "hung", 1, false))
                .finished()
                .writeTo(folder);

        // then
        assertThat(cores()).singleElement().satisfies(core -> {
            assertThat(core.host()).isEqualTo("n2");
            assertThat(core.quarantines()).hasSize(1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"n1", "n3"})
    void hostsOfFakesHaveTheirOwnQuarantines(String secondMachine) throws IOException {
        // given
        quarantinedOn("n1", 1, "fake");
        quarantinedOn(secondMachine, 2, "fake");

        // then
        assertThat(cores())
                .singleElement()
                .satisfies(core -> assertThat(core.quarantines()).hasSize(2));
    }

    /** Verifies that a core of another fake host with the same name does not end a quarantine. */
    @Test
    void quarantineOfFakeIsNotEndedByAnotherJvm() throws IOException {
        // given
        quarantinedOn("n1", 1, "fake");
        new RunLinesFixture(2)
                .started("n1")
                .onHardware()
                .add(host("n2", "fake"))
                .after(Duration.ofSeconds(1))
                .add(new RunEvent.QuarantineEnded("n2:neuron2/neuron_core1", "hung", "a check passed"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(cores())
                .singleElement()
                .satisfies(core -> assertThat(core.quarantines())
                        .singleElement()
                        .satisfies(quarantine -> assertThat(quarantine.ended()).isEmpty()));
    }

    @Test
    void coreOfHostWithColonsInItsNameIsOne() throws IOException {
        // given
        new RunLinesFixture(1)
                .started("vm")
                .onFake()
                .add(host("fe80::1", "real"))
                .ran(test("t"), Outcome.FAILED, "fe80::1:" + PAIR)
                .ran(test("t"), Outcome.PASSED, "fe80::1:" + PAIR)
                .add(new RunEvent.Quarantined("BertTest > t()", List.of("fe80::1:" + PAIR), "hung", 1, false))
                .finished()
                .writeTo(folder);

        // then
        assertThat(cores()).singleElement().satisfies(core -> {
            assertThat(core.host()).isEqualTo("fe80::1");
            assertThat(core.device()).isEqualTo("neuron10");
            assertThat(core.quarantines()).hasSize(1);
        });
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
