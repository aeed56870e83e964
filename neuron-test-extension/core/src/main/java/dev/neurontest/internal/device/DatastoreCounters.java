package dev.neurontest.internal.device;

import org.apiguardian.api.API;

/**
 * When status and execution counters move. Memory and reset counters always move at once.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum DatastoreCounters {
    /** At every read, from driver 2.30 on. */
    LIVE,
    /** When the owning process has closed the device, usually by ending: up to driver 2.29. */
    DEFERRED
}
