package dev.neurontest.internal.lifecycle;

import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import dev.neurontest.RetryOnAnotherCore;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.evidence.TestId;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A filter for the setting {@code neuron.test.invocation}: of a test with several invocations only one runs. Build tools can only select
 * methods. JUnit stores the filter with the whole test and closes it after all invocations were evaluated. If none of them has the selected
 * number, closing fails.
 */
final class InvocationFilter implements AutoCloseable {

    private static final Namespace NAMESPACE = Namespace.create(InvocationFilter.class);
    private static final Pattern INVOCATION = Pattern.compile("\\[test-template-invocation:#(\\d{1,9})]$");
    private static final String OTHER = "it is not the invocation that " + Setting.INVOCATION + " selects: ";

    private final TestId test;
    private final int number;
    private final AtomicInteger last = new AtomicInteger();
    private final AtomicBoolean hasRun = new AtomicBoolean();

    private InvocationFilter(TestId test, int number) {
        this.test = test;
        this.number = number;
    }

    /** Returns why this invocation is skipped; all attempts of a retried test count as one test. */
    // computeIfAbsent, which JUnit 6 prefers, is not in JUnit 5
    @SuppressWarnings("deprecation")
    static Optional<String> reasonToSkip(JvmSession session, ExtensionContext context) {
        OptionalInt number = session.invocation();
        Matcher invocation = INVOCATION.matcher(context.getUniqueId());
        if (number.isEmpty()
                || !invocation.find()
                || isAnnotated(context.getRequiredTestMethod(), RetryOnAnotherCore.class)) {
            return Optional.empty();
        }
        ExtensionContext whole = context.getParent().orElseThrow();
        return whole.getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        whole.getUniqueId(),
                        id -> new InvocationFilter(TestContexts.id(whole), number.getAsInt()),
                        InvocationFilter.class)
                .reasonToSkip(Integer.parseInt(invocation.group(1)));
    }

    private Optional<String> reasonToSkip(int invocation) {
        last.accumulateAndGet(invocation, Math::max);
        if (invocation == number) {
            hasRun.set(true);
            return Optional.empty();
        }
        return Optional.of(OTHER + number);
    }

    @Override
    public void close() {
        if (!hasRun.get()) {
            String message =
                    "%s has no invocation %s, which %s selects: the last is %s, and none ran. Correct or remove that setting."
                            .formatted(test.name(), number, Setting.INVOCATION, last.get());
            throw new AssertionError(message);
        }
    }
}
