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
import org.junit.platform.commons.JUnitException;
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
        // Before an extension takes the settings, for which JUnit does not list the names of configuration parameters.
        if (started.getRoots().stream()
                .flatMap(root -> started.getDescendants(root).stream())
                .anyMatch(EndedTests::isNeuron)) {
            session(started);
        }
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
        if (!isNeuron(whole)) {
            return;
        }
        Optional<Session> session = session(all);
        if (whole == ended) {
            session.ifPresent(known ->
                    write(known, SkippedTests.id(all, ended), type(ended).equals("test-factory"), result));
        } else {
            String factory = whole.getUniqueId();
            session.flatMap(known -> known.life(factory))
                    .ifPresent(life -> result.getThrowable().ifPresent(life::partFailed));
        }
    }

    private static boolean isNeuron(TestIdentifier test) {
        try {
            return test.getSource().filter(SkippedTests::isNeuronTest).isPresent();
        } catch (JUnitException notLoaded) {
            // Other engines name classes and methods that are not Java's.
            return false;
        }
    }

    /** Without one there is no run file, and each test fails with the same. */
    private Optional<Session> session(TestPlan all) {
        try {
            return Optional.of(sessions.apply(Session.settings(all.getConfigurationParameters())));
        } catch (BadSettingException notMade) {
            return Optional.empty();
        }
    }

    private static void write(Session session, TestId test, boolean isFactory, TestExecutionResult result) {
        Optional<TestLife> life = session.life(test.id());
        Optional<Throwable> failure =
                BodyOutcome.decisive(Stream.of(result.getThrowable(), life.flatMap(TestLife::partFailure))
                        .flatMap(Optional::stream));
        BodyOutcome outcome = Stream.of(outcome(result), BodyOutcome.of(failure.orElse(null)))
                .max(BodyOutcome::compareTo)
                .orElseThrow();
        // A factory that passed was judged when its life ended. Any other test that passes unwritten was judged by
        // nobody.
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

    private static boolean isDynamic(TestIdentifier ended) {
        return type(ended).startsWith("dynamic-");
    }

    private static String type(TestIdentifier ended) {
        UniqueId.Segment last = ended.getUniqueIdObject().getLastSegment();
        return last.getType();
    }
}
