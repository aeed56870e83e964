package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** Policies for recording the host's files while a test runs, for a later replay. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum RecordPolicy {
    /** Recording is off. */
    NEVER,
    /** A recording of each test, kept if the test did not pass. */
    FAILURE,
    /** A recording as for {@link #FAILURE}, without serial numbers and the name of the machine. */
    REDACTED
}
