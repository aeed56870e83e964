package dev.neurontest.internal.counter;

import org.apiguardian.api.API;

/** The verdict of a test's rules on an error counter that changed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CounterVerdict {
    /** A violation: the test fails because of this counter. */
    VIOLATED,
    /** An undecided result: the error is not assigned to the test. */
    UNDECIDED,
    /** An allowed or expected change. */
    ALLOWED
}
