package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.judgement.LibraryFrames;
import java.util.Optional;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A pruner that removes the frames of this library from stack traces. A trace then leads to the user's line, or to the test after which the
 * failure was found, or is empty. If JUnit is configured to keep all frames, these frames are kept too.
 *
 * @param context the test or class that fails
 */
@API(status = API.Status.INTERNAL)
public record StackTracePruner(ExtensionContext context) {

    private static final String PRUNING = "junit.platform.stacktrace.pruning.enabled";

    /** Removes library frames from a failure that a method of the user threw. */
    public Throwable ofBody(Throwable failure) {
        return keepsAll() ? failure : LibraryFrames.cutFrom(failure);
    }

    /** Removes library frames from a failure that was found after the test. */
    Throwable ofEnd(Throwable failure) {
        return keepsAll()
                ? failure
                : LibraryFrames.cutFrom(failure, context.getTestMethod().flatMap(MethodLines::frame));
    }

    /** Removes library frames from a failure outside of a test. Several tests can receive it, so its trace leads to none of them. */
    public void ofStep(Throwable failure) {
        if (!keepsAll()) {
            LibraryFrames.cutFrom(failure, Optional.empty());
        }
    }

    private boolean keepsAll() {
        return "false"
                .equalsIgnoreCase(context.getConfigurationParameter(PRUNING).orElse(""));
    }
}
