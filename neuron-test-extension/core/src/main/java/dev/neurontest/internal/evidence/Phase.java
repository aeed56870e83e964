package dev.neurontest.internal.evidence;

import org.apiguardian.api.API;

/** What happens to a test between the lease of its cores and their release. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Phase {
    /** Recorders take their "before", and the test's own set-up runs. */
    SETUP,
    /** The test itself. */
    BODY,
    /** The test's own tear-down. */
    TEARDOWN,
    /** Waiting until what the body caused is visible. */
    SETTLE,
    /** Expectations look at the recordings. */
    JUDGE,
    /** The profiler tool executes what the test wants profiled, or reads what its workloads left. */
    PROFILE,
    /** Recordings become attachments. */
    EVIDENCE
}
