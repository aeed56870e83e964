package dev.neurontest.metric;

import org.apiguardian.api.API;

/** How much a metric varies between runs of the same NEFF on the same stack. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Noise {
    /** The same on every run with the same control flow: counts and bytes that the compiler laid down. */
    FIXED,
    /** Nearly the same: varies with the flags of the capture or in the last digits. */
    NEARLY_FIXED,
    /** Varies: everything with time in it. */
    NOISY
}
