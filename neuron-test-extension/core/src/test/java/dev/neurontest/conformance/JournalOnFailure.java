package dev.neurontest.conformance;

import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** A handler that adds the fake's last journal entries to a failure. */
final class JournalOnFailure implements TestExecutionExceptionHandler {

    private static final int SHOWN = 25;

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        HostUnderTest host = ((Cases) context.getRequiredTestInstance()).host();
        if (!(failure instanceof TestAbortedException) && host.can(Ability.SCRIPT)) {
            List<String> journal = host.fake().journal();
            failure.addSuppressed(new AssertionError(host + " did last:\n"
                    + String.join("\n", journal.subList(Math.max(0, journal.size() - SHOWN), journal.size()))));
        }
        throw failure;
    }
}
