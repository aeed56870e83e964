package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/**
 * Policies for cores on a device that is open in a process without a lease, such as a colleague's notebook. Such a process has
 * {@code dev/neuronN} among its open files in {@code proc}. Without root only the user's own processes are readable there.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum OtherOwnersPolicy {
    /** The cores are not leased until that process closes the device. */
    AVOID,
    /** The cores are leased with a warning. */
    WARN,
    /** The processes are not detected. */
    IGNORE
}
