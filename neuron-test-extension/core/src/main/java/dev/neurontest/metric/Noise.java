package dev.neurontest.metric;

import org.apiguardian.api.API;

/** The variation of a metric between runs of the same NEFF on the same stack. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Noise {
    /** A value that is equal in all runs with the same control flow: counts and bytes that the compiler determines. */
    FIXED,
    /** A nearly constant value that depends on the flags of the capture, or differs in the last digits. */
    NEARLY_FIXED,
    /** A varying value, as for every metric that depends on time. */
    NOISY
}
