package dev.neurontest.internal.participant;

import java.util.Objects;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** Outcome of a test's body, including the methods around it and all its parts, before anything is judged. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum BodyOutcome {
    /** A body without an exception. */
    PASSED,
    /** A body with a failed assumption, or a body that never began. */
    ABORTED,
    /** A body with an exception other than a failed assumption. */
    FAILED;

    private static final String ASSUMPTION_OF_JUNIT_4 = "org.junit.internal.AssumptionViolatedException";

    /** Returns the outcome that JUnit derives from a failure. */
    public static BodyOutcome of(@Nullable Throwable failure) {
        if (failure == null) {
            return PASSED;
        }
        return failure instanceof TestAbortedException || isAssumptionOfJUnit4(failure) ? ABORTED : FAILED;
    }

    /**
     * Checks for a failed assumption of JUnit 4, which also aborts a test in JUnit Jupiter. AssertJ throws it if JUnit 4 is on the class
     * path.
     */
    private static boolean isAssumptionOfJUnit4(Throwable failure) {
        return Stream.<Class<?>>iterate(failure.getClass(), Objects::nonNull, Class::getSuperclass)
                .anyMatch(type -> type.getName().equals(ASSUMPTION_OF_JUNIT_4));
    }

    /** Returns the decisive failure, as in JUnit: the first failure that fails the test, otherwise the first that aborts it; null for none. */
    public static @Nullable Throwable decisive(@Nullable Throwable... failures) {
        @Nullable Throwable decisive = null;
        for (@Nullable Throwable failure : failures) {
            if (of(failure).compareTo(of(decisive)) > 0) {
                decisive = failure;
            }
        }
        return decisive;
    }
}
