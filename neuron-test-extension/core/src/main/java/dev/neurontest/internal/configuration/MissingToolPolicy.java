package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** Policies for a test that needs a tool, if none works. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum MissingToolPolicy {
    /** The test fails. */
    FAIL,
    /** The test is skipped with the reason. */
    SKIP
}
