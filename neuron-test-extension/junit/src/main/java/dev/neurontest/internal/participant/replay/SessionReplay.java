package dev.neurontest.internal.participant.replay;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.platform.ReplayedTimeline;
import dev.neurontest.internal.text.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The replay of a recorded host around the recorded test, on the same cores. If the recording is not of a test, it is replayed around the
 * first test. Changes are replayed at their recorded speed. The remaining changes are applied at once when the body has ended. The test is
 * therefore judged by the same changes, regardless of the speed of this machine.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionReplay {

    static final String RULE = "the replay";

    private final ReplayedTimeline timeline;
    private final String host;
    private final UndecidedHandling undecidedHandling;
    private final RecordedMarks marks;
    private final List<NeuronCore> cores;
    private final AtomicReference<@Nullable TestId> replayedTest = new AtomicReference<>();
    private final AtomicBoolean reported = new AtomicBoolean();

    private SessionReplay(ReplayedTimeline timeline, Platform platform, UndecidedHandling undecidedHandling) {
        this.timeline = timeline;
        this.host = platform.host().tree().name();
        this.undecidedHandling = undecidedHandling;
        this.marks = new RecordedMarks(timeline.marks());
        this.cores = platform.host().cores();
    }

    /** Returns the replay of a recorded host; empty on other platforms. */
    public static Optional<SessionReplay> of(Platform platform, UndecidedHandling undecidedHandling) {
        Optional<ReplayedTimeline> timeline = platform.timeline();
        return timeline.isPresent()
                ? Optional.of(new SessionReplay(timeline.get(), platform, undecidedHandling))
                : Optional.empty();
    }

    /** Returns the notices about the recording, for every test that runs on it. */
    public List<String> notices() {
        return Stream.concat(incomplete().stream(), marks.seldom().stream().map("During the recording, %s."::formatted))
                .map(VisibleText::line)
                .toList();
    }

    /** Returns the cores that the recorded test did not use. Empty unless the given test is the recorded test or a class around it. */
    public Set<NeuronCore> avoided(TestId test) {
        Set<Integer> recordedCores = marks.cores();
        return !marks.areOfOrIn(test) || recordedCores.isEmpty()
                ? Set.of()
                : cores.stream()
                        .filter(core -> !recordedCores.contains(core.index()))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Assigns the replay to this test and starts it, unless another test already has it or the recording is of another test. Called after
     * the first reading of the counters.
     *
     * @return true if the replay was assigned, even if its timeline is static
     */
    boolean begun(TestId test, boolean isTest) {
        boolean matches = marks.test().isPresent() ? marks.areOf(test) : isTest;
        boolean assigned = matches && replayedTest.compareAndSet(null, test);
        if (assigned) {
            timeline.play();
        }
        return assigned;
    }

    /** Ends the replay. Called after the body of a test, and before the last reading of the counters. */
    void ended(TestId test) {
        if (test.equals(replayedTest.get())) {
            timeline.end();
        }
    }

    /** Returns the reasons why the replay cannot confirm the result of a test; empty if there are none. */
    List<String> unseen(
            TestId test, boolean happened, boolean passed, List<Violation> violations, List<NeuronCore> used) {
        List<String> reasons = new ArrayList<>();
        if (happened && timeline.happens()) {
            reasons.addAll(incomplete());
        }
        if (marks.areOf(test)) {
            reasons.addAll(reasonsOfRecordedTest(happened, passed, violations, used));
        }
        return reasons.stream().map(VisibleText::line).toList();
    }

    private List<String> incomplete() {
        return marks.incomplete().stream()
                .map("The recording is incomplete: %s."::formatted)
                .toList();
    }

    private List<String> reasonsOfRecordedTest(
            boolean happened, boolean passed, List<Violation> violations, List<NeuronCore> used) {
        List<String> reasons = new ArrayList<>();
        if (!timeline.happens()) {
            reasons.add("The recorded changes are not replayed. Remove ?timeline=static from neuron.test.platform.");
        } else if (!happened) {
            reasons.add("The recorded changes were already replayed, for another run or a test of the same name:"
                    + " run it alone, once.");
        }
        marks.notViolatedAgain(violations)
                .forEach(then ->
                        reasons.add("It violated %s when it was recorded, but not in this replay.".formatted(then)));
        if (!used.stream().map(NeuronCore::index).collect(Collectors.toSet()).containsAll(marks.cores())) {
            reasons.add("It was recorded on other cores than those leased now: %s."
                    .formatted(marks.cores().stream().sorted().toList()));
        }
        if (passed && marks.bodyFailed()) {
            reasons.add(
                    "Its body failed when it was recorded, but passed in this replay. A recording contains the files of the"
                            + " host, not the behaviour of programs.");
        }
        marks.undecided().forEach(what -> reasons.add("It was undecided when it was recorded: " + what));
        return reasons;
    }

    /**
     * Checks after the last test of a class that the recorded test ran, if it belongs to that class.
     *
     * @throws AssertionError if the recorded test did not run; thrown once. Depending on {@code neuron.test.undecided}, the class is aborted
     *     instead, or nothing is thrown
     */
    public void over(TestId testClass) {
        replayedEvent()
                .filter(missing -> marks.areOfOrIn(testClass) && !missing.ran() && reported.compareAndSet(false, true))
                .map(missing -> new Undecided(RULE, missing.test().name(), missing.missing()))
                .ifPresent(missing -> Verdict.enforce(List.of(verdict(missing.subject(), Judgement.of(missing)))));
    }

    /** Returns the verdict on a test or class with undecided results of the replay. */
    Verdict verdict(String test, Judgement judgement) {
        return new Verdict(
                judgement,
                undecidedHandling,
                () -> Failure.error("Replay of %s on %s: %s".formatted(test, host, Verdict.undecided(judgement))));
    }

    /** Writes whether the recorded test was among the executed tests. */
    public void writeTo(RunFile runFile) {
        replayedEvent().ifPresent(runFile::append);
    }

    private Optional<RunEvent.Replayed> replayedEvent() {
        boolean ran = replayedTest.get() != null;
        return marks.test()
                .map(test -> new RunEvent.Replayed(
                        new TestId(VisibleText.line(test.id()), VisibleText.line(test.name())), ran));
    }
}
