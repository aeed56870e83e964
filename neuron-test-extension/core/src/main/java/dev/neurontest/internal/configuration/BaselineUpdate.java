package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** Which baselines a run may write. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum BaselineUpdate {
    /** None; what was measured is proposed. */
    NONE,
    /** Those that are missing. */
    MISSING
}
