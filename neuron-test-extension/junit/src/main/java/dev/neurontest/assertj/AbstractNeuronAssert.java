package dev.neurontest.assertj;

import dev.neurontest.internal.judgement.LibraryFrames;
import dev.neurontest.internal.text.VisibleText;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.internal.Failures;

/** The base class of the assertions. Failure messages are safe to print on a terminal, and stack traces begin at the user's line. */
abstract class AbstractNeuronAssert<S extends AbstractNeuronAssert<S, A>, A> extends AbstractAssert<S, A> {

    AbstractNeuronAssert(A actual, Class<?> self) {
        super(actual, self);
    }

    @Override
    protected AssertionError failure(String format, Object... arguments) {
        return cut(super.failure("%s", VisibleText.of(format.formatted(arguments))));
    }

    @Override
    protected AssertionError failureWithActualExpected(
            Object actualValue, Object expectedValue, String format, Object... arguments) {
        return cut(super.failureWithActualExpected(
                actualValue, expectedValue, "%s", VisibleText.of(format.formatted(arguments))));
    }

    /** Removes the frames of this library if AssertJ is configured to remove its own frames. */
    private static AssertionError cut(AssertionError failure) {
        return Failures.instance().isRemoveAssertJRelatedElementsFromStackTrace()
                ? LibraryFrames.cutFrom(failure)
                : failure;
    }
}
