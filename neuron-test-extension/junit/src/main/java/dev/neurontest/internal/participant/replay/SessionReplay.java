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
 * What happened on a recorded host happens again around the test that was recorded, on the same cores; or around the first test, when
 * something else was recorded. It happens in the time that it took, and what is left of it at once when the body is over, so that the
 * test is judged by the same whatever the speed of this machine.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionReplay {

    static final String RULE = "the replay";

    private final ReplayedTimeline timeline;
    private final String host;
    private final UndecidedHandling leniency;
    private final RecordedMarks marks;
    private final List<NeuronCore> cores;
    private final AtomicReference<@Nullable TestId> whose = new AtomicReference<>();
    private final AtomicBoolean told = new AtomicBoolean();

    private SessionReplay(ReplayedTimeline timeline, Platform platform, UndecidedHandling leniency) {
        this.timeline = timeline;
        this.host = platform.host().tree().name();
        this.leniency = leniency;
        this.marks = new RecordedMarks(timeline.marks());
        this.cores = platform.host().cores();
    }

    /** What a recorded host does. */
    public static Optional<SessionReplay> of(Platform platform, UndecidedHandling leniency) {
        return platform.timeline().map(timeline -> new SessionReplay(timeline, platform, leniency));
    }

    /** What a reader should know of the recording, whatever runs on it. */
    public List<String> notices() {
        return Stream.concat(incomplete().stream(), marks.seldom().stream().map("When it was recorded, %s."::formatted))
                .map(VisibleText::line)
                .toList();
    }

    /** The cores that the recorded test did not have, for this test and for a class that leases for it. */
    public Set<NeuronCore> avoided(TestId test) {
        Set<Integer> recorded = marks.cores();
        return !marks.areOfOrIn(test) || recorded.isEmpty()
                ? Set.of()
                : cores.stream()
                        .filter(core -> !recorded.contains(core.index()))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** To be called when the counters were looked at for the first time. */
    boolean begun(TestId test, boolean isTest) {
        boolean itsOwn = marks.test().isPresent() ? marks.areOf(test) : isTest;
        boolean happens = itsOwn && whose.compareAndSet(null, test);
        if (happens) {
            timeline.play();
        }
        return happens;
    }

    /** To be called when the body of a test is over, and before the counters are looked at for the last time. */
    void ended(TestId test) {
        if (test.equals(whose.get())) {
            timeline.end();
        }
    }

    /** Why it cannot be known here whether a test would pass; empty for tests around which nothing was to happen. */
    List<String> unseen(
            TestId test, boolean happened, boolean passed, List<Violation> violations, List<NeuronCore> its) {
        List<String> reasons = new ArrayList<>();
        if (happened && timeline.happens()) {
            reasons.addAll(incomplete());
        }
        if (marks.areOf(test)) {
            reasons.addAll(unseenOfTheRecorded(happened, passed, violations, its));
        }
        return reasons.stream().map(VisibleText::line).toList();
    }

    private List<String> incomplete() {
        return marks.incomplete().stream()
                .map("The recording is incomplete: %s."::formatted)
                .toList();
    }

    private List<String> unseenOfTheRecorded(
            boolean happened, boolean passed, List<Violation> violations, List<NeuronCore> its) {
        List<String> reasons = new ArrayList<>();
        if (!timeline.happens()) {
            reasons.add("What happened while it was recorded does not happen again: leave ?timeline=static out.");
        } else if (!happened) {
            reasons.add(
                    "What happened while it was recorded has happened before, around another run or a test of the same"
                            + " name: run it alone, once.");
        }
        marks.notViolatedAgain(violations)
                .forEach(
                        then -> reasons.add("It violated %s when it was recorded, and does not here.".formatted(then)));
        if (!its.stream().map(NeuronCore::index).collect(Collectors.toSet()).containsAll(marks.cores())) {
            reasons.add("It was recorded on other cores than it has here: %s."
                    .formatted(marks.cores().stream().sorted().toList()));
        }
        if (passed && marks.bodyFailed()) {
            reasons.add("Its body failed when it was recorded, and passed here. A recording has the files of the host,"
                    + " and not what programs did or answered.");
        }
        marks.undecided().forEach(what -> reasons.add("It was undecided when it was recorded: " + what));
        return reasons;
    }

    /**
     * To be called when all tests of a class are over.
     *
     * @throws AssertionError when the recorded test is one of them, or the class itself, and did not run; told once. As with everything
     *     else that is undecided, the settings may say that this aborts the class, or nothing
     */
    public void over(TestId testClass) {
        recorded()
                .filter(missing -> marks.areOfOrIn(testClass) && !missing.ran() && told.compareAndSet(false, true))
                .map(missing -> new Undecided(RULE, missing.test().name(), missing.missing()))
                .ifPresent(missing -> Verdict.enforce(List.of(verdict(missing.subject(), Judgement.of(missing)))));
    }

    /** What becomes of a test, or of a class, whose replay leaves something open. */
    Verdict verdict(String test, Judgement judgement) {
        return new Verdict(
                judgement,
                leniency,
                () -> Failure.error("Replay of %s on %s: %s".formatted(test, host, Verdict.undecided(judgement))));
    }

    /** Says whether the test that was recorded was among those that ran. */
    public void tell(RunFile runFile) {
        recorded().ifPresent(runFile::append);
    }

    private Optional<RunEvent.Replayed> recorded() {
        boolean ran = whose.get() != null;
        return marks.test()
                .map(test -> new RunEvent.Replayed(
                        new TestId(VisibleText.line(test.id()), VisibleText.line(test.name())), ran));
    }
}
