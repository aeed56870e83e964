package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** When the runtime in this JVM is closed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum RuntimeClosing {
    /** At the end of the session. On drivers that count when a process lets go, execution counters of tests are undecided. */
    SESSION,
    /** Before the counters of each test are judged; it is opened again for the next one. */
    TEST
}
