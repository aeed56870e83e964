package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/**
 * What becomes of cores whose device is open in a process that knows nothing of leases, such as a colleague's notebook. Such a
 * process shows as {@code dev/neuronN} among the open files in {@code proc}, where one may look: without root only at one's own.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum OtherOwnersPolicy {
    /** They are not handed out until that process has closed the device. */
    AVOID,
    /** They are handed out with a warning. */
    WARN,
    /** Does not look for them. */
    IGNORE
}
