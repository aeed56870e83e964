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
 * The requirements of a test, or of a class for all its tests, as read from its source.
 *
 * @param slots the cores to lease for it
 * @param ofClass the cores that a test takes from those of its class; empty for a class
 * @param ofSession the cores to lease for it and for all later tests of the session
 * @param rules the expectations on counters
 * @param profiles the plan for profiles
 * @param usesRuntime true if it uses the runtime in this JVM
 * @param prints the plan for device prints
 * @param outputs the plan for outputs
 * @param comparisons the comparisons with baselines
 * @param needsFake true if it scripts a fake host
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
        OutputPlan outputs,
        ComparisonPlan comparisons,
        boolean needsFake,
        boolean isTest) {

    /**
     * The source of a plan.
     *
     * @param testClasses the class with its enclosing classes, the outermost first
     * @param testMethod null for the class itself
     * @param oneInstance true if a class has one instance for all its tests by default
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

        /** Returns a key that is equal for the same source. The generated methods of a record would delay the first test of a JVM. */
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
                        OutputPlan.NONE,
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
                    OutputAnnotations.plan(testClasses, testMethod),
                    BaselineAnnotations.plan(testClasses, testMethod),
                    RequestedCores.needFake(testClasses, testMethod, oneInstance),
                    true);
        }
    }

    /** Returns the texts of all expectations that need more than the files of the host. */
    public List<String> expectationsOnMoreThanFiles() {
        return Stream.of(
                        profiles.expectations(),
                        comparisons.expectationsOnProfiles(),
                        prints.expectations(),
                        outputs.expectations())
                .flatMap(List::stream)
                .toList();
    }
}
