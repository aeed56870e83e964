package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** The baselines that a run may write. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum BaselineUpdate {
    /** Baselines are not written. The run only proposes the measured values. */
    NONE,
    /** Missing baselines only. */
    MISSING
}
