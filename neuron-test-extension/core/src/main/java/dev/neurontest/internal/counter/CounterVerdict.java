package dev.neurontest.internal.counter;

import org.apiguardian.api.API;

/** The verdict of a test's rules on an error counter that moved. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CounterVerdict {
    /** The test fails because of it. */
    VIOLATED,
    /** It could not be decided, so the test does not answer for the error. */
    UNDECIDED,
    /** The test allows or expects it. */
    ALLOWED
}
