package dev.neurontest.internal.report.compare;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.ParsedProfile;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.TestOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The merged executions of a test in one module and on one kind of host.
 *
 * @param isTest false for a class that leases cores for its tests
 * @param started start of the first execution
 * @param outcome outcome of all executions; a failure remains one unless the test passed after it
 * @param flaky true if it passed only after a repetition
 * @param took time of the last passed execution, without its wait for cores; empty when none passed
 * @param stack host and versions of the last execution
 * @param values last measured values
 * @param inDoubt true if a profile has metrics without a reliable value
 */
record ComparedTest(
        TestId id,
        boolean isTest,
        Instant started,
        TestOutcome outcome,
        boolean flaky,
        Optional<Duration> took,
        HostStack stack,
        List<MeasuredValue> values,
        boolean inDoubt) {

    /** Creates the compared data of one execution. */
    static ComparedTest of(ReportedTest test, HostStack stack) {
        MeasuredValues values = new MeasuredValues();
        test.recordings().stream()
                .filter(each -> each.kind().equals(ParsedProfile.KIND))
                .forEach(each -> values.profile(each.recording()));
        test.comparisons().forEach(values::comparison);
        return new ComparedTest(
                test.id(),
                test.isTest(),
                test.started(),
                test.outcome(),
                test.retries() > 0 || test.hasFailedAttempt() && !test.hasFailed(),
                Optional.of(Duration.between(test.leased(), test.ended()))
                        .filter(took -> test.outcome() == TestOutcome.PASSED),
                stack,
                values.all(),
                values.isInDoubt());
    }

    /** Merges a later execution into this test. */
    ComparedTest then(ComparedTest next) {
        boolean failed = outcome == TestOutcome.FAILED || outcome == TestOutcome.LOST;
        return new ComparedTest(
                id,
                isTest,
                started,
                together(outcome, next.outcome),
                flaky || next.flaky || failed && next.outcome == TestOutcome.PASSED,
                next.took.or(() -> took),
                next.stack,
                next.values.isEmpty() ? values : next.values,
                inDoubt || next.inDoubt);
    }

    private static TestOutcome together(TestOutcome before, TestOutcome next) {
        if (next == TestOutcome.SKIPPED) {
            return before;
        }
        boolean replaced = next == TestOutcome.PASSED || before == TestOutcome.PASSED || before == TestOutcome.SKIPPED;
        return replaced || next.compareTo(before) < 0 ? next : before;
    }

    /** Returns the same test as skipped, for a run that skipped a container of it. */
    ComparedTest skipped() {
        return new ComparedTest(
                id, isTest, started, TestOutcome.SKIPPED, false, Optional.empty(), stack, List.of(), false);
    }

    /** Checks whether the test counts. A class that leased cores for its tests and passed does not. */
    boolean counts() {
        return isTest || outcome != TestOutcome.PASSED;
    }
}
