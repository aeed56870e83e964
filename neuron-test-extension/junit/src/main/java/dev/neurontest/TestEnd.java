package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import dev.neurontest.evidence.Outcome;
import dev.neurontest.life.Attempt;
import dev.neurontest.life.TestLife;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/** What a test or class ends with: the failure of its body, what was found in its life, or both. */
final class TestEnd {

    private TestEnd() {}

    /** Ends its life, if it has one, and throws what JUnit does not know yet. */
    static void of(ExtensionContext context) {
        TestLives.ifBegun(context).ifPresent(test -> end(context, test.life()));
    }

    private static void end(ExtensionContext context, TestLife life) {
        FailureTrace trace = new FailureTrace(context);
        Optional<Attempt> attempt = TestLives.attempt(context);
        @Nullable
        Throwable failure = context.getExecutionException()
                .or(life::partFailure)
                .or(() -> attempt.flatMap(Attempt::heldBack))
                .orElse(null);
        @Nullable Throwable thrown = attempt.flatMap(Attempt::heldBack).orElse(null);
        @Nullable Throwable failedBefore = failure;
        try {
            life.end(failure == null, new JUnitAttachments(context), BodyOnly.of(context));
        } catch (Throwable judged) {
            failure = failure == null ? judged : failure;
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
        if (failure != null && attempt.isPresent() && !isKnownToFail(context) && life.repeats(attempt.get())) {
            thrown = attempt.get().abortion(life.suspicions(), failure);
        }
        tell(context, life, failure);
        if (thrown != null) {
            throwUnchecked(trace.ofEnd(thrown));
        }
    }

    /** JUnit tells no watcher how a class ended, whose tests may not even have begun, nor how a factory of dynamic tests did. */
    private static void tell(ExtensionContext context, TestLife life, @Nullable Throwable failure) {
        if (failure != null && context.getTestMethod().isEmpty()) {
            life.finished(outcome(failure), failure.toString());
        }
        if (context.getTestMethod()
                .filter(method -> isAnnotated(method, TestFactory.class))
                .isPresent()) {
            Session.of(context)
                    .finished(TestLives.id(context), outcome(failure), failure == null ? null : failure.toString());
        }
    }

    /** What a method around the test failed with is out of hand: nothing would turn that into an attempt that does not count. */
    private static boolean isKnownToFail(ExtensionContext context) {
        return context.getExecutionException()
                .filter(failure -> !(failure instanceof TestAbortedException))
                .isPresent();
    }

    /** JUnit takes every throwable, but its callbacks declare exceptions only. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(Throwable throwable) throws T {
        throw (T) throwable;
    }

    static Outcome outcome(@Nullable Throwable failure) {
        if (failure == null) {
            return Outcome.PASSED;
        }
        return failure instanceof TestAbortedException ? Outcome.ABORTED : Outcome.FAILED;
    }
}
