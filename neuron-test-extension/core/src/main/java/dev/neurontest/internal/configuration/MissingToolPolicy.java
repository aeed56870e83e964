package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** What becomes of a test that needs a tool where none works. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum MissingToolPolicy {
    /** It fails. */
    FAIL,
    /** It is skipped with the reason. */
    SKIP
}
