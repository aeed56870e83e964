package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.plan.NeuronTests;
import dev.neurontest.internal.plan.UncheckedAnnotations;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
        @Nullable JvmSession session = tests.isEmpty() ? null : session(started);
        planned = null;
        ended = null;
        if (session != null) {
            planned = session.planned();
            ended = new EndedTests(session);
            planned.begin(started, tests);
        }
        unchecked(started, tests);
    }

    /** Reports annotations that the extension never finds: in classes of other engines, and in classes without Neuron tests. */
    private void unchecked(TestPlan all, List<TestIdentifier> neuronTests) {
        Set<Class<?>> checked = new HashSet<>();
        for (TestIdentifier test : neuronTests) {
            checked.addAll(NeuronTests.classes(all, test));
        }
        for (TestIdentifier root : all.getRoots()) {
            for (TestIdentifier each : all.getDescendants(root)) {
                @Nullable Class<?> testClass = NeuronTests.classOf(each).orElse(null);
                if (testClass != null
                        && !(checked.contains(testClass) && NeuronTests.isOfJupiter(each))
                        && visited.add(Map.entry(NeuronTests.engine(each), testClass))) {
                    unchecked(all, each, testClass);
                }
            }
        }
    }

    private void unchecked(TestPlan all, TestIdentifier container, Class<?> testClass) {
        List<UncheckedAnnotations> annotations = NeuronTests.isOfJupiter(container)
                ? UncheckedAnnotations.ofJupiter(testClass)
                : UncheckedAnnotations.ofEngine(NeuronTests.engine(container), testClass);
        if (!annotations.isEmpty()) {
            @Nullable JvmSession session = session(all);
            if (session != null) {
                session.planned().unchecked(NeuronTests.id(all, container), annotations);
            }
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
        if (all != null && result.getThrowable().isPresent()) {
            UnresolvedParameter.of(all, test, result.getThrowable().get())
                    .ifPresent(parameter -> unresolved(all, test, parameter));
        }
        if (plan != null && planned != null && ended != null) {
            ended.finished(plan, test, result);
            planned.finished(plan, test, result);
        }
    }

    private void unresolved(TestPlan all, TestIdentifier test, UnresolvedParameter parameter) {
        @Nullable JvmSession session = session(all);
        if (session != null) {
            session.planned().unresolved(all, test, parameter);
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
            @Nullable PlannedTests plannedTests = planned;
            if (plannedTests == null) {
                @Nullable JvmSession session = session(unfinished);
                plannedTests = session == null ? null : session.planned();
            }
            if (plannedTests != null) {
                plannedTests.giveUp(runningIn(unfinished));
            }
        }
    }

    private List<String> runningIn(TestPlan unfinished) {
        return running.values().stream()
                .map(test -> NeuronTests.id(unfinished, test).name())
                .sorted()
                .toList();
    }

    /** Returns null if the settings are invalid; each Neuron test then fails with the same error. */
    private @Nullable JvmSession session(TestPlan all) {
        try {
            return sessions.apply(JvmSession.settings(all.getConfigurationParameters()));
        } catch (BadSettingException refused) {
            return null;
        }
    }
}
