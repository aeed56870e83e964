package dev.neurontest.internal.report.merge;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static dev.neurontest.internal.evidence.RunLinesFixture.testClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.FlakyTest;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.Overview;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of which executions are one test with attempts. */
class AttemptMergeTest {

    private static final String CORE = "neuron0/neuron_core0";

    @TempDir
    Path folder;

    private final RunLinesFixture jvm = jvm(1);

    private static RunLinesFixture jvm(long pid) {
        return new RunLinesFixture(pid).started("a").onFake();
    }

    private void plan(Object... testsAndOutcomes) {
        plan(jvm, testsAndOutcomes);
    }

    private static void plan(RunLinesFixture jvm, Object[] testsAndOutcomes) {
        for (int i = 0; i < testsAndOutcomes.length; i += 2) {
            jvm.ran((TestId) testsAndOutcomes[i], (Outcome) testsAndOutcomes[i + 1], CORE);
        }
        jvm.add(new RunEvent.PlanFinished());
    }

    /** Writes the run file of another JVM with two plans of one test each. */
    private void otherJvm(TestId first, Outcome firstOutcome, TestId second, Outcome secondOutcome) throws IOException {
        RunLinesFixture other = jvm(2).at("2026-11-21T09:10:00Z");
        plan(other, new Object[] {first, firstOutcome});
        plan(other, new Object[] {second, secondOutcome});
        other.finished().writeTo(folder);
    }

    private RunReport report() throws IOException {
        jvm.finished().writeTo(folder);
        return MergeFixture.afterAllEnded(List.of(folder));
    }

    /** Returns the tests, each with the outcomes of its attempts. */
    private static List<String> tests(RunReport report) {
        return report.tests().stream()
                .map(test -> test.id().name()
                        + test.executions().stream()
                                .map(each -> each.outcome().toString())
                                .collect(Collectors.joining(", ", ": ", "")))
                .sorted()
                .toList();
    }

    private static List<String> failedGates(RunReport report) {
        return GateRules.ofDefaults().decide(report).stream()
                .filter(gate -> !gate.passed())
                .map(gate -> gate.gate() + ": " + gate.actual())
                .toList();
    }

    private static TestId testOfOtherClass() {
        return new TestId("[engine:junit-jupiter]/[class:com.acme.T5Test]/[method:t()]", "T5Test > t()");
    }

    private static TestId whole() {
        return new TestId(testClass().id() + "/[test-template:t()]", "BertTest > t()");
    }

    private static TestId invocation(int number) {
        return new TestId(
                whole().id() + "/[test-template-invocation:#" + number + "]", "BertTest > t() > [" + number + "]");
    }

    @Test
    void mergesTestThatRanAgainInLaterPlanAfterFailure() throws IOException {
        plan(test("t"), Outcome.FAILED, test("u"), Outcome.PASSED);
        plan(test("t"), Outcome.PASSED);

        RunReport report = report();

        assertThat(tests(report)).containsExactly("BertTest > t(): failed, passed", "BertTest > u(): passed");
        assertThat(Overview.of(report).outcomesInWords()).isEqualTo("2 passed");
        assertThat(Overview.of(report).executions()).isEqualTo(3);
        assertThat(failedGates(report))
                .containsExactly("flaky.max: 1 flaky test: BertTest > t() passed on attempt 2 on neuron0/neuron_core0;"
                        + " attempt 1 failed on neuron0/neuron_core0: reason of BertTest > t()");
    }

    @Test
    void namesAttemptsLikeTheirTest() throws IOException {
        // given
        TestId test = new TestId(
                testClass().id() + "/[method:t(dev.neurontest.device.NeuronCore)]", "BertTest > t(NeuronCore)");
        plan(test, Outcome.FAILED);
        plan(test, Outcome.PASSED);

        // then
        assertThat(report().executions())
                .extracting(each -> each.id().name())
                .containsExactly("BertTest > t()", "BertTest > t()");
    }

