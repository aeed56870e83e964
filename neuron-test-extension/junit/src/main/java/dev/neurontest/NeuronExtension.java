package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import dev.neurontest.counter.CounterRules;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.Phase;
import dev.neurontest.evidence.TestId;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.opentest4j.TestAbortedException;

/**
 * Gives tests NeuronCores and judges what the driver counted meanwhile. {@link NeuronTest} registers it; where the demands
 * are only known in code, a field does:
 *
 * <pre>{@code
 * @RegisterExtension
 * static NeuronExtension neuron = NeuronExtension.builder()
 *         .counters(rules -> rules.expect(CounterMoves.by("inference_count", 100)).allow("oob_error"))
 *         .build();
 * }</pre>
 *
 * <p>Both may stand together: the demands of the field then come instead of those of annotations. See
 * {@link NeuronCoreLocks} for parallel execution.
 *
 * <p>An older JUnit than the one it needs can load this class, and is told so when a field asks for the builder; what needs
 * a newer JUnit to be loaded is {@link RegisteredExtension}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class NeuronExtension extends UserCodeInterceptor
        implements ExecutionCondition,
                BeforeAllCallback,
                AfterAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                BeforeTestExecutionCallback,
                AfterTestExecutionCallback,
                ParameterResolver,
                TestTemplateInvocationContextProvider,
                TestExecutionExceptionHandler,
                TestWatcher {

    static final Namespace NAMESPACE = Namespace.create(NeuronExtension.class);
    private static final String REGISTERED = "registered by a field";

    private final @Nullable CounterRules rules;

    /** Demands come from annotations when there are no rules. */
    NeuronExtension(@Nullable CounterRules rules) {
        this.rules = rules;
    }

    /**
     * Starts from the default rules.
     *
     * @return a builder
     * @throws ExtensionConfigurationException when JUnit is too old; the message tells how to set its version
     */
    public static Builder builder() {
        OldJUnit.refuse();
        return new Builder();
    }

    /** Collects demands for a field with {@code @RegisterExtension}. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final CounterRules.Builder rules = CounterRules.builder();

        private Builder() {}

        /**
         * Adds demands on counters to the default rule.
         *
         * @param demands is given the rules to add to
         * @return this
         */
        public Builder counters(Consumer<CounterRules.Builder> demands) {
            demands.accept(rules);
            return this;
        }

        /**
         * Ends building.
         *
         * @return the extension
         */
        public NeuronExtension build() {
            return new RegisteredExtension(rules.build());
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (rules != null) {
            store(context).put(REGISTERED, this);
        }
        Optional<String> reason;
        try {
            reason = Session.of(context).reasonToSkip(TestPlan.of(context));
        } catch (RuntimeException mistake) {
            return ConditionEvaluationResult.enabled("the same mistake is told plainly when the test begins");
        }
        if (reason.isEmpty()) {
            return ConditionEvaluationResult.enabled("there is a Neuron host, or there has to be one");
        }
        Session.of(context).finishedWithoutCores(id(context), Outcome.SKIPPED, reason.get());
        return ConditionEvaluationResult.disabled(reason.get());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isInCharge(context)) {
            try {
                life(context);
            } catch (RuntimeException failed) {
                Session.of(context).finishedWithoutCores(id(context), Outcome.FAILED, failed.toString());
                throw failed;
            }
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (isInCharge(context)) {
            TestLife life = life(context);
            Session session = Session.of(context);
            context.publishReportEntry(session.host().event().labels());
            session.allure()
                    .ifPresent(allure -> allure.label(session.host().event().labels()));
            if (rules != null && life.rules() != rules) {
                throw new ExtensionConfigurationException(
                        "The constructor got its cores before the field with @RegisterExtension was there, so its demands"
                                + " would be ignored. Make that field static.");
            }
            if (!life.holdsCores() && TestPlan.of(context).profiles().needsTool()) {
                throw new ExtensionConfigurationException(context.getRequiredTestMethod()
                        + " wants something profiled but takes no NeuronCore and no NeuronDevice. Add such a parameter:"
                        + " the tool runs on what is leased.");
            }
            if (!life.holdsCores() && life.rules().demandsSomething()) {
                throw new ExtensionConfigurationException(context.getRequiredTestMethod()
                        + " demands something of counters but takes no NeuronCore and no"
                        + " NeuronDevice. Add such a parameter: the counters of what it leases are looked at.");
            }
        }
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        if (isInCharge(context)) {
            life(context).phase(Phase.BODY);
        }
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (isInCharge(context)) {
            life(context).phase(Phase.TEARDOWN);
            Session.of(context)
                    .allure()
                    .ifPresent(allure -> allure.exclude(
                            Stream.of(context.getRequiredTestMethod().getParameters())
                                    .filter(parameter -> Injected.of(parameter).isPresent())
                                    .map(Parameter::getName)
                                    .toList()));
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (isInCharge(context)) {
            end(context);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isInCharge(context)) {
            end(context);
            Session.of(context).over(id(context));
        }
    }

    private void end(ExtensionContext context) {
        @Nullable TestLife life = store(context).get(context.getUniqueId(), TestLife.class);
        if (life == null) {
            return;
        }
        Optional<Attempt> attempt = Attempt.of(store(context));
        @Nullable
        Throwable failure = context.getExecutionException()
                .or(life::partFailure)
                .or(() -> attempt.flatMap(Attempt::heldBack))
                .orElse(null);
        Optional.ofNullable(failure).ifPresent(noted -> life.interruptionNote().ifPresent(noted::addSuppressed));
        @Nullable Throwable thrown = attempt.flatMap(Attempt::heldBack).orElse(null);
        @Nullable Throwable failedBefore = failure;
        try {
            life.end(failure == null, new JUnitAttachments(context));
        } catch (Throwable judged) {
            failure = failure == null ? judged : failure;
            if (thrown == null) {
                thrown = judged;
            } else {
                thrown.addSuppressed(judged);
            }
        }
        if (failedBefore != null) {
            life.printNote(failedBefore).ifPresent(failedBefore::addSuppressed);
        }
        if (failure != null && attempt.isPresent() && !isKnownToFail(context) && life.repeats(attempt.get())) {
            thrown = attempt.get().abortion(life.suspicions(), failure);
        }
        // JUnit tells no watcher how a class ended, whose tests may not even have begun.
        if (failure != null && context.getTestMethod().isEmpty()) {
            life.finished(outcome(failure), failure.toString());
        }
        // JUnit tells no watcher how a factory of dynamic tests ended.
        if (context.getTestMethod()
                .filter(method -> isAnnotated(method, TestFactory.class))
                .isPresent()) {
            finished(context, outcome(failure), failure);
        }
        if (thrown != null) {
            throwUnchecked(thrown);
        }
    }

    /** What a method around the test failed with is out of hand: nothing would turn that into an attempt that does not count. */
    private static boolean isKnownToFail(ExtensionContext context) {
        return context.getExecutionException()
                .filter(failure -> !(failure instanceof TestAbortedException))
                .isPresent();
    }

    /** JUnit takes every throwable, but its callbacks declare exceptions only. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(Throwable throwable) throws T {
        throw (T) throwable;
    }

    private static Outcome outcome(@Nullable Throwable failure) {
        if (failure == null) {
            return Outcome.PASSED;
        }
        return failure instanceof TestAbortedException ? Outcome.ABORTED : Outcome.FAILED;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        if (!isInCharge(context)
                || Attempt.of(store(context))
                        .filter(attempt -> attempt.holdBack(failure))
                        .isEmpty()) {
            throw failure;
        }
    }

    /** Nobody is called any more when the one instance of a class cannot be made. */
    @Override
    public <T> T interceptTestClassConstructor(
            Invocation<T> invocation, ReflectiveInvocationContext<Constructor<T>> constructor, ExtensionContext context)
            throws Throwable {
        try {
            return invocation.proceed();
        } catch (Throwable failure) {
            if (isInCharge(context) && context.getTestMethod().isEmpty()) {
                lifeAround(context)
                        .ifPresentOrElse(
                                life -> life.finished(outcome(failure), failure.toString()),
                                () -> Session.of(context)
                                        .finishedWithoutCores(id(context), outcome(failure), failure.toString()));
            }
            throw failure;
        }
    }

    /** The life of a test, of the factory that a dynamic test is part of, or of a class. */
    @Override
    Optional<TestLife> lifeAround(ExtensionContext context) {
        if (!isInCharge(context)) {
            return Optional.empty();
        }
        return Optional.ofNullable(store(context).get(context.getUniqueId(), TestLife.class))
                .or(() -> Optional.ofNullable(store(context).get(Factory.class, Factory.class))
                        .map(Factory::life));
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        // JUnit may have made the instance, and with it a lease, before it asked whether the test runs.
        Session.of(context)
                .takeLife(context.getUniqueId())
                .ifPresent(life -> life.finished(Outcome.SKIPPED, reason.orElse(null)));
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        finished(context, Outcome.PASSED, null);
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        finished(context, Outcome.FAILED, cause);
    }

    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        finished(context, Outcome.ABORTED, cause);
    }

    /** The test's own store is closed by now; the session has kept the life, unless the test got no cores. */
    private void finished(ExtensionContext context, Outcome outcome, @Nullable Throwable cause) {
        if (!isInCharge(context)) {
            return;
        }
        Session session = Session.of(context);
        @Nullable String reason = cause == null ? null : cause.toString();
        session.takeLife(context.getUniqueId())
                .ifPresentOrElse(
                        life -> life.finished(outcome, reason),
                        () -> session.finishedWithoutCores(id(context), outcome, reason));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return isInCharge(context) && Injected.of(parameter.getParameter()).isPresent();
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return switch (Injected.of(parameter.getParameter()).orElseThrow()) {
            case CORE -> cores(parameter, context).get(0);
            case CORES -> cores(parameter, context);
            case DEVICE -> cores(parameter, context).get(0).device();
            case HOST -> Session.of(context).host().platform().host();
            case COUNTERS -> life(context).counters();
            case WORKLOADS -> life(context).workloads();
            case PROFILER -> life(context).profiles().profiler();
            case PROFILE -> life(context).profiles().replayed();
            case RUNTIME -> life(context).runtime().runtime();
            case MODEL ->
                life(context)
                        .runtime()
                        .load(parameter.findAnnotation(Neff.class).orElseThrow());
            case PRINTS -> life(context).prints();
            case COMPARISONS -> life(context).comparisons();
            case FAKE ->
                Session.of(context)
                        .host()
                        .platform()
                        .fake()
                        .orElseThrow(() -> new ExtensionConfigurationException(
                                "There is no FakeNeuronHost on %s. Take an Optional<FakeNeuronHost>, or run on a fake"
                                        .formatted(Session.of(context)
                                                .host()
                                                .platform()
                                                .choice())));
            case FAKE_IF_ANY -> Session.of(context).host().platform().fake();
        };
    }

    private List<NeuronCore> cores(ParameterContext parameter, ExtensionContext context) {
        LeaseScope place = context.getTestMethod().isPresent() ? LeaseScope.TEST : LeaseScope.CLASS;
        return life(context)
                .cores(Slot.of(parameter.getDeclaringExecutable(), place).get(parameter.getParameter()));
    }

    /** Constructor parameters belong to the test that the instance is made for. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        return isInCharge(context) && (TestPlan.isForEach(method) || isAnnotated(method, RetryOnAnotherCore.class));
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        if (TestPlan.isForEach(method)) {
            return Session.of(context)
                    .runs(method, TestPlan.of(context).runtime().used())
                    .map(assigned -> new Run(assigned.name(), assigned));
        }
        int times = Session.of(context).attempts(method);
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(Attempt.upTo(times), Spliterator.ORDERED), false);
    }

    @SuppressWarnings("deprecation") // computeIfAbsent, which JUnit 6 prefers, is not in JUnit 5
    private TestLife life(ExtensionContext context) {
        return store(context).getOrComputeIfAbsent(context.getUniqueId(), id -> begin(context), TestLife.class);
    }

    private TestLife begin(ExtensionContext context) {
        Session session = Session.of(context);
        TestPlan plan = TestPlan.of(context);
        Optional<Assigned> assigned = Optional.ofNullable(store(context).get(Assigned.class, Assigned.class));
        if (plan.isTest() && assigned.isEmpty() && TestPlan.isForEach(context.getRequiredTestMethod())) {
            throw new ExtensionConfigurationException(
                    "JUnit makes the instance before it is known which core or device a run is for. Take it as a"
                            + " parameter of %s, not of the constructor.".formatted(context.getRequiredTestMethod()));
        }
        if (!plan.isTest() && !plan.slots().isEmpty() && isParallel(context) && !isLocked(context)) {
            throw new ExtensionConfigurationException(("%s leases cores for all its tests while others run in parallel."
                            + " Annotate it with @NeuronTest or @ResourceLock(providers = NeuronCoreLocks.class), and with"
                            + " @TestInstance(PER_CLASS) if it is meant to have one instance, or they may wait for each"
                            + " other for ever.")
                    .formatted(context.getRequiredTestClass().getName()));
        }
        TestLife life = TestLife.begin(
                session,
                new TestLife.Plan(
                        id(context),
                        plan.slots(),
                        plan.ofSession(),
                        plan.isTest() ? assigned : Optional.empty(),
                        Attempt.of(store(context)).map(Attempt::avoided).orElse(Set.of()),
                        rulesOf(plan),
                        plan.profiles(),
                        plan.runtime(),
                        plan.prints(),
                        plan.comparisons(),
                        plan.isTest(),
                        context.getParent()
                                .map(parent -> store(parent).get(Around.class, Around.class))
                                .map(Around::life)
                                .orElse(null)),
                new JUnitAttachments(context));
        if (plan.isTest()) {
            session.keepLife(context.getUniqueId(), life);
            store(context).put(Factory.class, new Factory(life));
        } else if (life.holdsCores()) {
            store(context).put(Around.class, new Around(life));
        }
        return life;
    }

    /** The nearest class that leases for its tests; found by look-up through the parents, unlike the lives themselves. */
    private record Around(TestLife life) {}

    /** The test that dynamic tests are parts of. */
    private record Factory(TestLife life) {}

    private CounterRules rulesOf(TestPlan plan) {
        if (rules == null) {
            return plan.rules();
        }
        return plan.isTest() ? rules : rules.withoutDemands();
    }

    /** A field that registers the extension takes over from the annotation. */
    final boolean isInCharge(ExtensionContext context) {
        return rules != null || store(context).get(REGISTERED) == null;
    }

    private static boolean isParallel(ExtensionContext context) {
        return context.getConfigurationParameter("junit.jupiter.execution.parallel.enabled", Boolean::valueOf)
                .orElse(false);
    }

    /** The locks are found before JUnit's parameters are known, so what only these make a class's cores is not locked. */
    private static boolean isLocked(ExtensionContext context) {
        return !Slots.ofClass(context.getRequiredTestClass(), false).isEmpty()
                && Stream.concat(Stream.of(context.getRequiredTestClass()), context.getEnclosingTestClasses().stream())
                        .flatMap(each -> findRepeatableAnnotations(each, ResourceLock.class).stream())
                        .anyMatch(lock -> List.of(lock.providers()).contains(NeuronCoreLocks.class));
    }

    private static TestId id(ExtensionContext context) {
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
