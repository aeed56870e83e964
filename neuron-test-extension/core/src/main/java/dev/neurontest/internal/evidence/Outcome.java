package dev.neurontest.internal.evidence;

import org.apiguardian.api.API;

/** How a test that asked for Neuron ended. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Outcome {
    /** Nothing was wrong. */
    PASSED,
    /** The body or an expectation failed, or one could not be decided and the setting makes a failure of that. */
    FAILED,
    /** An expectation could not be decided, and the setting makes no failure of that. */
    UNDECIDED,
    /** The body gave up on an assumption. */
    ABORTED,
    /** It did not run. */
    SKIPPED
}
