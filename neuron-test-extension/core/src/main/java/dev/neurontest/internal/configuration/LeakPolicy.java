package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** Policies for a test that leaves models or tensors open. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum LeakPolicy {
    /** The test fails. */
    FAIL,
    /** The run file contains a notice. */
    NOTICE
}
