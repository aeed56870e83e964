package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** When recordings are attached to a test. The run file has them in any case. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum EvidencePolicy {
    /** To every test. */
    ALWAYS,
    /** To tests that did not pass. */
    FAILURE,
    /** To none. */
    NEVER;

    /**
     * Decides for one test.
     *
     * @param passed whether the test passed, with nothing violated and nothing undecided
     * @return whether its recordings are to be attached
     */
    public boolean keeps(boolean passed) {
        return this == ALWAYS || this == FAILURE && !passed;
    }
}
