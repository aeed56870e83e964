package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.participant.BodyOutcome;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What a test or class ends with: the failure of its body, what was found in its life, or both. */
@API(status = API.Status.INTERNAL)
public final class TestEnd {

    private TestEnd() {}

    /** Ends its life, if it has one, and throws what JUnit does not know yet. */
    public static void conclude(ExtensionContext context) {
        TestContexts.ifBegun(context).ifPresent(test -> end(context, test.life()));
    }

    private static void end(ExtensionContext context, TestLifecycle life) {
        StackTracePruner trace = new StackTracePruner(context);
        Optional<RetryAttempt> attempt = TestContexts.attempt(context);
        @Nullable Throwable thrown = attempt.flatMap(RetryAttempt::deferredBy).orElse(null);
        @Nullable
        Throwable failedBefore =
                decisive(Stream.of(context.getExecutionException(), life.partFailure(), Optional.ofNullable(thrown)));
        @Nullable Throwable failure = failedBefore;
        Stream.of(context.getExecutionException(), attempt.flatMap(RetryAttempt::deferredBy))
                .flatMap(Optional::stream)
                .forEach(life::failed);
        if (isKnownToFail(context)) {
            attempt.ifPresent(RetryAttempt::reported);
        }
        try {
            life.conclude(
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
            life.note(failedBefore);
            trace.ofEnd(failedBefore);
        }
        if (failure != null && attempt.isPresent() && life.repeats(attempt.get())) {
            thrown = attempt.get().abortion(life.suspicions(), failure);
        }
        if (thrown != null) {
            throwUnchecked(trace.ofEnd(thrown));
        }
    }

    private static @Nullable Throwable decisive(Stream<Optional<Throwable>> failures) {
        return BodyOutcome.decisive(failures.flatMap(Optional::stream)).orElse(null);
    }

    /** What a method around the test failed with is out of hand: nothing would turn that into an attempt that does not count. */
    private static boolean isKnownToFail(ExtensionContext context) {
        return BodyOutcome.of(context.getExecutionException().orElse(null)) == BodyOutcome.FAILED;
    }

    /** JUnit takes every throwable, but its callbacks declare exceptions only. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(Throwable throwable) throws T {
        throw (T) throwable;
    }
}
