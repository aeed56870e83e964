package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** Policies for a violated expectation on a counter of the whole device, if another process used the device at the same time. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum AttributionPolicy {
    /** The expectation is violated. The failure names the other processes. */
    STRICT,
    /** The expectation is undecided. */
    TOLERANT
}
