package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** The tests to which measurements are attached. The run file contains the measurements in any case. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum EvidencePolicy {
    /** Attachments for every test. */
    ALWAYS,
    /** Attachments for tests that did not pass. */
    FAILURE,
    /** Attachments for no test. */
    NEVER;

    /**
     * Decides whether to attach the measurements of a test.
     *
     * @param passed true if the test passed without violated and undecided expectations
     */
    public boolean keeps(boolean passed) {
        return this == ALWAYS || this == FAILURE && !passed;
    }
}
