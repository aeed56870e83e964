package dev.neurontest.internal.counter;

import org.apiguardian.api.API;

/** The verdict of a test's rules on a changed counter or on the health of a device. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CounterVerdict {
    /** A violation: the test fails because of this counter. */
    VIOLATED,
    /** An undecided result: it is unknown whether the test caused the change. */
    UNDECIDED,
    /** An allowed or expected change. */
    ALLOWED
}
