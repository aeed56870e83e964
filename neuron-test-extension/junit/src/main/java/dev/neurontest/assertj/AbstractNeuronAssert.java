package dev.neurontest.assertj;

import dev.neurontest.internal.judgement.LibraryFrames;
import dev.neurontest.internal.text.VisibleText;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.internal.Failures;

/** A failure of each assertion may be shown by a terminal, and its stack trace begins with the line of the user. */
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
            Object given, Object wanted, String format, Object... arguments) {
        return cut(super.failureWithActualExpected(given, wanted, "%s", VisibleText.of(format.formatted(arguments))));
    }

    /** AssertJ has a switch for its own frames. */
    private static AssertionError cut(AssertionError failure) {
        return Failures.instance().isRemoveAssertJRelatedElementsFromStackTrace()
                ? LibraryFrames.cutFrom(failure)
                : failure;
    }
}
