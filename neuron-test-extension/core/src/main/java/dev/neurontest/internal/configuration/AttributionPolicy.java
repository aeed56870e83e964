package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** The results of a violated expectation on a counter of the whole device that another process used at the same time. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum AttributionPolicy {
    /** The expectation is violated. The failure names the other processes. */
    STRICT,
    /** The expectation is undecided. */
    TOLERANT
}
