package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import dev.neurontest.counter.CounterRules;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What the source of a test, or of a class for all its tests, asks for.
 *
 * @param slots what has to be leased
 * @param rules what the counters are judged by
 * @param isTest false for a class
 */
record TestPlan(Set<Slot> slots, CounterRules rules, boolean isTest) {

    /**
     * Where it is written.
     *
     * @param testClass the class
     * @param testMethod null for the class itself
     * @param oneInstance whether a class has one instance for all its tests unless it says otherwise
     */
    record Source(Class<?> testClass, @Nullable Method testMethod, boolean oneInstance) {

        TestPlan read() {
            return testMethod == null
                    ? new TestPlan(Slots.ofClass(testClass, oneInstance), Demands.ofClass(testClass), false)
                    : new TestPlan(
                            Slots.ofTest(testClass, testMethod, oneInstance),
                            Demands.ofTest(testClass, testMethod),
                            true);
        }
    }

    static TestPlan of(ExtensionContext context) {
        boolean oneInstance = context.getConfigurationParameter(TestInstance.Lifecycle.DEFAULT_LIFECYCLE_PROPERTY_NAME)
                .filter(TestInstance.Lifecycle.PER_CLASS.name()::equalsIgnoreCase)
                .isPresent();
        return Session.of(context)
                .plan(new Source(
                        context.getRequiredTestClass(), context.getTestMethod().orElse(null), oneInstance));
    }

    /** Whether a test or class runs once for each core or device. */
    static boolean isForEach(AnnotatedElement element) {
        return isAnnotated(element, ForEachCore.class) || isAnnotated(element, ForEachDevice.class);
    }
}
