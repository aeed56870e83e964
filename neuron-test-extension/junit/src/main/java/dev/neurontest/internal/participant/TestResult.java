package dev.neurontest.internal.participant;

import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** How the life of a test went, for those that take part in its end. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestResult {

    private final Suspicions suspicions;
    private final BodyOutcome body;
    private final Consumer<Phase> phases;
    private final List<Verdict> verdicts = new ArrayList<>();
    private @Nullable RuntimeException failure;

    /**
     * The body is over.
     *
     * @param suspicions what is known against its cores
     * @param body how it ended
     * @param phases is told what comes next
     */
    public TestResult(Suspicions suspicions, BodyOutcome body, Consumer<Phase> phases) {
        this.suspicions = suspicions;
        this.body = body;
        this.phases = phases;
    }

    /** Whether the body passed, and everything that was to be done after it could be tried. */
    public boolean passed() {
        return body == BodyOutcome.PASSED && failure == null;
    }

    /**
     * Returns whether demands are judged that ask for something to happen. An aborted body was free to do nothing: they are then neither violated
     * nor undecided. What moved although it should not have is judged after every body.
     */
    public boolean judgesDemands() {
        return body != BodyOutcome.ABORTED;
    }

    /** Judges what was seen, by the part of an expectation that holds for this body. */
    public <R extends Measurement> Judgement judge(Expectation<R> expectation, R recording) {
        return (judgesDemands() ? expectation : expectation.ofAbortedBody()).judge(recording);
    }

    /** Says what comes next, where that is not said by the life itself. */
    public void enter(Phase phase) {
        phases.accept(phase);
    }

    /** Why cores of the test are suspect. */
    public List<String> suspicions() {
        return suspicions.reasons();
    }

    /** What was found so far. */
    public Judgement found() {
        return Verdict.all(verdicts);
    }

    /**
     * Records that something could not even be tried, which fails the test whatever becomes of what is undecided. After an aborted body there
     * may have been nothing to try it with.
     */
    public void failed(RuntimeException problem) {
        if (judgesDemands()) {
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
