package dev.neurontest;

import org.apiguardian.api.API;

/** Duration of a core lease. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum LeaseScope {
    /** Lease for one test. */
    TEST,
    /** Lease for all tests of a class. Such a class runs alone in its JVM. */
    CLASS,
    /**
     * Lease for all tests of the JVM, from the first test that requests it until the launcher session ends. Tests that share such cores run
     * one after the other. Surefire creates one session in each of its forks.
     */
    SESSION
}
