package dev.neurontest.internal.plan;

import dev.neurontest.counter.CounterExpectations;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What the source of a test, or of a class for all its tests, asks for.
 *
 * @param slots what has to be leased for it
 * @param ofClass what a test takes of the cores that its class has for all its tests; nothing for a class
 * @param ofSession what has to be leased for it and for all after it
 * @param rules what the counters are judged by
 * @param profiles what it wants profiled
 * @param usesRuntime whether it wants the runtime in this JVM
 * @param prints what it wants of device prints
 * @param comparisons what it wants compared with baselines
 * @param needsFake whether it scripts a fake host
 * @param isTest false for a class
 */
@API(status = API.Status.INTERNAL)
public record TestPlan(
        Set<CoreSlot> slots,
        Set<CoreSlot> ofClass,
        Set<CoreSlot> ofSession,
        CounterExpectations rules,
        ProfilePlan profiles,
        boolean usesRuntime,
        PrintPlan prints,
        ComparisonPlan comparisons,
        boolean needsFake,
        boolean isTest) {

    /**
     * Where it is written.
     *
     * @param testClasses the class with those around it, the outermost first
     * @param testMethod null for the class itself
     * @param oneInstance whether a class has one instance for all its tests unless it says otherwise
     */
    public record Source(
            List<Class<?>> testClasses, @Nullable Method testMethod, boolean oneInstance) {

        public static Source of(ExtensionContext context) {
            boolean oneInstance = context.getConfigurationParameter(
                            TestInstance.Lifecycle.DEFAULT_LIFECYCLE_PROPERTY_NAME)
                    .filter(TestInstance.Lifecycle.PER_CLASS.name()::equalsIgnoreCase)
                    .isPresent();
            List<Class<?>> testClasses = new ArrayList<>(context.getEnclosingTestClasses());
            testClasses.add(context.getRequiredTestClass());
            return new Source(List.copyOf(testClasses), context.getTestMethod().orElse(null), oneInstance);
        }

        /** Equal for the same source. The method that a record has for it delays the first test of a JVM. */
        public List<?> key() {
            return Arrays.asList(testClasses, testMethod, oneInstance);
        }

        public TestPlan read() {
            UncheckedAnnotations.refuse(testClasses);
            if (testMethod == null) {
                Class<?> testClass = testClasses.get(testClasses.size() - 1);
                return new TestPlan(
                        RequestedCores.ofClass(testClass, oneInstance),
                        Set.of(),
                        RequestedCores.ofSession(testClass, oneInstance),
                        CounterAnnotations.ofClass(testClasses),
                        ProfilePlan.NONE,
                        RuntimeParameters.use(testClass, RequestedCores.parametersOfAllTests(testClass, oneInstance)),
                        PrintPlan.NONE,
                        ComparisonPlan.NONE,
                        false,
                        false);
            }
            List<Parameter> parameters = RequestedCores.parameters(testClasses, testMethod, oneInstance);
            boolean usesRuntime = RuntimeParameters.use(testMethod, parameters);
            boolean runtimeAround =
                    testClasses.stream().anyMatch(each -> RequestedCores.usesRuntime(each, oneInstance));
            return new TestPlan(
                    RequestedCores.ofTest(testClasses, testMethod, oneInstance),
                    RequestedCores.ofClass(testClasses, testMethod, oneInstance),
                    RequestedCores.ofSession(testClasses, testMethod, oneInstance),
                    CounterAnnotations.ofTest(testClasses, testMethod),
                    ProfileAnnotations.plan(testClasses, testMethod, parameters),
                    usesRuntime,
                    PrintAnnotations.plan(testClasses, testMethod, parameters, usesRuntime || runtimeAround),
                    BaselineAnnotations.plan(testClasses, testMethod),
                    RequestedCores.needFake(testClasses, testMethod, oneInstance),
                    true);
        }
    }

    /** Everything that is demanded of more than the files of the host, in the user's words. */
    public List<String> demandsOnMoreThanFiles() {
        return Stream.of(profiles.demands(), comparisons.demandsOnProfiles(), prints.demands())
                .flatMap(List::stream)
                .toList();
    }
}
