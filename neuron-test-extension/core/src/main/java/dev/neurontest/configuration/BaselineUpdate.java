package dev.neurontest.configuration;

import org.apiguardian.api.API;

/** Which baselines a run may write. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum BaselineUpdate {
    /** None; what would be written is proposed. */
    NONE,
    /** Those that are missing. */
    MISSING,
    /** Those that are missing, and those of what got better. */
    IMPROVED,
    /** All that were measured, also those of what got worse. */
    ALL
}
