package dev.neurontest.internal.evidence;

import org.apiguardian.api.API;

/** The phases of a test between the lease of its cores and their release. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Phase {
    /** The first readings, and the test's own set-up. */
    SETUP,
    /** The test itself. */
    BODY,
    /** The test's own tear-down. */
    TEARDOWN,
    /** The wait until the effects of the body are visible. */
    SETTLE,
    /** The judgement of expectations on the measurements. */
    JUDGE,
    /** The profiling: the profiler tool executes the programs to profile, or reads the files of the test's workloads. */
    PROFILE,
    /** The attachment of measurements. */
    EVIDENCE
}