    @Test
    void addsUpWaitingTimesOfAttempts() throws IOException {
        plan(test("t"), Outcome.FAILED);
        plan(test("t"), Outcome.PASSED);

        assertThat(GateRules.ofDefaults()
                        .withAssignments(List.of("waiting.max=7ms"))
                        .decide(report()))
                .filteredOn(gate -> gate.gate().equals("waiting.max"))
                .singleElement()
                .satisfies(gate -> assertThat(gate.passed()).isFalse())
                .satisfies(gate -> assertThat(gate.actual())
                        .isEqualTo("8 ms of waiting for cores: 4 ms of it BertTest > t(); 4 ms of it BertTest > t()"));
    }

    @Test
    void failsTestThatFailedInLastOfThreePlans() throws IOException {
        plan(test("t"), Outcome.FAILED);
        plan(test("t"), Outcome.FAILED);
        plan(test("t"), Outcome.FAILED);

        RunReport report = report();

        assertThat(tests(report)).containsExactly("BertTest > t(): failed, failed, failed");
        assertThat(failedGates(report)).containsExactly("failed.max: 1 failed test: BertTest > t()");
    }

    @ParameterizedTest
    @EnumSource(names = {"ABORTED", "SKIPPED"})
    void failsTestThatDidNotRunAgainAfterFailure(Outcome last) throws IOException {
        plan(test("t"), Outcome.FAILED);
        plan(test("t"), last);

        RunReport report = report();

        assertThat(tests(report)).containsExactly("BertTest > t(): failed");
        assertThat(failedGates(report)).containsExactly("failed.max: 1 failed test: BertTest > t()");
    }

    @Test
    void mergesTestThatDidNotRunBetweenFailureAndPass() throws IOException {
        plan(test("t"), Outcome.FAILED);
        plan(test("t"), Outcome.ABORTED);
        plan(test("t"), Outcome.PASSED);

        RunReport report = report();

        assertThat(tests(report)).containsExactly("BertTest > t(): failed, aborted, passed");
        assertThat(failedGates(report)).singleElement().asString().startsWith("flaky.max: 1 flaky test");
    }

    @Test
    void isFlakyIfItDidNotRunAgainAfterPassedAttempt() throws IOException {
        plan(test("t"), Outcome.FAILED);
        plan(test("t"), Outcome.PASSED);
        plan(test("t"), Outcome.SKIPPED);

        assertThat(failedGates(report())).singleElement().asString().startsWith("flaky.max: 1 flaky test");
    }

    /** Fails no build, for example after a noisy comparison with a baseline. */
    @Test
    void isFlakyIfItIsUndecidedAfterFailure() throws IOException {
        plan(test("t"), Outcome.FAILED);
        plan(test("t"), Outcome.UNDECIDED);

        RunReport report = report();

        assertThat(tests(report)).containsExactly("BertTest > t(): failed, undecided");
        assertThat(failedGates(report))
                .contains("flaky.max: 1 flaky test: BertTest > t() undecided on attempt 2 on neuron0/neuron_core0;"
                        + " attempt 1 failed on neuron0/neuron_core0: reason of BertTest > t()");
    }

    @Test
    void failsTemplateWhoseLastAttemptDidNotRun() throws IOException {
        jvm.add(new RunEvent.AttemptStarted(invocation(1), whole())).ran(invocation(1), Outcome.ABORTED, CORE);
        jvm.add(new RunEvent.AttemptStarted(invocation(2), whole())).ran(invocation(2), Outcome.ABORTED, CORE);

        assertThat(tests(report())).containsExactly("BertTest > t(): failed");
    }

    @Test
    void keepsTestThatRanTwiceInOnePlan() throws IOException {
        plan(test("t"), Outcome.FAILED, test("t"), Outcome.PASSED);

        assertThat(tests(report())).containsExactly("BertTest > t(): failed", "BertTest > t(): passed");
    }

    @Test
    void keepsTestThatRanAgainInLaterPlanAfterPass() throws IOException {
        plan(test("t"), Outcome.PASSED);
        plan(test("t"), Outcome.FAILED);

        assertThat(tests(report())).containsExactly("BertTest > t(): failed", "BertTest > t(): passed");
    }

    @Test
    void keepsTestThatRanAgainInOtherJvm() throws IOException {
        plan(test("t"), Outcome.FAILED);
        jvm(2).at("2026-11-21T09:10:00Z")
                .ran(test("t"), Outcome.PASSED, CORE)
                .add(new RunEvent.PlanFinished())
                .finished()
                .writeTo(folder);

        RunReport report = report();

        assertThat(tests(report)).containsExactly("BertTest > t(): failed", "BertTest > t(): passed");
        assertThat(failedGates(report)).first().asString().startsWith("failed.max: 1 failed test");
    }

