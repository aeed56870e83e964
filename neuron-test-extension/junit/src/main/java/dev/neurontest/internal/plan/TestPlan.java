package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;
import static org.junit.platform.commons.support.ReflectionSupport.findMethods;
import static org.junit.platform.commons.support.ReflectionSupport.findNestedClasses;

import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.workload.Workloads;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.HierarchyTraversalMode;

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
 * @param startsPrograms true if it takes {@code Workloads}
 * @param cluster the hosts that it requests; empty if it uses one host
 * @param isTest false for a class
 * @param runsForEach true for a test that runs once for each core or device
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
        boolean startsPrograms,
        Optional<ClusterRequest> cluster,
        boolean isTest,
        boolean runsForEach) {

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
            boolean oneInstance = TestInstance.Lifecycle.PER_CLASS
                    .name()
                    .equalsIgnoreCase(
                            context.getConfigurationParameter(TestInstance.Lifecycle.DEFAULT_LIFECYCLE_PROPERTY_NAME)
                                    .orElse(""));
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
            Class<?> testClass = testClasses.get(testClasses.size() - 1);
            if (testMethod == null) {
                List<Parameter> ofAll = RequestedCores.parametersOfAllTests(testClass, oneInstance);
                ClusterRequest.refuse(ofAll);
                return new TestPlan(
                        RequestedCores.ofClass(testClass, oneInstance),
                        Set.of(),
                        RequestedCores.ofSession(testClass, oneInstance),
                        new NearestAnnotations(testClasses).onlyRegister()
                                ? CounterExpectations.DEFAULT
                                : CounterAnnotations.ofClass(testClasses),
                        ProfilePlan.NONE,
                        RuntimeParameters.use(testClass, ofAll),
                        PrintPlan.NONE,
                        OutputPlan.NONE,
                        ComparisonPlan.NONE,
                        false,
                        false,
                        Optional.empty(),
                        false,
                        false);
            }
            List<Parameter> parameters = RequestedCores.parameters(testClasses, testMethod, oneInstance);
            boolean usesRuntime = RuntimeParameters.use(testMethod, parameters);
            Optional<ClusterRequest> cluster = ClusterRequest.of(parameters);
            if (cluster.isPresent()) {
                cluster.get().requireNoCoresAround(testMethod, RequestedCores.isForEach(testMethod) || isInCores());
            }
            boolean annotated = !NearestAnnotations.to(testClasses, testMethod).onlyRegister();
            TestPlan plan = new TestPlan(
                    RequestedCores.ofTest(testClasses, testMethod, oneInstance),
                    RequestedCores.ofClass(testClasses, testMethod, oneInstance),
                    RequestedCores.ofSession(testClasses, testMethod, oneInstance),
                    annotated ? CounterAnnotations.ofTest(testClasses, testMethod) : CounterExpectations.DEFAULT,
                    annotated || takesMore(parameters)
                            ? ProfileAnnotations.plan(testClasses, testMethod, parameters)
                            : ProfilePlan.none(ProfilePlan.name(testClass, testMethod.getName())),
                    usesRuntime,
                    annotated || takesMore(parameters)
                            ? PrintAnnotations.plan(testClasses, testMethod, parameters, usesRuntime || isInRuntime())
                            : PrintPlan.NONE,
                    annotated ? OutputAnnotations.plan(testClasses, testMethod) : OutputPlan.NONE,
                    annotated
                            ? BaselineAnnotations.plan(testClasses, testMethod)
                            : new ComparisonPlan(testClass.getName(), List.of()),
                    RequestedCores.needFake(testClasses, testMethod, oneInstance),
                    takesMore(parameters)
                            && parameters.stream().anyMatch(parameter -> parameter.getType() == Workloads.class),
                    cluster,
                    true,
                    annotated && RequestedCores.isForEach(testMethod));
            plan.refuseOneHostBesideCluster(testMethod);
            return plan;
        }

        private boolean isInCores() {
            return testClasses.stream().anyMatch(each -> RequestedCores.holdsCores(each, oneInstance));
        }

        private boolean isInRuntime() {
            return testClasses.stream().anyMatch(each -> RequestedCores.usesRuntime(each, oneInstance));
        }

        /** Returns whether any parameter is more than a core, a device or a host. */
        private static boolean takesMore(List<Parameter> parameters) {
            for (Parameter parameter : parameters) {
                if (!HostParameter.isPlain(parameter)) {
                    return true;
                }
            }
            return false;
        }

        /**
         * Returns whether a test, or a test of a class, needs no host of this JVM: it uses the hosts of a cluster, or only starts programs
         * that simulate their kernels. A class does not need a host only because some of its tests do.
         */
        public boolean runsWithoutHost() {
            try {
                if (read().cluster().isPresent()) {
                    return true;
                }
                if (!read().slots().isEmpty() || !read().ofSession().isEmpty() || read().usesRuntime()) {
                    return false;
                }
            } catch (RuntimeException mistake) {
                return false;
            }
            if (testMethod != null) {
                return read().needsNoHost()
                        && !RequestedCores.isForEach(testMethod)
                        && RequestedCores.parameters(testClasses, testMethod, oneInstance).stream()
                                .allMatch(
                                        parameter -> HostParameter.of(parameter).isEmpty());
            }
            Class<?> testClass = testClasses.get(testClasses.size() - 1);
            return findMethods(
                                    testClass,
                                    method -> isAnnotated(method, Testable.class),
                                    HierarchyTraversalMode.TOP_DOWN)
                            .stream()
                            .anyMatch(method -> new Source(testClasses, method, oneInstance).runsWithoutHost())
                    || findNestedClasses(testClass, nested -> isAnnotated(nested, Nested.class)).stream()
                            .anyMatch(nested -> new Source(with(nested), null, oneInstance).runsWithoutHost());
        }

        private List<Class<?>> with(Class<?> nested) {
            return Stream.concat(testClasses.stream(), Stream.<Class<?>>of(nested))
                    .toList();
        }
    }

    /** Refuses expectations on measurements that are made on one host only, because nothing would judge the programs of a cluster. */
    private void refuseOneHostBesideCluster(Method test) {
        if (cluster.isEmpty()) {
            return;
        }
        List<String> onOneHost = new ArrayList<>(outputs.expectations());
        if (profiles.neff().isPresent()) {
            onOneHost.add("@ProfileNeff");
        }
        if (!comparisons.expectations().isEmpty()) {
            onOneHost.add("a comparison with a baseline");
        }
        if (!onOneHost.isEmpty() || !slots.isEmpty()) {
            throw Misuse.of(
                    "%s takes a NeuronCluster, but %s is measured on one host only. Remove it, or split the test."
                            .formatted(test, onOneHost.isEmpty() ? "a core" : String.join(", ", onOneHost)));
        }
    }

    private boolean needsNoHost() {
        return startsPrograms && !needsFake && !profiles.needsTool() && slots.isEmpty() && ofClass.isEmpty();
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
