package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** Kinds of things that a test can leave undecided, each with what becomes of such a test by default. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum UndecidedKind {
    /** Expectations on counters, and on what belongs to the host: leases, replayed timelines, latencies. */
    COUNTERS(UndecidedPolicy.FAIL),
    /** Expectations on profiles. */
    PROFILE(UndecidedPolicy.FAIL),
    /** Expectations on times whose profile was throttled in each repetition. */
    THROTTLED(UndecidedPolicy.ABORT),
    /** Expectations on device prints. */
    PRINTS(UndecidedPolicy.FAIL),
    /** Comparisons whose runs do not show which one is worse. */
    NOISY(UndecidedPolicy.PASS),
    /** Comparisons without a baseline of this stack. */
    NO_BASELINE(UndecidedPolicy.PASS),
    /** Comparisons whose runs were disturbed. */
    CONTAMINATED(UndecidedPolicy.ABORT);

    private final UndecidedPolicy byDefault;

    UndecidedKind(UndecidedPolicy byDefault) {
        this.byDefault = byDefault;
    }

    UndecidedPolicy byDefault() {
        return byDefault;
    }
}
