package dev.neurontest.report.compare;

import dev.neurontest.evidence.TestId;
import dev.neurontest.report.TestOutcome;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How a test did in a run: all its executions in one module and on one kind of host together.
 *
 * @param id which test
 * @param isTest false for a class that leases for its tests
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
        TestOutcome outcome,
        boolean flaky,
        Optional<Duration> took,
        HostStack stack,
        List<MeasuredValue> values,
        boolean inDoubt) {

    static ComparedTest of(List<Execution> executions, HostStack stack) {
        List<Execution> inOrder = executions.stream()
                .sorted(Comparator.comparing(Execution::started))
                .toList();
        TestOutcome outcome = TestOutcome.SKIPPED;
        boolean flaky = false;
        Optional<Duration> took = Optional.empty();
        List<MeasuredValue> values = List.of();
        boolean inDoubt = false;
        for (Execution each : inOrder) {
            boolean failed = outcome == TestOutcome.FAILED || outcome == TestOutcome.LOST;
            flaky |= each.retries() > 0 || failed && each.outcome() == TestOutcome.PASSED;
            outcome = together(outcome, each.outcome());
            took = each.outcome() == TestOutcome.PASSED ? Optional.of(each.took()) : took;
            values = each.values().isEmpty() ? values : each.values();
            inDoubt |= each.inDoubt();
        }
        Execution first = inOrder.get(0);
        return new ComparedTest(first.id(), first.isTest(), outcome, flaky, took, stack, values, inDoubt);
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
        return new ComparedTest(id, isTest, TestOutcome.SKIPPED, false, Optional.empty(), stack, List.of(), false);
    }

    /** Whether it says anything by itself: a class that leased for its tests and passed does not. */
    boolean counts() {
        return isTest || outcome != TestOutcome.PASSED;
    }
}
