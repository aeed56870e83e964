package dev.neurontest;

import dev.neurontest.internal.lifecycle.RunningTest;
import dev.neurontest.internal.lifecycle.StackTracePruner;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** An interceptor that tracks every method of the user's classes while it runs. */
abstract class UserCodeInterceptor implements InvocationInterceptor {

    /** Returns the test in which a method runs; empty if the method is not tracked. */
    abstract Optional<RunningTest> enclosing(ExtensionContext context);

    @Override
    public final void interceptBeforeAllMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        userCode(invocation, context);
    }

    @Override
    public final void interceptBeforeEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        userCode(invocation, context);
    }

    @Override
    public final void interceptTestMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        userCode(invocation, context);
    }

    @Override
    public final void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        userCode(invocation, context);
    }

    @Override
    public final <T> T interceptTestFactoryMethod(
            Invocation<T> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        return userCode(invocation, context);
    }

    @Override
    public final void interceptAfterEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        userCode(invocation, context);
    }

    @Override
    public final void interceptAfterAllMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        userCode(invocation, context);
    }

    @Override
    public final void interceptDynamicTest(
            Invocation<@Nullable Void> invocation,
            DynamicTestInvocationContext invocationContext,
            ExtensionContext context)
            throws Throwable {
        userCode(invocation, context);
    }

    /** Tracks code that may continue to run after JUnit has given it up. */
    private <T> T userCode(Invocation<T> invocation, ExtensionContext context) throws Throwable {
        Optional<RunningTest> test = enclosing(context);
        if (test.isEmpty()) {
            return invocation.proceed();
        }
        try {
            return test.get().lifecycle().userCode().run(invocation::proceed);
        } catch (Throwable failure) {
            throw new StackTracePruner(context).ofBody(failure);
        }
    }
}
