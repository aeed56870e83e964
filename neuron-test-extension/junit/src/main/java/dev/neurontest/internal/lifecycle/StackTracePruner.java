package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.judgement.LibraryFrames;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Where the stack trace of a failure leads: to the user's line, to the test that it was found after, or nowhere, but not into this
 * library. Who tells JUnit to keep all frames gets ours too.
 *
 * @param context of the test or class that fails
 */
@API(status = API.Status.INTERNAL)
public record StackTracePruner(ExtensionContext context) {

    private static final String PRUNING = "junit.platform.stacktrace.pruning.enabled";

    /** Of what a method of the user throws. */
    public Throwable ofBody(Throwable failure) {
        return keepsAll() ? failure : LibraryFrames.cutFrom(failure);
    }

    /** Of what was found after the test. */
    Throwable ofEnd(Throwable failure) {
        return keepsAll()
                ? failure
                : LibraryFrames.cutFrom(failure, context.getTestMethod().map(StackTracePruner::place));
    }

    /** Takes a step beside a test. Several tests may be told the same exception, so it leads to none of them. */
    public <T> T pruning(Supplier<T> step) {
        try {
            return step.get();
        } catch (RuntimeException | Error failure) {
            if (!keepsAll()) {
                LibraryFrames.cutFrom(failure, Optional.empty());
            }
            throw failure;
        }
    }

    /** The same for a step that gives nothing. */
    public void pruning(Runnable step) {
        pruning(() -> {
            step.run();
            return step;
        });
    }

    private boolean keepsAll() {
        return context.getConfigurationParameter(PRUNING)
                .filter("false"::equalsIgnoreCase)
                .isPresent();
    }

    private static StackTraceElement place(Method test) {
        Class<?> type = test.getDeclaringClass();
        return new StackTraceElement(type.getName(), test.getName(), file(type), -1);
    }

    /** A class of Kotlin may be in a file of any name. */
    private static @Nullable String file(Class<?> type) {
        boolean kotlin = Arrays.stream(type.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(each -> each.getName().equals("kotlin.Metadata"));
        Class<?> outermost = type;
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        return kotlin ? null : outermost.getSimpleName() + ".java";
    }
}