    @Test
    void keepsTestThatPassedInLaterPlanOfOtherJvm() throws IOException {
        plan(test("t"), Outcome.FAILED);
        otherJvm(test("u"), Outcome.PASSED, test("t"), Outcome.PASSED);

        RunReport report = report();

        assertThat(tests(report))
                .containsExactly("BertTest > t(): failed", "BertTest > t(): passed", "BertTest > u(): passed");
        assertThat(failedGates(report)).first().asString().startsWith("failed.max: 1 failed test");
    }

    @Test
    void keepsTestWhoseEarlierPlanFailedOnlyInOtherJvm() throws IOException {
        plan(test("t"), Outcome.FAILED);
        otherJvm(test("t"), Outcome.PASSED, test("t"), Outcome.FAILED);

        assertThat(tests(report()))
                .containsExactly("BertTest > t(): failed", "BertTest > t(): failed", "BertTest > t(): passed");
    }

    @Test
    void failsClassThatRanInLaterPlanOfOtherJvm() throws IOException {
        plan(test("t"), Outcome.PASSED, testClass(), Outcome.FAILED);
        otherJvm(test("u"), Outcome.PASSED, test("u"), Outcome.PASSED);

        RunReport report = report();

        assertThat(tests(report)).contains("BertTest: failed");
        assertThat(failedGates(report)).containsExactly("failed.max: 1 failed test: class BertTest");
    }

    @Test
    void keepsTestOfOtherClassThanTheFailedOne() throws IOException {
        plan(testOfOtherClass(), Outcome.PASSED, testClass(), Outcome.FAILED);
        plan(testOfOtherClass(), Outcome.FAILED, testClass(), Outcome.PASSED);

        assertThat(tests(report()))
                .containsExactly("BertTest: failed, passed", "T5Test > t(): failed", "T5Test > t(): passed");
    }

    @Test
    void keepsTestThatRanAgainInPlanOfLostTest() throws IOException {
        plan(test("t"), Outcome.PASSED, test("u"), Outcome.PASSED);
        jvm.add(new RunEvent.Planned(test("u")))
                .ran(test("t"), Outcome.PASSED, CORE)
                .writeTo(folder);

        assertThat(tests(MergeFixture.afterAllEnded(List.of(folder))))
                .containsExactly(
                        "BertTest > t(): passed",
                        "BertTest > t(): passed",
                        "BertTest > u(): lost",
                        "BertTest > u(): passed");
    }

    @Test
    void sumsRepetitionsOfAllAttempts() throws IOException {
        for (Outcome outcome : List.of(Outcome.FAILED, Outcome.PASSED)) {
            jvm.begun(test("t"), CORE)
                    .add(new RunEvent.Retried(test("t"), List.of(CORE), "hw_error rose"))
                    .ended(test("t"), outcome, CORE)
                    .add(new RunEvent.PlanFinished());
        }

        assertThat(report().tests()).extracting(ReportedTest::retries).containsExactly(2);
    }

    /** Gradle repeats all invocations of a method if one failed. */
    @Test
    void mergesPassedInvocationThatRanAgainBecauseOfAnother() throws IOException {
        plan(invocation(1), Outcome.PASSED, invocation(2), Outcome.FAILED);
        plan(invocation(1), Outcome.PASSED, invocation(2), Outcome.PASSED);

        RunReport report = report();

        assertThat(tests(report))
                .containsExactly("BertTest > t() > [1]: passed, passed", "BertTest > t() > [2]: failed, passed");
        assertThat(FlakyTest.of(report)).extracting(FlakyTest::id).containsExactly(invocation(2));
    }

