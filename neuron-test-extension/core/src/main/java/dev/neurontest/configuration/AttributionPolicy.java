package dev.neurontest.configuration;

import org.apiguardian.api.API;

/** How a demand is judged that a counter of the whole device broke while somebody else used the device. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum AttributionPolicy {
    /** It is violated; the failure names who else was there. */
    STRICT,
    /** It is undecided. */
    TOLERANT
}
