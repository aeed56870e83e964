package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.plan.NeuronTests;
import dev.neurontest.internal.plan.UncheckedAnnotations;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * A listener that writes the plan of each launcher execution to the run file. It also writes the end of planned tests for which JUnit does
 * not notify the extension: tests that were skipped, or in a class that was skipped, aborted or failed.
 */
final class PlanListener implements TestExecutionListener {

    /** Reason that JUnit 6 reports for a skip after its execution was cancelled. Such a test gets no end. */
    private static final String CANCELLED = "Execution cancelled";

    private final Function<Settings, JvmSession> sessions;
    private final Map<String, TestIdentifier> running = new ConcurrentHashMap<>();
    private final Set<Map.Entry<String, Class<?>>> visited = new HashSet<>();
    private @Nullable TestPlan plan;
    private @Nullable PlannedTests planned;
    private @Nullable EndedTests ended;

    PlanListener(Function<Settings, JvmSession> sessions) {
        this.sessions = sessions;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        if (plan != null && planned != null) {
            // The caller of JUnit's launcher continued after an exception.
            planned.giveUp(runningIn(plan));
        }
        List<TestIdentifier> tests = NeuronTests.in(started);
        running.clear();
        plan = started;
        Optional<JvmSession> session = tests.isEmpty() ? Optional.empty() : session(started);
        planned = session.map(JvmSession::planned).orElse(null);
        ended = session.map(EndedTests::new).orElse(null);
        if (planned != null) {
            planned.begin(started, tests);
        }
        unchecked(started, tests);
    }

    /** Reports annotations that the extension never finds: in classes of other engines, and in classes without Neuron tests. */
    private void unchecked(TestPlan all, List<TestIdentifier> neuronTests) {
        Set<Class<?>> checked = neuronTests.stream()
                .flatMap(test -> NeuronTests.classes(all, test))
                .collect(Collectors.toSet());
        for (TestIdentifier root : all.getRoots()) {
            for (TestIdentifier each : all.getDescendants(root)) {
                NeuronTests.classOf(each)
                        .filter(testClass -> !(checked.contains(testClass) && NeuronTests.isOfJupiter(each))
                                && visited.add(Map.entry(NeuronTests.engine(each), testClass)))
                        .ifPresent(testClass -> unchecked(all, each, testClass));
            }
        }
    }

    private void unchecked(TestPlan all, TestIdentifier container, Class<?> testClass) {
        List<UncheckedAnnotations> annotations = NeuronTests.isOfJupiter(container)
                ? UncheckedAnnotations.ofJupiter(testClass)
                : UncheckedAnnotations.ofEngine(NeuronTests.engine(container), testClass);
        if (!annotations.isEmpty()) {
            planned(all).ifPresent(plannedTests -> plannedTests.unchecked(NeuronTests.id(all, container), annotations));
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            running.put(test.getUniqueId(), test);
        }
    }

    @Override
    public void executionSkipped(TestIdentifier skipped, String reason) {
        if (!CANCELLED.equals(reason)) {
            skipped(Set.of(skipped), reason);
        }
    }

    private void skipped(Collection<TestIdentifier> skipped, String reason) {
        TestPlan all = plan;
        PlannedTests plannedTests = planned;
        if (all == null || plannedTests == null) {
            return;
        }
        for (TestIdentifier each : skipped) {
            Set<TestIdentifier> inside = all.getChildren(each);
            if (!inside.isEmpty()) {
                skipped(inside, reason);
            } else if (NeuronTests.isOne(all, each)) {
                plannedTests.skipped(NeuronTests.id(all, each), reason);
            }
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        running.remove(test.getUniqueId());
        TestPlan all = plan;
        if (all != null) {
            result.getThrowable()
                    .flatMap(failure -> UnresolvedParameter.of(all, test, failure))
                    .ifPresent(parameter ->
                            planned(all).ifPresent(plannedTests -> plannedTests.unresolved(all, test, parameter)));
        }
        if (plan != null && planned != null && ended != null) {
            ended.finished(plan, test, result);
            planned.finished(plan, test, result);
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan finished) {
        if (planned != null) {
            planned.finish();
        }
        plan = null;
        planned = null;
        ended = null;
    }

    /** Writes that JUnit gave up if it never finished its last plan. The tests of later plans may be missing, too. */
    void close() {
        TestPlan unfinished = plan;
        if (unfinished != null) {
            Optional.ofNullable(planned)
                    .or(() -> planned(unfinished))
                    .ifPresent(plannedTests -> plannedTests.giveUp(runningIn(unfinished)));
        }
    }

    private List<String> runningIn(TestPlan unfinished) {
        return running.values().stream()
                .map(test -> NeuronTests.id(unfinished, test).name())
                .sorted()
                .toList();
    }

    /** Returns empty if the settings are invalid; each Neuron test then fails with the same error. */
    private Optional<PlannedTests> planned(TestPlan all) {
        return session(all).map(JvmSession::planned);
    }

    private Optional<JvmSession> session(TestPlan all) {
        try {
            return Optional.of(sessions.apply(JvmSession.settings(all.getConfigurationParameters())));
        } catch (BadSettingException refused) {
            return Optional.empty();
        }
    }
}