    @Test
    void mergesAttemptsOfTemplateIntoTheTemplate() throws IOException {
        jvm.add(new RunEvent.AttemptStarted(invocation(1), whole())).ran(invocation(1), Outcome.ABORTED, CORE);
        jvm.add(new RunEvent.AttemptStarted(invocation(2), whole())).ran(invocation(2), Outcome.PASSED, CORE);

        RunReport report = report();

        assertThat(tests(report)).containsExactly("BertTest > t(): failed, passed");
        assertThat(report.tests()).extracting(ReportedTest::id).containsExactly(whole());
        assertThat(GateRules.ofDefaults()
                        .withAssignments(List.of("skipped.max=0"))
                        .decide(report))
                .filteredOn(gate -> !gate.passed())
                .extracting(GateOutcome::gate)
                .containsExactly("flaky.max");
    }

    @Test
    void mergesAttemptsOfTemplateThatRanAgainInLaterPlan() throws IOException {
        for (Outcome last : List.of(Outcome.FAILED, Outcome.PASSED)) {
            jvm.add(new RunEvent.AttemptStarted(invocation(1), whole())).ran(invocation(1), Outcome.ABORTED, CORE);
            jvm.add(new RunEvent.AttemptStarted(invocation(2), whole())).ran(invocation(2), last, CORE);
            jvm.add(new RunEvent.PlanFinished());
        }

        assertThat(tests(report())).containsExactly("BertTest > t(): failed, failed, failed, passed");
    }

    @Test
    void keepsTemplateThatRanAgainInLaterPlanAfterPass() throws IOException {
        for (int plan = 0; plan < 2; plan++) {
            jvm.add(new RunEvent.AttemptStarted(invocation(1), whole())).ran(invocation(1), Outcome.ABORTED, CORE);
            jvm.add(new RunEvent.AttemptStarted(invocation(2), whole())).ran(invocation(2), Outcome.PASSED, CORE);
            jvm.add(new RunEvent.PlanFinished());
        }

        assertThat(tests(report())).containsExactly("BertTest > t(): failed, passed", "BertTest > t(): failed, passed");
    }

    @Test
    void losesTemplateKilledBetweenItsAttempts() throws IOException {
        jvm.add(new RunEvent.Planned(whole()))
                .add(new RunEvent.AttemptStarted(invocation(1), whole()))
                .ran(invocation(1), Outcome.ABORTED, CORE)
                .writeTo(folder);

        assertThat(tests(MergeFixture.afterAllEnded(List.of(folder)))).containsExactly("BertTest > t(): failed, lost");
    }

    @Test
    void keepsAbortedLastAttemptAsAborted() throws IOException {
        jvm.add(new RunEvent.AttemptStarted(invocation(1), whole())).ran(invocation(1), Outcome.ABORTED, CORE);

        assertThat(tests(report())).containsExactly("BertTest > t(): aborted");
    }

    @Test
    void mergesClassThatFailedAndPassedInLaterPlan() throws IOException {
        jvm.add(new RunEvent.TestFinished(test("t"), Outcome.FAILED, List.of(), "no server"))
                .add(new RunEvent.TestFinished(test("u"), Outcome.FAILED, List.of(), "no server"))
                .add(new RunEvent.TestFinished(testClass(), Outcome.FAILED, List.of(), "no server"))
                .add(new RunEvent.PlanFinished());
        plan(test("t"), Outcome.PASSED, test("u"), Outcome.PASSED);

        RunReport report = report();

        assertThat(Overview.of(report).outcomesInWords()).isEqualTo("2 passed");
        assertThat(failedGates(report))
                .containsExactly("flaky.max: 2 flaky tests: "
                        + "BertTest > t() passed on attempt 2 on neuron0/neuron_core0; attempt 1 failed: no server; "
                        + "BertTest > u() passed on attempt 2 on neuron0/neuron_core0; attempt 1 failed: no server");
    }

    @Test
    void namesClassThatWasFlakyWithoutItsTests() throws IOException {
        plan(test("t"), Outcome.PASSED);
        RunLinesFixture again = jvm(2).ran(test("t"), Outcome.PASSED, CORE)
                .add(new RunEvent.TestFinished(testClass(), Outcome.FAILED, List.of(), "memory was not returned"))
                .add(new RunEvent.PlanFinished())
                .ran(test("t"), Outcome.PASSED, CORE)
                .add(new RunEvent.PlanFinished())
                .finished();
        again.writeTo(folder);

        RunReport report = MergeFixture.afterAllEnded(List.of(folder));

        assertThat(tests(report)).containsExactly("BertTest > t(): passed, passed", "BertTest: failed, passed");
        assertThat(failedGates(report))
                .containsExactly("flaky.max: 1 flaky test: BertTest passed on attempt 2;"
                        + " attempt 1 failed: memory was not returned");
    }

