package dev.neurontest.configuration;

import org.apiguardian.api.API;

/** What becomes of cores whose device is open in a process that has no lease. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum OtherOwnersPolicy {
    /** They are not handed out. */
    AVOID,
    /** They are handed out, with a notice. */
    WARN,
    /** Nobody looks. */
    IGNORE
}
