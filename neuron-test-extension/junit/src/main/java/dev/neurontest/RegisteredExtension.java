package dev.neurontest;

import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.internal.lifecycle.JvmSession;
import dev.neurontest.internal.lifecycle.TemplateRun;
import dev.neurontest.internal.plan.RequestedCores;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;

/** The extension that JUnit loads, with the interfaces that JUnit 5.12 and 5.13 introduced. */
@API(status = API.Status.INTERNAL, since = "0.1")
final class RegisteredExtension extends NeuronExtension
        implements ClassTemplateInvocationContextProvider, PreInterruptCallback {

    /** Creates the extension for {@link NeuronTest}; expectations come from annotations. */
    RegisteredExtension() {
        super(null);
    }

    /** Creates the extension for a field. */
    RegisteredExtension(CounterExpectations rules) {
        super(rules);
    }

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return isInCharge(context) && RequestedCores.isForEach(context.getRequiredTestClass());
    }

    @Override
    public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(ExtensionContext context) {
        Class<?> testClass = context.getRequiredTestClass();
        return JvmSession.of(context)
                .host()
                .runs(testClass, RequestedCores.anyTestUsesRuntime(testClass))
                .map(assigned -> new TemplateRun(assigned.name(), assigned));
    }

    /** Records the interruption; runs on the thread of the test or on a thread that watches it. */
    @Override
    public void beforeThreadInterrupt(PreInterruptContext interrupt, ExtensionContext context) {
        enclosing(context).ifPresent(test -> test.interrupted(interrupt.getThreadToInterrupt()));
    }
}
