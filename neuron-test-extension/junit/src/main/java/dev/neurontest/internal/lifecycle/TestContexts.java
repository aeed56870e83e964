package dev.neurontest.internal.lifecycle;

import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import dev.neurontest.NeuronCoreLocks;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lifecycle.lease.RunTarget;
import dev.neurontest.internal.plan.Misuse;
import dev.neurontest.internal.plan.RequestedCores;
import dev.neurontest.internal.plan.TestPlan;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The lifecycles of tests and classes in JUnit's store, by extension context.
 *
 * @param rules the rules of a field that registers the extension; null if the rules come from annotations
 */
@API(status = API.Status.INTERNAL)
public record TestContexts(@Nullable CounterExpectations rules) {

    private static final Namespace NAMESPACE = Namespace.create(TestContexts.class);
    private static final String REGISTERED = "registered by a field";

    /** The nearest class that leases cores for its tests. Unlike lifecycles, it is also found through parent contexts. */
    private record Around(RunningTest test) {}

    /** The test that contains dynamic tests as parts. */
    private record Factory(RunningTest test) {}

    /** Records that a field takes precedence, if one registered the extension. */
    public void takeOver(ExtensionContext context) {
        if (rules != null) {
            store(context).put(REGISTERED, this);
        }
    }

    /** Returns whether this extension handles the test; a field that registers the extension takes precedence over the annotation. */
    public boolean areInCharge(ExtensionContext context) {
        return rules != null || store(context).get(REGISTERED) == null;
    }

    /** Returns the lifecycle of a test or class, and starts it on the first call. */
    // computeIfAbsent, which JUnit 6 prefers, is not in JUnit 5
    @SuppressWarnings("deprecation")
    public RunningTest getOrBegin(ExtensionContext context) {
        return store(context).getOrComputeIfAbsent(context.getUniqueId(), id -> begin(context), RunningTest.class);
    }

    /** Returns the lifecycle of a test or class if it has started. */
    static Optional<RunningTest> ifBegun(ExtensionContext context) {
        return Optional.ofNullable(store(context).get(context.getUniqueId(), RunningTest.class));
    }

    /** Returns the lifecycle of a test, of the factory of a dynamic test, or of a class. */
    public Optional<RunningTest> enclosing(ExtensionContext context) {
        if (!areInCharge(context)) {
            return Optional.empty();
        }
        Optional<RunningTest> begun = ifBegun(context);
        if (begun.isPresent()) {
            return begun;
        }
        @Nullable Factory factory = store(context).get(Factory.class, Factory.class);
        return factory == null ? Optional.empty() : Optional.of(factory.test());
    }

    private RunningTest begin(ExtensionContext context) {
        JvmSession session = JvmSession.of(context);
        TestPlan plan = session.plan(context);
        Optional<RunTarget> target = found(context, RunTarget.class);
        if (plan.runsForEach() && target.isEmpty()) {
            throw Misuse.of("JUnit creates the instance before the core or device of a run is known. Take it as a"
                    + " parameter of %s, not of the constructor.".formatted(context.getRequiredTestMethod()));
        }
        if (!plan.isTest() && !plan.slots().isEmpty() && isParallel(context) && !isLocked(context)) {
            throw Misuse.of(("%s leases cores for all its tests while others run in parallel, so tests can wait"
                            + " for each other forever. Annotate it with @NeuronTest or @ResourceLock(providers"
                            + " = NeuronCoreLocks.class), and with @TestInstance(PER_CLASS) if it needs"
                            + " one instance.")
                    .formatted(context.getRequiredTestClass().getName()));
        }
        @Nullable RunningTest enclosing = enclosingClass(context);
        CounterExpectations rules = rulesOf(context, plan);
        if (rules.expectsOverWholeClass()) {
            refuseUnlessJudged(context, plan, enclosing);
        }
        @Nullable RetryAttempt attempt = attempt(context).orElse(null);
        if (plan.isTest() && (attempt != null || PioneerHint.isAttempt(context))) {
            context.getParent().ifPresent(whole -> session.attemptStarted(id(context), id(whole)));
        }
        RunningTest test = session.host()
                .begin(new HostSession.TestDescription(
                        id(context),
                        plan,
                        rules,
                        plan.isTest() ? target : Optional.empty(),
                        attempt == null ? Set.of() : attempt.avoided(),
                        enclosing));
        test.lifecycle().start(new JUnitAttachments(context));
        session.addLifecycle(context.getUniqueId(), test.lifecycle());
        if (plan.isTest()) {
            store(context).put(Factory.class, new Factory(test));
        } else if (test.lifecycle().holdsCores()) {
            store(context).put(Around.class, new Around(test));
        }
        return test;
    }

