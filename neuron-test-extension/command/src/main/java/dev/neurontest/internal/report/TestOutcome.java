package dev.neurontest.internal.report;

import java.util.Locale;
import org.apiguardian.api.API;

/** The outcomes of a test in a run over several JVMs. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum TestOutcome {
    /** Outcome of a test with a failed body or expectation. */
    FAILED,
    /** Outcome of a test that had not ended when its JVM died, or when JUnit gave up. */
    LOST,
    /** Outcome of a test with an undecided expectation that did not fail the test. */
    UNDECIDED,
    /** Outcome of a test with a failed assumption. */
    ABORTED,
    /** Outcome of a test that did not run. */
    SKIPPED,
    /** Outcome of a test without any failure. */
    PASSED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
