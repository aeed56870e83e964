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
                .containsExactly("BertTest > t() passed on attempt 2 on neuron1/neuron_core0;"
                        + " attempt 1 failed on neuron0/neuron_core3: reason of BertTest > t()");
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
                .containsExactly("BertTest > t() passed on attempt 2 on neuron0/neuron_core3;"
                        + " attempt 1 lost on neuron0/neuron_core3: JVM 1 was killed while the test was in its body");
    }

    @Test
    void namesReasonOfEachFailedAttempt() throws IOException {
        // given
        RunLinesFixture jvm = jvm(1);
        for (int number = 1; number < 3; number++) {
            jvm.add(new RunEvent.TestFinished(
                            test("t"), Outcome.FAILED, List.of(CORE_3), "cause " + number + "\nline 2"))
                    .add(new RunEvent.PlanFinished());
        }
        jvm.ran(test("t"), Outcome.PASSED, CORE_4)
                .add(new RunEvent.PlanFinished())
                .finished()
                .writeTo(folder);

        // then
        assertThat(flaky())
                .containsExactly("BertTest > t() passed on attempt 3 on neuron1/neuron_core0;"
                        + " attempt 1 failed on neuron0/neuron_core3: cause 1 line 2;"
                        + " attempt 2 failed on neuron0/neuron_core3: cause 2 line 2");
    }

    @Test
    void excludesTestThatFailedOnBothCores() throws IOException {
        // given
        TestId first = attempt(1);
        jvm(1).add(new RunEvent.AttemptStarted(first, whole()))
                .begun(first, CORE_3)
                .add(new RunEvent.Retried(first, List.of(CORE_3), "status 5"))
                .ended(first, Outcome.ABORTED, CORE_3)
                .add(new RunEvent.AttemptStarted(attempt(2), whole()))
                .ran(attempt(2), Outcome.FAILED, CORE_4)
                .finished()
                .writeTo(folder);

        // then
        assertThat(flaky()).isEmpty();
    }

    private static TestId whole() {
        return new TestId("[engine:junit-jupiter]/[class:BertTest]/[test-template:t()]", "BertTest > t()");
    }

    private static TestId attempt(int number) {
        return new TestId(
                whole().id() + "/[test-template-invocation:#" + number + "]", "BertTest > t() > attempt " + number);
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
