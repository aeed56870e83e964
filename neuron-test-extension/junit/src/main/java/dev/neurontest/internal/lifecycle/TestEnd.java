package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.participant.BodyOutcome;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The end of a test or class: it combines the failure of the body with the findings of the lifecycle. */
@API(status = API.Status.INTERNAL)
public final class TestEnd {

    private TestEnd() {}

    /** Ends the lifecycle, if there is one, and throws failures that JUnit does not have yet. */
    public static void conclude(ExtensionContext context) {
        Optional<RunningTest> test = TestContexts.ifBegun(context);
        if (test.isPresent()) {
            end(context, test.get().lifecycle());
        }
    }

    private static void end(ExtensionContext context, TestLifecycle lifecycle) {
        Optional<RetryAttempt> attempt = TestContexts.attempt(context);
        @Nullable Throwable ofBody = context.getExecutionException().orElse(null);
        @Nullable
        Throwable thrown = attempt.isEmpty() ? null : attempt.get().deferredBy().orElse(null);
        @Nullable
        Throwable failedBefore =
                BodyOutcome.decisive(ofBody, lifecycle.partFailure().orElse(null), thrown);
        @Nullable Throwable failure = failedBefore;
        if (ofBody != null) {
            lifecycle.failed(ofBody);
        }
        if (thrown != null) {
            lifecycle.failed(thrown);
        }
        if (attempt.isPresent() && BodyOutcome.of(ofBody) == BodyOutcome.FAILED) {
            // A method around the test failed. JUnit already has that failure, so the attempt can no longer be
            // discarded.
            attempt.get().reported();
        }
        try {
            lifecycle.conclude(
                    BodyOutcome.of(failedBefore), new JUnitAttachments(context), attempt, PioneerHint.of(context));
        } catch (Throwable judged) {
            failure = BodyOutcome.decisive(failedBefore, judged);
            if (thrown == null) {
                thrown = judged;
            } else {
                thrown.addSuppressed(judged);
            }
        }
        if (failedBefore != null) {
            lifecycle.note(failedBefore);
            new StackTracePruner(context).ofEnd(failedBefore);
        }
        if (failure != null && attempt.isPresent() && lifecycle.repeats(attempt.get())) {
            thrown = attempt.get().abortion(lifecycle.suspicions(), failure);
        }
        if (thrown != null) {
            throwUnchecked(new StackTracePruner(context).ofEnd(thrown));
        }
    }

    /** Throws any throwable: JUnit accepts every throwable, but its callbacks declare only exceptions. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(Throwable throwable) throws T {
        throw (T) throwable;
    }
}
