package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.ComparisonOutcome;

/**
 * The result of a test of the runs.
 *
 * @param reason the reason as one word for programs
 * @param improved true if the runs are better by more than the margin
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
