package dev.neurontest.internal.evidence;

import org.apiguardian.api.API;

/** The outcomes of a test that uses Neuron. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Outcome {
    /** The body and all expectations passed. */
    PASSED,
    /** The body or an expectation failed, or an undecided expectation counts as a failure by the settings. */
    FAILED,
    /** An expectation was undecided and does not count as a failure by the settings. */
    UNDECIDED,
    /** The body failed an assumption. */
    ABORTED,
    /** The test did not run. */
    SKIPPED
}
