package dev.neurontest.internal.lifecycle;

import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import dev.neurontest.NeuronCoreLocks;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lifecycle.lease.RunTarget;
import dev.neurontest.internal.plan.BaselineName;
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
 * The lives of tests and classes, by what JUnit knows of these. They lie in JUnit's store.
 *
 * @param rules of a field that registers the extension; null where annotations say them
 */
@API(status = API.Status.INTERNAL)
public record TestContexts(@Nullable CounterExpectations rules) {

    private static final Namespace NAMESPACE = Namespace.create(TestContexts.class);
    private static final String REGISTERED = "registered by a field";

    /** The nearest class that leases for its tests; found by look-up through the parents, unlike the lives themselves. */
    private record Around(RunningTest test) {}

    /** The test that dynamic tests are parts of. */
    private record Factory(RunningTest test) {}

    /** Says that a field takes over, if one registered the extension. */
    public void takeOver(ExtensionContext context) {
        if (rules != null) {
            store(context).put(REGISTERED, this);
        }
    }

    /** A field that registers the extension takes over from the annotation. */
    public boolean areInCharge(ExtensionContext context) {
        return rules != null || store(context).get(REGISTERED) == null;
    }

    /** The life of a test or class, which begins when it is asked for first. */
    @SuppressWarnings("deprecation")
    public // computeIfAbsent, which JUnit 6 prefers, is not in JUnit 5
    RunningTest getOrBegin(ExtensionContext context) {
        return store(context).getOrComputeIfAbsent(context.getUniqueId(), id -> begin(context), RunningTest.class);
    }

    /** That of a test or class, if it has begun. */
    static Optional<RunningTest> ifBegun(ExtensionContext context) {
        return Optional.ofNullable(store(context).get(context.getUniqueId(), RunningTest.class));
    }

    /** That of a test, of the factory that a dynamic test is part of, or of a class. */
    public Optional<RunningTest> enclosing(ExtensionContext context) {
        if (!areInCharge(context)) {
            return Optional.empty();
        }
        return ifBegun(context)
                .or(() -> Optional.ofNullable(store(context).get(Factory.class, Factory.class))
                        .map(Factory::test));
    }

    private RunningTest begin(ExtensionContext context) {
        JvmSession session = JvmSession.of(context);
        TestPlan plan = session.plan(context);
        Optional<RunTarget> target = found(context, RunTarget.class);
        if (plan.isTest() && target.isEmpty() && RequestedCores.isForEach(context.getRequiredTestMethod())) {
            throw Misuse.of(
                    "JUnit makes the instance before it is known which core or device a run is for. Take it as a"
                            + " parameter of %s, not of the constructor.".formatted(context.getRequiredTestMethod()));
        }
        if (!plan.isTest() && !plan.slots().isEmpty() && isParallel(context) && !isLocked(context)) {
            throw Misuse.of(("%s leases cores for all its tests while others run in parallel."
                            + " Annotate it with @NeuronTest or @ResourceLock(providers = NeuronCoreLocks.class), and with"
                            + " @TestInstance(PER_CLASS) if it is meant to have one instance, or they may wait for each"
                            + " other for ever.")
                    .formatted(context.getRequiredTestClass().getName()));
        }
        RunningTest test = session.host()
                .begin(new HostSession.TestDescription(
                        id(context),
                        BaselineName.of(id(context)),
                        plan,
                        rulesOf(plan),
                        plan.isTest() ? target : Optional.empty(),
                        attempt(context).map(RetryAttempt::avoided).orElse(Set.of()),
                        context.getParent()
                                .flatMap(parent -> found(parent, Around.class))
                                .map(Around::test)
                                .orElse(null)));
        test.life().start(new JUnitAttachments(context));
        session.keepLife(context.getUniqueId(), test.life());
        if (plan.isTest()) {
            store(context).put(Factory.class, new Factory(test));
        } else if (test.life().holdsCores()) {
            store(context).put(Around.class, new Around(test));
        }
        return test;
    }

    private CounterExpectations rulesOf(TestPlan plan) {
        if (rules == null) {
            return plan.rules();
        }
        return plan.isTest() ? rules : rules.withoutDemands();
    }

    private static boolean isParallel(ExtensionContext context) {
        return context.getConfigurationParameter("junit.jupiter.execution.parallel.enabled", Boolean::valueOf)
                .orElse(false);
    }

    /** The locks are found before JUnit's parameters are known, so what only these make a class's cores is not locked. */
    private static boolean isLocked(ExtensionContext context) {
        return !RequestedCores.ofClass(context.getRequiredTestClass(), false).isEmpty()
                && Stream.concat(Stream.of(context.getRequiredTestClass()), context.getEnclosingTestClasses().stream())
                        .flatMap(each -> findRepeatableAnnotations(each, ResourceLock.class).stream())
                        .anyMatch(lock -> List.of(lock.providers()).contains(NeuronCoreLocks.class));
    }

    /** The attempt that a test is; empty for every other test. */
    public static Optional<RetryAttempt> attempt(ExtensionContext context) {
        return found(context, RetryAttempt.class);
    }

    /** What the run of a template is for, or which attempt it is. */
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
