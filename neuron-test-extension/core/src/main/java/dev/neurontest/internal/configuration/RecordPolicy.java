package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** Whether the host's files are recorded while a test runs, so that it can be replayed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum RecordPolicy {
    /** They are not. */
    NEVER,
    /** They are, and the recording is kept when the test did not pass. */
    FAILURE,
    /** As {@link #FAILURE}, without serial numbers and the name of the machine. */
    REDACTED
}
