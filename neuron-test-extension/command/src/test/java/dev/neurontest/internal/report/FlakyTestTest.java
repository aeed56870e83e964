package dev.neurontest.internal.report;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.merge.MergeFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlakyTestTest {

    private static final String CORE_3 = "neuron0/neuron_core3";
    private static final String CORE_4 = "neuron1/neuron_core0";

    @TempDir
    Path folder;

    private static RunLinesFixture jvm(long pid) {
        return new RunLinesFixture(pid).started("a").onHardware();
    }

    private List<String> flaky() {
        return FlakyTest.of(MergeFixture.afterAllEnded(List.of(folder))).stream()
                .map(FlakyTest::toString)
                .toList();
    }

    @Test
    void namesTestThatFailedAndPassedInLaterJvm() throws IOException {
        // given
        jvm(1).ran(test("t"), Outcome.FAILED, CORE_3).finished().writeTo(folder);
        jvm(2).at("2026-11-21T09:10:00Z")
                .ran(test("t"), Outcome.PASSED, CORE_4)
                .finished()
                .writeTo(folder);

        // then
        assertThat(flaky())
                .containsExactly(
                        "BertTest > t() failed once on neuron0/neuron_core3, passed later on neuron1/neuron_core0");
    }

    @Test
    void namesLostTestThatPassedInLaterJvm() throws IOException {
        // given
        jvm(1).begun(test("t"), CORE_3).writeTo(folder);
        jvm(2).at("2026-11-21T09:10:00Z")
                .ran(test("t"), Outcome.PASSED, CORE_3)
                .finished()
                .writeTo(folder);

        // then
        assertThat(flaky())
                .containsExactly(
                        "BertTest > t() failed once on neuron0/neuron_core3, passed later on neuron0/neuron_core3");
    }

    @Test
    void namesTestRetriedOnAnotherCore() throws IOException {
        // given
        jvm(1).begun(test("t"), CORE_3)
                .add(new RunEvent.Retried(test("t"), List.of(CORE_3), "hw_error rose by 1"))
                .ended(test("t"), Outcome.ABORTED, CORE_3)
                .finished()
                .writeTo(folder);

        // then
        assertThat(flaky())
                .containsExactly("BertTest > t() failed once on neuron0/neuron_core3, was run again on another core");
    }

    @Test
    void excludesTestThatFailedOnBothCores() throws IOException {
        // given
        TestId first = attempt(1);
        jvm(1).begun(first, CORE_3)
                .add(new RunEvent.Retried(first, List.of(CORE_3), "status 5"))
                .ended(first, Outcome.ABORTED, CORE_3)
                .ran(attempt(2), Outcome.FAILED, CORE_4)
                .finished()
                .writeTo(folder);

        // then
        assertThat(flaky()).isEmpty();
    }

    private static TestId attempt(int number) {
        return new TestId(
                "[engine:junit-jupiter]/[class:BertTest]/[test-template:t()]/[test-template-invocation:#" + number
                        + "]",
                "BertTest > t() > attempt " + number);
    }

    @Test
    void excludesTestThatNeverPassedAfterFailing() throws IOException {
        // given
        jvm(1).ran(test("t"), Outcome.FAILED, CORE_3)
                .ran(test("t"), Outcome.FAILED, CORE_3)
                .ran(test("u"), Outcome.PASSED, CORE_3)
                .ran(test("u"), Outcome.FAILED, CORE_3)
                .finished()
                .writeTo(folder);

        // then
        assertThat(flaky()).isEmpty();
    }

    @Test
    void excludesTestThatPassedOnlyOnFake() throws IOException {
        // given
        jvm(1).ran(test("t"), Outcome.FAILED, CORE_3).finished().writeTo(folder);
        new RunLinesFixture(2)
                .at("2026-11-21T09:10:00Z")
                .started("a")
                .onFake()
                .ran(test("t"), Outcome.PASSED, CORE_3)
                .finished()
                .writeTo(folder);

        // then
        assertThat(flaky()).isEmpty();
    }
}
