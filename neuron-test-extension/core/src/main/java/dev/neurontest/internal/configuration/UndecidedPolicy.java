package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** Policies for a test with an undecided expectation. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum UndecidedPolicy {
    /** The test fails with the reason. */
    FAIL,
    /** The test is aborted, as by a failed assumption. */
    ABORT,
    /** The test passes with a notice. */
    PASS
}
