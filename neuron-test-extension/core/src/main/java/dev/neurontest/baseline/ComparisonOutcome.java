package dev.neurontest.baseline;

import org.apiguardian.api.API;

/** The outcome of a comparison with a baseline. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ComparisonOutcome {
    /** A value that is not worse than the baseline by more than the margin. It may be better, which is not a failure. */
    NOT_WORSE,
    /** A value that is worse than the baseline by more than the margin. */
    WORSE,
    /** A comparison that the runs do not decide. */
    UNDECIDED,
    /** A missing baseline for this stack. */
    NO_BASELINE,
    /** Runs that were disturbed, drift, or fall into two groups: they measure an influence other than the model. */
    CONTAMINATED
}
