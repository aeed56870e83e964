package dev.neurontest.internal.report;

import java.util.Locale;
import org.apiguardian.api.API;

/** How a test ended, as a run over several JVMs knows it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum TestOutcome {
    /** The body or an expectation failed. */
    FAILED,
    /** Its JVM died, or JUnit gave up, before it had ended. */
    LOST,
    /** An expectation could not be decided, which did not fail it. */
    UNDECIDED,
    /** The body gave up on an assumption. */
    ABORTED,
    /** It did not run. */
    SKIPPED,
    /** Nothing was wrong. */
    PASSED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