    private static @Nullable RunningTest enclosingClass(ExtensionContext context) {
        @Nullable ExtensionContext parent = context.getParent().orElse(null);
        @Nullable Around around = parent == null ? null : store(parent).get(Around.class, Around.class);
        return around == null ? null : around.test();
    }

    private CounterExpectations rulesOf(ExtensionContext context, TestPlan plan) {
        if (rules == null) {
            return plan.rules();
        }
        return plan.isTest() ? rules : rules.ofClass(isRegisteredAround(context));
    }

    /** Refuses expectations over a whole class that nothing would judge. */
    private void refuseUnlessJudged(ExtensionContext context, TestPlan plan, @Nullable RunningTest enclosing) {
        String testClass = context.getRequiredTestClass().getName();
        if (plan.isTest() && !isRegisteredAround(context)) {
            throw Misuse.of(
                    ("The field of %s that registers NeuronExtension has a counter expectation over the whole class, but JUnit"
                                    + " uses an instance field only for single tests. Make the field static.")
                            .formatted(testClass));
        }
        if (!plan.isTest() && plan.slots().isEmpty() && plan.ofSession().isEmpty() && enclosing == null) {
            throw Misuse.of("%s has a counter expectation over the whole class, but leases no cores for all its tests."
                            .formatted(testClass)
                    + " Take a NeuronCore in @BeforeAll, or one with @LeasedPer(LeaseScope.CLASS) in each test.");
        }
    }

    /** Returns whether the field that registers this extension belongs to a class around a test or a nested class. */
    private boolean isRegisteredAround(ExtensionContext context) {
        return Stream.iterate(
                        context.getParent(),
                        Optional::isPresent,
                        parent -> parent.get().getParent())
                .flatMap(Optional::stream)
                .filter(parent -> parent.getTestMethod().isEmpty())
                .filter(parent -> context.getTestMethod().isPresent()
                        || !parent.getTestClass().equals(context.getTestClass()))
                .anyMatch(parent -> equals(store(parent).get(REGISTERED)));
    }

    private static boolean isParallel(ExtensionContext context) {
        return context.getConfigurationParameter("junit.jupiter.execution.parallel.enabled", Boolean::valueOf)
                .orElse(false);
    }

    /**
     * Returns whether a class has the locks for its cores. JUnit collects locks before its configuration parameters are known. Cores that
     * depend on these parameters are therefore not locked.
     */
    private static boolean isLocked(ExtensionContext context) {
        return !RequestedCores.ofClass(context.getRequiredTestClass(), false).isEmpty()
                && Stream.concat(Stream.of(context.getRequiredTestClass()), context.getEnclosingTestClasses().stream())
                        .flatMap(each -> findRepeatableAnnotations(each, ResourceLock.class).stream())
                        .anyMatch(lock -> List.of(lock.providers()).contains(NeuronCoreLocks.class));
    }

    /** Returns the attempt of a retried test; empty for every other test. */
    public static Optional<RetryAttempt> attempt(ExtensionContext context) {
        return found(context, RetryAttempt.class);
    }

    /** Stores the target or the attempt of a template run. */
    static void put(ExtensionContext context, Object of) {
        store(context).put(of.getClass(), of);
    }

    private static <T> Optional<T> found(ExtensionContext context, Class<T> type) {
        return Optional.ofNullable(store(context).get(type, type));
    }

    public static TestId id(ExtensionContext context) {
        String name = context.getDisplayName();
        for (Optional<ExtensionContext> parent = context.getParent();
                parent.isPresent() && parent.get().getParent().isPresent();
                parent = parent.get().getParent()) {
            name = parent.get().getDisplayName() + " > " + name;
        }
        return new TestId(context.getUniqueId(), name);
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }
}
