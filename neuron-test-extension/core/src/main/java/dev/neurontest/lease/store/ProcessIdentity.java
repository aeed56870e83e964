package dev.neurontest.lease.store;

import org.apiguardian.api.API;

/**
 * A process that cannot be mistaken for a later one with the same number.
 *
 * @param pid its number in its namespace
 * @param startTicks when it started, in clock ticks since the machine did, so that a clock that jumps does not matter; -1 unknown
 * @param namespace the boot and the pid namespace in which the number means something
 * @param user whose process it is
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProcessIdentity(long pid, long startTicks, String namespace, String user) {}
