package dev.neurontest;

import dev.neurontest.configuration.BadSettingException;
import dev.neurontest.configuration.Settings;
import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.TestId;
import dev.neurontest.life.BodyOutcome;
import dev.neurontest.life.TestLife;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes to the run file how each Neuron test and container ended for JUnit, where no watcher reports it: a class, a test template, a
 * factory, and a test whose extensions could not be registered. JUnit alone decides that, after all extensions and stores. A container
 * that passed is no test and is left out; a factory is the test that its dynamic tests are parts of.
 */
final class EndedTests implements TestExecutionListener {

    private final Function<Settings, Session> sessions;
    private @Nullable TestPlan plan;

    EndedTests(Function<Settings, Session> sessions) {
        this.sessions = sessions;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionFinished(TestIdentifier ended, TestExecutionResult result) {
        TestPlan all = plan;
        if (all == null) {
            return;
        }
        TestIdentifier whole = ended;
        while (isDynamic(whole)) {
            whole = all.getParent(whole).orElseThrow();
        }
        if (whole.getSource().filter(SkippedTests::isNeuronTest).isEmpty()) {
            return;
        }
        Session session;
        try {
            session = sessions.apply(Settings.of(all.getConfigurationParameters()::get));
        } catch (BadSettingException notMade) {
            // There is no run file. Each test has failed with it.
            return;
        }
        if (whole == ended) {
            write(session, SkippedTests.id(all, ended), isTest(ended), result);
        } else {
            session.life(whole.getUniqueId())
                    .ifPresent(life -> result.getThrowable().ifPresent(life::partFailed));
        }
    }

    private static void write(Session session, TestId test, boolean isTest, TestExecutionResult result) {
        Optional<TestLife> life = session.life(test.id());
        Optional<Throwable> failure =
                BodyOutcome.decisive(Stream.of(result.getThrowable(), life.flatMap(TestLife::partFailure))
                        .flatMap(Optional::stream));
        BodyOutcome outcome = Stream.of(outcome(result), BodyOutcome.of(failure.orElse(null)))
                .max(BodyOutcome::compareTo)
                .orElseThrow();
        if (!session.isWritten(test) && (isTest || outcome != BodyOutcome.PASSED)) {
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

    private static boolean isTest(TestIdentifier ended) {
        return ended.isTest() || type(ended).equals("test-factory");
    }

    private static boolean isDynamic(TestIdentifier ended) {
        return type(ended).startsWith("dynamic-");
    }

    private static String type(TestIdentifier ended) {
        UniqueId.Segment last = ended.getUniqueIdObject().getLastSegment();
        return last.getType();
    }
}
