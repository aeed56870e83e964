package dev.neurontest.internal.device;

import org.apiguardian.api.API;

/** The time at which status and execution counters change. Memory and reset counters always change at once. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum DatastoreCounters {
    /** At every read: from driver 2.30 on. */
    LIVE,
    /** After the owning process has closed the device, usually at its end: up to driver 2.29. */
    DEFERRED
}