    @Test
    void failsClassThatFailedInBothPlans() throws IOException {
        plan(test("t"), Outcome.PASSED, testClass(), Outcome.FAILED);
        plan(test("t"), Outcome.PASSED, testClass(), Outcome.FAILED);

        RunReport report = report();

        assertThat(tests(report)).containsExactly("BertTest > t(): passed, passed", "BertTest: failed, failed");
        assertThat(failedGates(report)).containsExactly("failed.max: 1 failed test: class BertTest");
    }

    @Test
    void failsClassThatDidNotRunAgain() throws IOException {
        plan(test("t"), Outcome.PASSED, testClass(), Outcome.FAILED, testOfOtherClass(), Outcome.FAILED);
        plan(testOfOtherClass(), Outcome.PASSED);

        assertThat(tests(report()))
                .containsExactly("BertTest > t(): passed", "BertTest: failed", "T5Test > t(): failed, passed");
    }

    @Test
    void failsClassThatFailedOnlyInLaterPlan() throws IOException {
        plan(test("t"), Outcome.PASSED, test("u"), Outcome.FAILED);
        plan(test("u"), Outcome.PASSED, testClass(), Outcome.FAILED);

        RunReport report = report();

        assertThat(tests(report)).contains("BertTest: failed");
        assertThat(failedGates(report)).contains("failed.max: 1 failed test: class BertTest");
    }

    @ParameterizedTest
    @EnumSource(names = {"ABORTED", "SKIPPED"})
    void failsClassWhoseTestsDidNotRunAgain(Outcome last) throws IOException {
        plan(test("t"), Outcome.PASSED, testClass(), Outcome.FAILED);
        plan(test("t"), last);

        RunReport report = report();

        assertThat(tests(report)).contains("BertTest: failed");
        assertThat(failedGates(report)).containsExactly("failed.max: 1 failed test: class BertTest");
    }

    @Test
    void keepsUndecidedClassWhoseTestRanAgain() throws IOException {
        plan(test("t"), Outcome.FAILED, testClass(), Outcome.UNDECIDED);
        plan(test("t"), Outcome.PASSED);

        assertThat(tests(report())).containsExactly("BertTest > t(): failed, passed", "BertTest: undecided");
    }

    @Test
    void countsClassThatFailedWithItsTestsOnce() throws IOException {
        jvm.add(new RunEvent.TestFinished(test("t"), Outcome.FAILED, List.of(), "no server"))
                .add(new RunEvent.TestFinished(test("u"), Outcome.FAILED, List.of(), "no server"))
                .add(new RunEvent.TestFinished(testClass(), Outcome.FAILED, List.of(), "no server"));

        RunReport report = report();

        assertThat(Overview.of(report).tests()).isEqualTo(2);
        assertThat(Overview.of(report).outcomesInWords()).isEqualTo("2 failed, 1 failed class");
        assertThat(failedGates(report)).containsExactly("failed.max: 2 failed tests: BertTest > t(); BertTest > u()");
    }

    @Test
    void countsViolationOfClassInAdditionToFailedTest() throws IOException {
        plan(test("t"), Outcome.FAILED);
        jvm.add(new RunEvent.Violated(testClass(), new Violation("rule", "inference_count", "+3", "+2", "Look.")))
                .add(new RunEvent.TestFinished(testClass(), Outcome.FAILED, List.of(), "inference_count"));

        assertThat(failedGates(report())).containsExactly("failed.max: 2 failed tests: BertTest > t(); class BertTest");
    }

    @Test
    void countsClassThatFailedAfterItsTests() throws IOException {
        plan(test("t"), Outcome.PASSED);
        jvm.add(new RunEvent.TestFinished(testClass(), Outcome.FAILED, List.of(), "memory was not returned"));

        RunReport report = report();

        assertThat(Overview.of(report).outcomesInWords()).isEqualTo("1 passed, 1 failed class");
        assertThat(failedGates(report)).containsExactly("failed.max: 1 failed test: class BertTest");
    }
}
