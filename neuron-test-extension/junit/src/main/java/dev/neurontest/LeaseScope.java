package dev.neurontest;

import org.apiguardian.api.API;

/** How long cores stay leased. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum LeaseScope {
    /** For one test. */
    TEST,
    /** For all tests of a class; such a class runs alone in its JVM. */
    CLASS,
    /**
     * For all tests of the JVM, from the first that asks until the launcher session ends; tests that share such cores run
     * one after the other. Surefire makes one session in each of its forks.
     */
    SESSION
}
