package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.ComparisonOutcome;

/**
 * What a look at the runs came to.
 *
 * @param outcome of the comparison so far
 * @param reason in one word for programs
 * @param improved whether the runs are better by more than the margin
 */
record ComparisonFinding(ComparisonOutcome outcome, String reason, boolean improved) {

    static ComparisonFinding of(ComparisonOutcome outcome, String reason) {
        return new ComparisonFinding(outcome, reason, false);
    }

    static ComparisonFinding open(String reason) {
        return of(ComparisonOutcome.UNDECIDED, reason);
    }

    boolean isOpen() {
        return outcome == ComparisonOutcome.UNDECIDED;
    }
}
