package dev.neurontest.baseline;

import org.apiguardian.api.API;

/** What a comparison with a baseline came to. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ComparisonOutcome {
    /** Not worse than the baseline by more than the margin. It may be better, which fails nothing. */
    NOT_WORSE,
    /** Worse than the baseline by more than the margin. */
    WORSE,
    /** The runs do not show either. */
    UNDECIDED,
    /** There is no baseline of this stack to compare with. */
    NO_BASELINE,
    /** The runs were disturbed, or drift, or fall into two groups: they show something other than the model. */
    CONTAMINATED
}
