package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** What becomes of a test with an expectation that could be neither met nor violated. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum UndecidedPolicy {
    /** It fails, with the reason. */
    FAIL,
    /** It is aborted, as by a failed assumption. */
    ABORT,
    /** It passes, with a notice. */
    PASS
}
