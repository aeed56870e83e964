package dev.neurontest.internal.participant;

import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** The end of a test's body, with all methods around it and all parts of it, before anything is judged. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum BodyOutcome {
    /** No exception was thrown. */
    PASSED,
    /** An assumption did not hold, or the body never began. */
    ABORTED,
    /** Something was thrown that is no assumption. */
    FAILED;

    private static final String ASSUMPTION_OF_JUNIT_4 = "org.junit.internal.AssumptionViolatedException";

    /** Returns what JUnit makes of a failure. */
    public static BodyOutcome of(@Nullable Throwable failure) {
        if (failure == null) {
            return PASSED;
        }
        return failure instanceof TestAbortedException || isAssumptionOfJUnit4(failure) ? ABORTED : FAILED;
    }

    /** Checks for an assumption of JUnit 4, which aborts in JUnit Jupiter, too. AssertJ throws it where JUnit 4 is on the class path. */
    private static boolean isAssumptionOfJUnit4(Throwable failure) {
        return Stream.<Class<?>>iterate(failure.getClass(), Objects::nonNull, Class::getSuperclass)
                .anyMatch(type -> type.getName().equals(ASSUMPTION_OF_JUNIT_4));
    }

    /** Returns the failure that decides, as in JUnit: the first one that fails the test, else the first one that aborts it. */
    public static Optional<Throwable> decisive(Stream<Throwable> failures) {
        return failures.max(Comparator.comparing(BodyOutcome::of));
    }
}
