package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** Kinds of undecided results, each with the default policy for the test. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum UndecidedKind {
    /** Expectations on counters, and on other parts of the host: leases, replayed timelines, latencies, incomplete results of other harnesses. */
    COUNTERS(UndecidedPolicy.FAIL),
    /** Expectations on profiles. */
    PROFILE(UndecidedPolicy.FAIL),
    /** Expectations on times, if every repetition of the profile was throttled. */
    THROTTLED(UndecidedPolicy.ABORT),
    /** Expectations on device prints. */
    PRINTS(UndecidedPolicy.FAIL),
    /** Expectations on outputs. */
    OUTPUTS(UndecidedPolicy.FAIL),
    /** Comparisons with results too noisy to decide. */
    NOISY(UndecidedPolicy.PASS),
    /** Comparisons without a baseline of this stack. */
    NO_BASELINE(UndecidedPolicy.PASS),
    /** Comparisons that are better than the baseline by more than the margin, until a person accepts the new value. */
    IMPROVEMENT(UndecidedPolicy.PASS),
    /** Comparisons with disturbed runs. */
    CONTAMINATED(UndecidedPolicy.ABORT);

    private final UndecidedPolicy byDefault;

    UndecidedKind(UndecidedPolicy byDefault) {
        this.byDefault = byDefault;
    }

    UndecidedPolicy byDefault() {
        return byDefault;
    }
}
