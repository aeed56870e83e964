package dev.neurontest.internal.participant;

import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The result of a test so far, for participants that act at its end. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestResult {

    private final Suspicions suspicions;
    private final BodyOutcome body;
    private final Consumer<Phase> phases;
    private final List<Verdict> verdicts = new ArrayList<>();
    private @Nullable RuntimeException failure;

    /**
     * Creates a result after the body has ended.
     *
     * @param phases is notified of phases that a participant enters
     */
    public TestResult(Suspicions suspicions, BodyOutcome body, Consumer<Phase> phases) {
        this.suspicions = suspicions;
        this.body = body;
        this.phases = phases;
    }

    /** Returns whether the body passed and every step after it could be tried. */
    public boolean passed() {
        return body == BodyOutcome.PASSED && failure == null;
    }

    /** Returns whether the test passed with all findings so far. */
    public boolean passedWithFindings() {
        Judgement all = found();
        return passed() && all.violations().isEmpty() && all.undecided().isEmpty();
    }

    /**
     * Returns whether expectations that require events are judged. They are neither violated nor undecided after an aborted body, which was
     * free to do nothing. Events that must not happen are judged after every body.
     */
    public boolean judgesExpectations() {
        return body != BodyOutcome.ABORTED;
    }

    /** Judges a measurement by the part of an expectation that applies to this body. */
    public <R> Judgement judge(Expectation<R> expectation, R measurement) {
        return (judgesExpectations() ? expectation : expectation.ofAbortedBody()).judge(measurement);
    }

    /** Enters a phase that the lifecycle does not enter itself. */
    public void enter(Phase phase) {
        phases.accept(phase);
    }

    /** Returns why cores of the test are suspect. */
    public List<String> suspicions() {
        return suspicions.reasons();
    }

    /** Returns all findings so far. */
    public Judgement found() {
        return Verdict.all(verdicts);
    }

    /**
     * Records that a step could not even be tried. This fails the test, regardless of how undecided results are handled. After an aborted
     * body it is ignored, because the prerequisites of the step may be missing.
     */
    public void failed(RuntimeException problem) {
        if (judgesExpectations()) {
            failure = problem;
        }
    }

    public void add(List<Verdict> more) {
        verdicts.addAll(more);
    }

    public List<Verdict> verdicts() {
        return verdicts;
    }

    public Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }
}
