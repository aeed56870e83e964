package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** How to judge a demand that a counter of the whole device broke while another process used the device. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum AttributionPolicy {
    /** It is violated; the failure names who else was there. */
    STRICT,
    /** It is undecided. */
    TOLERANT
}
