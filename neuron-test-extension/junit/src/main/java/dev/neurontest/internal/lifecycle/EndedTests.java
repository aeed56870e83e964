package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Mistake;
import dev.neurontest.internal.participant.BodyOutcome;
import dev.neurontest.internal.plan.NeuronTests;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * A writer for the end of Neuron tests and containers for which JUnit notifies no watcher. These are classes, test templates, factories,
 * and tests with extensions that could not be registered. JUnit alone determines their outcome, after all extensions and stores are closed.
 * A container that passed is no test and is skipped. A factory counts as one test; its dynamic tests are parts of it.
 */
record EndedTests(JvmSession session) {

    void finished(TestPlan plan, TestIdentifier ended, TestExecutionResult result) {
        TestIdentifier whole = ended;
        while (type(whole).startsWith("dynamic-")) {
            whole = plan.getParent(whole).orElseThrow();
        }
        if (whole != ended) {
            session.lifecycle(whole.getUniqueId())
                    .ifPresent(lifecycle -> result.getThrowable().ifPresent(lifecycle::partFailed));
        } else if (NeuronTests.isOne(plan, ended)) {
            write(NeuronTests.id(plan, ended), type(ended).equals("test-factory"), result);
        }
    }

    private void write(TestId test, boolean isFactory, TestExecutionResult result) {
        @Nullable TestLifecycle lifecycle = session.lifecycle(test.id()).orElse(null);
        @Nullable
        Throwable ofPart = lifecycle == null ? null : lifecycle.partFailure().orElse(null);
        @Nullable Throwable failure = BodyOutcome.decisive(result.getThrowable().orElse(null), ofPart);
        BodyOutcome outcome = outcome(result);
        if (BodyOutcome.of(failure).compareTo(outcome) > 0) {
            outcome = BodyOutcome.of(failure);
        }
        // A passed factory was judged when its lifecycle ended. Every other passed test that was judged has a watcher.
        boolean judgedFactory = isFactory && lifecycle != null;
        if (!session.isWritten(test) && (judgedFactory || outcome != BodyOutcome.PASSED)) {
            session.finished(test, Outcome.valueOf(outcome.name()), failure == null ? null : Mistake.reason(failure));
        }
        session.forget(test);
    }

    static BodyOutcome outcome(TestExecutionResult result) {
        return switch (result.getStatus()) {
            case SUCCESSFUL -> BodyOutcome.PASSED;
            case ABORTED -> BodyOutcome.ABORTED;
            case FAILED -> BodyOutcome.FAILED;
        };
    }

    private static String type(TestIdentifier test) {
        return test.getUniqueIdObject().getLastSegment().getType();
    }
}
