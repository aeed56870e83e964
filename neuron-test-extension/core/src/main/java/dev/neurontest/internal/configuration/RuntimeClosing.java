package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** The moments at which the runtime in this JVM is closed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum RuntimeClosing {
    /**
     * The end of the session. Some drivers update counters only when a process closes the device. On these, execution counters of
     * tests are undecided.
     */
    SESSION,
    /** Before the counters of each test are judged. The runtime is opened again for the next test. */
    TEST
}
