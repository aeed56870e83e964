package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedFields;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import dev.neurontest.configuration.Settings;
import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.TestId;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes each Neuron test that is skipped to the run file: by the platform, {@code @Disabled} or another extension. JUnit asks extensions
 * one after the other, so that ours may not hear of it. A class counts as its tests, and a test with invocations, which are not known, as
 * one. An invocation that was not chosen is one of them.
 */
final class SkippedTests implements TestExecutionListener {

    private final Function<Settings, Session> sessions;
    private @Nullable TestPlan plan;

    SkippedTests(Function<Settings, Session> sessions) {
        this.sessions = sessions;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionSkipped(TestIdentifier skipped, String reason) {
        TestPlan all = plan;
        if (all != null) {
            tell(all, skipped, reason);
        }
    }

    private void tell(TestPlan all, TestIdentifier skipped, String reason) {
        Set<TestIdentifier> inside = all.getChildren(skipped);
        if (!inside.isEmpty()) {
            inside.forEach(each -> tell(all, each, reason));
        } else if (skipped.getSource().filter(SkippedTests::isNeuronTest).isPresent()) {
            Settings settings = Session.settings(all.getConfigurationParameters());
            sessions.apply(settings).finishedWithoutCores(id(all, skipped), Outcome.SKIPPED, reason);
        }
    }

    static TestId id(TestPlan all, TestIdentifier test) {
        String name = test.getDisplayName();
        for (Optional<TestIdentifier> parent = all.getParent(test);
                parent.flatMap(all::getParent).isPresent();
                parent = all.getParent(parent.get())) {
            name = parent.get().getDisplayName() + " > " + name;
        }
        return new TestId(test.getUniqueId(), name);
    }

    static boolean isNeuronTest(TestSource source) {
        if (source instanceof ClassSource ofClass) {
            return isNeuronTest(ofClass.getJavaClass());
        }
        return source instanceof MethodSource method
                && (isAnnotated(method.getJavaMethod(), NeuronTest.class) || isNeuronTest(method.getJavaClass()));
    }

    private static boolean isNeuronTest(Class<?> testClass) {
        for (Class<?> each = testClass; each != null; each = each.getEnclosingClass()) {
            if (isAnnotated(each, NeuronTest.class)
                    || !findAnnotatedFields(
                                    each,
                                    RegisterExtension.class,
                                    field -> NeuronExtension.class.isAssignableFrom(field.getType()))
                            .isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
