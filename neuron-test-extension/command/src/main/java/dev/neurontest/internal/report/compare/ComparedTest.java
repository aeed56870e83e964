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
 * How a test did in a run: all its executions in one module and on one kind of host together.
 *
 * @param id which test
 * @param isTest false for a class that leases for its tests
 * @param started when the first one began
 * @param outcome of all its executions: a failure stays one unless the test passed after it
 * @param flaky whether it passed only when it was run again
 * @param took the time of the one that passed last, without its wait for cores; empty when none passed
 * @param stack what it ran on
 * @param values what it measured last
 * @param inDoubt whether some of its profile has no number that can be believed
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

    /** Takes what is compared of one execution. */
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
                test.retries() > 0,
                Optional.of(Duration.between(test.leased(), test.ended()))
                        .filter(took -> test.outcome() == TestOutcome.PASSED),
                stack,
                values.all(),
                values.isInDoubt());
    }

    /** Puts a later execution to those before it. */
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

    /** The same test in a run that skipped all that it is in. */
    ComparedTest skipped() {
        return new ComparedTest(
                id, isTest, started, TestOutcome.SKIPPED, false, Optional.empty(), stack, List.of(), false);
    }

    /** Whether it says anything by itself: a class that leased for its tests and passed does not. */
    boolean counts() {
        return isTest || outcome != TestOutcome.PASSED;
    }
}
