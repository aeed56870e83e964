package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.participant.BodyOutcome;
import dev.neurontest.internal.plan.NeuronTests;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes to the run file how Neuron tests and containers ended for JUnit, where no watcher reports it: a class, a test template, a
 * factory, and a test whose extensions could not be registered. JUnit alone decides that, after all extensions and stores. A container
 * that passed is no test and is left out; a factory is the test that its dynamic tests are parts of.
 *
 * @param session of the tests
 */
record EndedTests(JvmSession session) {

    void finished(TestPlan plan, TestIdentifier ended, TestExecutionResult result) {
        TestIdentifier whole = ended;
        while (type(whole).startsWith("dynamic-")) {
            whole = plan.getParent(whole).orElseThrow();
        }
        if (whole != ended) {
            session.life(whole.getUniqueId())
                    .ifPresent(life -> result.getThrowable().ifPresent(life::partFailed));
        } else if (NeuronTests.isOne(plan, ended)) {
            write(NeuronTests.id(plan, ended), type(ended).equals("test-factory"), result);
        }
    }

    private void write(TestId test, boolean isFactory, TestExecutionResult result) {
        Optional<TestLifecycle> life = session.life(test.id());
        Optional<Throwable> failure =
                BodyOutcome.decisive(Stream.of(result.getThrowable(), life.flatMap(TestLifecycle::partFailure))
                        .flatMap(Optional::stream));
        BodyOutcome outcome = Stream.of(outcome(result), BodyOutcome.of(failure.orElse(null)))
                .max(BodyOutcome::compareTo)
                .orElseThrow();
        // A factory that passed was judged when its life ended. No other test that passes is without a watcher and yet
        // judged.
        boolean judgedFactory = isFactory && life.isPresent();
        if (!session.isWritten(test) && (judgedFactory || outcome != BodyOutcome.PASSED)) {
            session.finished(
                    test,
                    Outcome.valueOf(outcome.name()),
                    failure.map(Throwable::toString).orElse(null));
        }
        session.forget(test);
    }

    private static BodyOutcome outcome(TestExecutionResult result) {
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
