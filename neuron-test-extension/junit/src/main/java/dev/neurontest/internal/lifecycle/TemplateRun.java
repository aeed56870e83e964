package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.lifecycle.lease.RunTarget;
import java.util.List;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/**
 * One run of a template.
 *
 * @param name the display name
 * @param of the {@link RunTarget} core or device of the run, or its {@link RetryAttempt}; the test finds it in the store
 */
@API(status = API.Status.INTERNAL)
public record TemplateRun(String name, Object of)
        implements TestTemplateInvocationContext, ClassTemplateInvocationContext {

    @Override
    public String getDisplayName(int invocationIndex) {
        return name;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
        return List.of();
    }

    @Override
    public void prepareInvocation(ExtensionContext context) {
        TestContexts.put(context, of);
    }
}
