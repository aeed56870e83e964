package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** What becomes of a test that leaves models or tensors open. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum LeakPolicy {
    /** It fails. */
    FAIL,
    /** It is said in the run file. */
    NOTICE
}
