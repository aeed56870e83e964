package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Mistake;
import dev.neurontest.internal.plan.NeuronTests;
import dev.neurontest.internal.plan.UncheckedAnnotations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** A tracker of planned Neuron tests. It completes the run file for tests that the extension does not end. */
final class PlannedTests {

    private static final String NOT_JUDGED =
            "JUnit reports that it passed, but did not notify the extension of Neuron Test, which judged nothing.";

    private final RunFile runFile;
    private final Map<String, TestId> unfinished = new ConcurrentHashMap<>();
    private final Set<String> containers = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> withUnresolved = ConcurrentHashMap.newKeySet();

    PlannedTests(RunFile runFile) {
        this.runFile = runFile;
        runFile.onEnd(test -> {
            unfinished.remove(test.id());
            containers.remove(test.id());
        });
    }

    /** Writes the planned tests. Called before the first test begins. */
    void begin(TestPlan plan, List<TestIdentifier> tests) {
        unfinished.clear();
        containers.clear();
        for (TestIdentifier test : tests) {
            TestId id = NeuronTests.id(plan, test);
            unfinished.put(id.id(), id);
            for (Optional<TestIdentifier> parent = plan.getParent(test);
                    parent.isPresent() && containers.add(parent.get().getUniqueId());
                    parent = plan.getParent(parent.get())) {
                // the condition of the loop adds the containers that earlier tests have not added
            }
            runFile.append(new RunEvent.Planned(id));
        }
    }

    /** Records a class with ineffective annotations as failed in the run file, and prints one line for each of them. */
    void unchecked(TestId test, List<UncheckedAnnotations> annotations) {
        for (UncheckedAnnotations each : annotations) {
            runFile.printLine(each.toString());
            runFile.append(new RunEvent.Violated(test, each.violation()));
        }
        end(test, Outcome.FAILED, UncheckedAnnotations.text(annotations));
    }

    /** Records the cause of a failed test in the run file, and prints it for the first test of its class. */
    void unresolved(TestPlan plan, TestIdentifier failed, UnresolvedParameter parameter) {
        if (withUnresolved.add(parameter.testClass())) {
            runFile.printLine(parameter.toString());
        }
        TestId test = NeuronTests.id(plan, failed);
        runFile.append(new RunEvent.Violated(test, parameter.violation()));
        if (!NeuronTests.isOne(plan, failed)) {
            end(test, Outcome.FAILED, parameter.toString());
        }
    }

    void skipped(TestId test, String reason) {
        runFile.append(new RunEvent.TestFinished(test, Outcome.SKIPPED, List.of(), reason));
    }

    /**
     * Writes the missing ends when JUnit reports the end of a test or container. A passed test that the extension did not judge is recorded
     * as failed. A container that failed or was aborted also ends its unfinished tests.
     */
    void finished(TestPlan plan, TestIdentifier ended, TestExecutionResult result) {
        Outcome outcome = Outcome.valueOf(EndedTests.outcome(result).name());
        @Nullable Throwable failure = result.getThrowable().orElse(null);
        @Nullable String reason = failure == null ? null : Mistake.reason(failure);
        TestId test = unfinished.get(ended.getUniqueId());
        if (test != null && outcome != Outcome.PASSED) {
            end(test, outcome, reason);
        } else if (test != null && ended.isTest()) {
            end(test, Outcome.FAILED, NOT_JUDGED);
        } else if (test != null) {
            unfinished.remove(test.id());
            runFile.append(new RunEvent.TemplateFinished(test));
        } else if (outcome != Outcome.PASSED && ended.isContainer()) {
            plan.getDescendants(ended).stream()
                    .map(inside -> unfinished.get(inside.getUniqueId()))
                    .forEach(inside -> {
                        if (inside != null) {
                            end(inside, outcome, reason);
                        }
                    });
            if (outcome == Outcome.FAILED && containers.contains(ended.getUniqueId())) {
                end(NeuronTests.id(plan, ended), outcome, reason);
            }
        }
    }

    private void end(TestId test, Outcome outcome, @Nullable String reason) {
        runFile.append(new RunEvent.TestFinished(test, outcome, List.of(), reason));
    }

    void finish() {
        runFile.append(new RunEvent.PlanFinished());
    }

    /** Records that the JUnit launcher stopped with an exception while these tests were running. */
    void giveUp(List<String> running) {
        runFile.append(new RunEvent.PlanGivenUp(running));
    }
}
