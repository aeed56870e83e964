package org.junit.internal;

/** A stand-in for the class of JUnit 4, which JUnit Jupiter finds by its name. */
public class AssumptionViolatedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message the failed assumption
     */
    public AssumptionViolatedException(String message) {
        super(message);
    }
}
