package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.judgement.Mistake;
import dev.neurontest.internal.lifecycle.AllureSink;
import dev.neurontest.internal.lifecycle.JvmSession;
import dev.neurontest.internal.lifecycle.OldJUnit;
import dev.neurontest.internal.lifecycle.ParameterValues;
import dev.neurontest.internal.lifecycle.RetryAttempt;
import dev.neurontest.internal.lifecycle.RunningTest;
import dev.neurontest.internal.lifecycle.StackTracePruner;
import dev.neurontest.internal.lifecycle.TemplateRun;
import dev.neurontest.internal.lifecycle.TestContexts;
import dev.neurontest.internal.lifecycle.TestEnd;
import dev.neurontest.internal.lifecycle.TestLifecycle;
import dev.neurontest.internal.lifecycle.lease.TestLease;
import dev.neurontest.internal.plan.Misuse;
import dev.neurontest.internal.plan.RequestedCores;
import dev.neurontest.internal.plan.TestPlan;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
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
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * The JUnit extension that gives tests NeuronCores and checks the driver counters around each test. {@link NeuronTest} registers it. If the
 * expectations are only known in code, a field registers it:
 *
 * <pre>{@code
 * @RegisterExtension
 * static NeuronExtension neuron = NeuronExtension.builder()
 *         .counters(rules -> rules.expect(CounterDeltaExpectation.by("inference_count", 100)).allow("oob_error"))
 *         .build();
 * }</pre>
 *
 * <p>The annotation and the field can be combined. The counter expectations of the field then replace those of annotations. See
 * {@link NeuronCoreLocks} for parallel execution.
 *
 * <p>A JUnit version that is too old can still load this class; {@link #builder()} then throws an exception that explains the problem. The
 * interfaces that need a newer JUnit are implemented in {@link RegisteredExtension}.
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

    private final @Nullable CounterExpectations rules;
    private final TestContexts contexts;

    /** Creates the extension; without rules, the expectations come from annotations. */
    NeuronExtension(@Nullable CounterExpectations rules) {
        this.rules = rules;
        this.contexts = new TestContexts(rules);
    }

    /**
     * Creates a builder with the default rules.
     *
     * @return a builder
     * @throws ExtensionConfigurationException if JUnit is too old; the message explains how to set its version
     */
    public static Builder builder() {
        OldJUnit.refuse();
        return new Builder();
    }

    /** A builder of expectations for a field with {@code @RegisterExtension}. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final CounterExpectations.Builder rules = CounterExpectations.builder();

        private Builder() {}

        /**
         * Adds counter expectations to the default rule.
         *
         * @param expectations receives the rules and adds to them
         * @return this builder
         */
        public Builder counters(Consumer<CounterExpectations.Builder> expectations) {
            expectations.accept(rules);
            return this;
        }

        /**
         * Builds the extension.
         *
         * @return the extension
         */
        public NeuronExtension build() {
            return new RegisteredExtension(rules.build());
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        contexts.takeOver(context);
        Optional<String> reason;
        try {
            JvmSession session = JvmSession.of(context);
            reason = session.reasonToSkip(context);
        } catch (RuntimeException mistake) {
            return ConditionEvaluationResult.enabled("the same mistake fails the test when it begins");
        }
        return reason.isPresent()
                ? ConditionEvaluationResult.disabled(reason.get())
                : ConditionEvaluationResult.enabled("a Neuron host is present or required");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isInCharge(context)) {
            @Nullable AllureSink allure = allure(context);
            if (allure != null) {
                allure.discardClass();
                allure.beginClass(context.getUniqueId());
            }
            try {
                contexts.getOrBegin(context);
            } catch (RuntimeException | Error failure) {
                new StackTracePruner(context).ofStep(failure);
                throw failure;
            }
            if (allure != null) {
                allure.discardClass();
            }
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (isInCharge(context)) {
            try {
                begin(context);
            } catch (RuntimeException | Error failure) {
                new StackTracePruner(context).ofStep(failure);
                throw failure;
            }
        }
    }

    private static @Nullable AllureSink allure(ExtensionContext context) {
        @Nullable JvmSession session = JvmSession.existing(context).orElse(null);
        return session == null ? null : session.allure().orElse(null);
    }

    private void begin(ExtensionContext context) {
        RunningTest test = contexts.getOrBegin(context);
        JvmSession session = JvmSession.of(context);
        RunEvent.PlatformChosen platform = session.host().host().event();
        Map<String, String> labels = platform.labels();
        context.publishReportEntry(labels);
        if (session.allure().isPresent()) {
            label(session.allure().get(), platform, test.cores().all());
        }
        if (rules != null && test.rules() != rules) {
            throw Misuse.of(
                    "The constructor got its cores before the field with @RegisterExtension was set, so the expectations of that"
                            + " field would be ignored. Make the field static.");
        }
        if (!test.lifecycle().holdsCores()) {
            refuseExpectationsOnCores(context, session.plan(context), test.rules());
        }
    }

    private static void label(AllureSink allure, RunEvent.PlatformChosen platform, List<NeuronCore> cores) {
        allure.label(platform.labels());
        allure.place(
                Optional.of(platform.host()).filter(host -> !platform.kind().equals("real")), TestLease.names(cores));
    }

    private static void refuseExpectationsOnCores(ExtensionContext context, TestPlan plan, CounterExpectations rules) {
        if (plan.profiles().needsTool()) {
            throw Misuse.of(context.getRequiredTestMethod()
                    + " requires a profile but takes no NeuronCore and no NeuronDevice. Add such a parameter: the"
                    + " tool runs on the leased cores.");
        }
        if (rules.expectsSomething()) {
            throw Misuse.of(context.getRequiredTestMethod()
                    + " has counter expectations but takes no NeuronCore and no NeuronDevice."
                    + " Add such a parameter: the expectations apply to the counters of the leased cores.");
        }
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        if (isInCharge(context)) {
            contexts.getOrBegin(context).lifecycle().phase(Phase.BODY);
        }
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (isInCharge(context)) {
            contexts.getOrBegin(context).lifecycle().phase(Phase.TEARDOWN);
            Optional<AllureSink> allure = JvmSession.of(context).allure();
            if (allure.isPresent()) {
                allure.get()
                        .exclude(Stream.of(context.getRequiredTestMethod().getParameters())
                                .filter(ParameterValues::isProvided)
                                .map(Parameter::getName)
                                .toList());
            }
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (isInCharge(context)) {
            TestEnd.conclude(context);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isInCharge(context)) {
            @Nullable AllureSink allure = allure(context);
            if (allure != null) {
                beginClassResult(allure, context);
            }
            TestEnd.conclude(context);
            try {
                JvmSession.of(context).over(TestContexts.id(context));
            } catch (RuntimeException | Error failure) {
                new StackTracePruner(context).ofStep(failure);
                throw failure;
            }
        }
    }

    private void beginClassResult(AllureSink allure, ExtensionContext context) {
        allure.beginClass(context.getUniqueId());
        JvmSession.of(context)
                .opened()
                .ifPresent(host -> label(
                        allure,
                        host.host().event(),
                        enclosing(context).map(test -> test.cores().all()).orElse(List.of())));
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        if (!isInCharge(context)
                || TestContexts.attempt(context)
                        .filter(attempt -> attempt.holdBack(failure))
                        .isEmpty()) {
            throw failure;
        }
    }

    @Override
    Optional<RunningTest> enclosing(ExtensionContext context) {
        return contexts.enclosing(context);
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        // JUnit may have created the instance, and with it a lease, before it evaluated whether the test runs.
        JvmSession.existing(context)
                .flatMap(session -> session.removeLifecycle(context.getUniqueId()))
                .ifPresent(TestLifecycle::close);
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

    /**
     * Reports the outcome to the session. JUnit closes the store of a test before it reports the outcome; the session keeps the lifecycle
     * until then. A test that could not begin has none. Without a session, JUnit's launcher alone reports the outcome.
     */
    private void finished(ExtensionContext context, Outcome outcome, @Nullable Throwable cause) {
        if (isInCharge(context)) {
            @Nullable JvmSession session = JvmSession.existing(context).orElse(null);
            if (session != null) {
                session.finished(TestContexts.id(context), outcome, cause == null ? null : Mistake.reason(cause));
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return isInCharge(context) && ParameterValues.isProvided(parameter.getParameter());
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        try {
            return new ParameterValues(contexts, context).value(parameter);
        } catch (RuntimeException | Error failure) {
            new StackTracePruner(context).ofStep(failure);
            throw failure;
        }
    }

    /** Returns the test scope: constructor parameters belong to the test for which the instance is created. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        return isInCharge(context)
                && (RequestedCores.isForEach(method) || isAnnotated(method, RetryOnAnotherCore.class));
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        try {
            return runs(context);
        } catch (RuntimeException | Error failure) {
            new StackTracePruner(context).ofStep(failure);
            throw failure;
        }
    }

    private Stream<TestTemplateInvocationContext> runs(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        JvmSession session = JvmSession.of(context);
        if (RequestedCores.isForEach(method)) {
            return session.host()
                    .runs(method, session.plan(context).usesRuntime())
                    .map(assigned -> new TemplateRun(assigned.name(), assigned));
        }
        int times = attempts(method);
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(
                                RetryAttempt.upTo(session.retries() ? times : 0), Spliterator.ORDERED),
                        false)
                .map(attempt -> new TemplateRun(attempt.name(), attempt));
    }

    /** Returns the maximum number of additional attempts of a test. */
    private static int attempts(Method testMethod) {
        int times = findAnnotation(testMethod, RetryOnAnotherCore.class)
                .orElseThrow()
                .times();
        if (times < 1) {
            throw Misuse.of("@RetryOnAnotherCore of %s allows %s more attempts; it must be at least 1"
                    .formatted(testMethod, times));
        }
        return times;
    }

    /** Returns whether this extension handles the test; a field that registers the extension takes precedence over the annotation. */
    final boolean isInCharge(ExtensionContext context) {
        return contexts.areInCharge(context);
    }
}
