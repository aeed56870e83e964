package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.participant.BodyOutcome;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The end of a test or class: it combines the failure of the body with the findings of the lifecycle. */
@API(status = API.Status.INTERNAL)
public final class TestEnd {

    private TestEnd() {}

    /** Ends the lifecycle, if there is one, and throws failures that JUnit does not have yet. */
    public static void conclude(ExtensionContext context) {
        TestContexts.ifBegun(context).ifPresent(test -> end(context, test.lifecycle()));
    }

    private static void end(ExtensionContext context, TestLifecycle lifecycle) {
        StackTracePruner trace = new StackTracePruner(context);
        Optional<RetryAttempt> attempt = TestContexts.attempt(context);
        @Nullable Throwable thrown = attempt.flatMap(RetryAttempt::deferredBy).orElse(null);
        @Nullable
        Throwable failedBefore = decisive(
                Stream.of(context.getExecutionException(), lifecycle.partFailure(), Optional.ofNullable(thrown)));
        @Nullable Throwable failure = failedBefore;
        Stream.of(context.getExecutionException(), attempt.flatMap(RetryAttempt::deferredBy))
                .flatMap(Optional::stream)
                .forEach(lifecycle::failed);
        if (isKnownToFail(context)) {
            attempt.ifPresent(RetryAttempt::reported);
        }
        try {
            lifecycle.conclude(
                    BodyOutcome.of(failedBefore), new JUnitAttachments(context), attempt, PioneerHint.of(context));
        } catch (Throwable judged) {
            failure = decisive(Stream.of(Optional.ofNullable(failedBefore), Optional.of(judged)));
            if (thrown == null) {
                thrown = judged;
            } else {
                thrown.addSuppressed(judged);
            }
        }
        if (failedBefore != null) {
            lifecycle.note(failedBefore);
            trace.ofEnd(failedBefore);
        }
        if (failure != null && attempt.isPresent() && lifecycle.repeats(attempt.get())) {
            thrown = attempt.get().abortion(lifecycle.suspicions(), failure);
        }
        if (thrown != null) {
            throwUnchecked(trace.ofEnd(thrown));
        }
    }

    private static @Nullable Throwable decisive(Stream<Optional<Throwable>> failures) {
        return BodyOutcome.decisive(failures.flatMap(Optional::stream)).orElse(null);
    }

    /** Returns whether a lifecycle method of the test failed. JUnit already has that failure, so the attempt can no longer be discarded. */
    private static boolean isKnownToFail(ExtensionContext context) {
        return BodyOutcome.of(context.getExecutionException().orElse(null)) == BodyOutcome.FAILED;
    }

    /** Throws any throwable: JUnit accepts every throwable, but its callbacks declare only exceptions. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(Throwable throwable) throws T {
        throw (T) throwable;
    }
}
