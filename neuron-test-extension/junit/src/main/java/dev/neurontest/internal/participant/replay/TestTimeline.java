package dev.neurontest.internal.participant.replay;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.archive.HostPicture;
import dev.neurontest.internal.archive.HostRecorder;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.participant.counter.SnapshotListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A participant that records the host files during a test, or during all tests of a class, if that is enabled. On a recorded host it
 * replays the recorded changes.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestTimeline implements Participant, SnapshotListener {

    /**
     * Maximum size of the changes in a recording, in characters: enough for a thousand changes or more, as in a test of several minutes on
     * a few devices.
     */
    private static final int LIMIT = 4 << 20;

    private final SessionPicture picture;
    private final Optional<SessionReplay> replay;
    private final String host;
    private final Duration interval;
    private final TestJournal lines;
    private final List<NeuronCore> cores;
    private final boolean isTest;
    private final List<String> expectations;
    private Optional<HostRecorder> recorder = Optional.empty();
    private boolean begun;
    private boolean happens;

    /**
     * Creates a participant without recording or replaying anything.
     *
     * @param picture the snapshot of the host, with which recordings begin
     * @param replay the replay of a recorded host
     * @param host the name of the host in messages
     * @param interval the polling interval of a recorder
     * @param isTest false for a class
     * @param expectations the texts of expectations that need more than the files of the host
     */
    public TestTimeline(
            SessionPicture picture,
            Optional<SessionReplay> replay,
            String host,
            Duration interval,
            TestJournal lines,
            List<NeuronCore> cores,
            boolean isTest,
            List<String> expectations) {
        this.picture = picture;
        this.replay = replay;
        this.host = host;
        this.interval = interval;
        this.lines = lines;
        this.cores = List.copyOf(cores);
        this.isTest = isTest;
        this.expectations = List.copyOf(expectations);
    }

    /** Starts the recorder before the first reading, because a recording must contain all changes that the counters see. */
    @Override
    public void beforeStart() {
        recorder = picture.get().map(this::recorder);
        begun = true;
    }

    @Override
    public void afterStart() {
        recorder.ifPresent(each -> {
            List<String> marks = new ArrayList<>(RecordedMarks.test(lines.test()));
            marks.add(RecordedMarks.cores(cores));
            each.mark(marks.toArray(String[]::new));
        });
        happens = replay.filter(each -> each.begun(lines.test(), isTest)).isPresent();
    }

    private HostRecorder recorder(HostPicture picture) {
        Set<String> devices =
                cores.stream().map(core -> "neuron" + core.device().index()).collect(Collectors.toSet());
        return HostRecorder.start(picture, devices::contains, interval, LIMIT);
    }

    @Override
    public void entered(Phase phase) {
        if (phase == Phase.BODY) {
            recorder.ifPresent(each -> each.mark(RecordedMarks.BODY_STARTED));
        } else if (phase == Phase.TEARDOWN) {
            recorder.ifPresent(each -> each.mark(RecordedMarks.BODY_ENDED));
            bodyIsOver();
        }
    }

    private void bodyIsOver() {
        if (begun) {
            replay.ifPresent(each -> each.ended(lines.test()));
        }
    }

    /** Ends the replay before the last reading, to apply all recorded changes. */
    @Override
    public void beforeStop() {
        bodyIsOver();
    }

    /** Stops the recorder, because later changes, such as those of a profile, are not caused by the test. */
    @Override
    public void afterStop() {
        recorder.ifPresent(HostRecorder::stop);
    }

    /** Returns the results that are undecided on a recorded host. */
    @Override
    public List<Verdict> judgeExpectations(TestResult findings) {
        if (!begun || replay.isEmpty()) {
            return List.of();
        }
        List<Undecided> unseen = new ArrayList<>();
        replay.get()
                .unseen(
                        lines.test(),
                        happens,
                        findings.passed(),
                        findings.found().violations(),
                        cores)
                .forEach(reason -> unseen.add(new Undecided(SessionReplay.RULE, lines.name(), reason)));
        expectations.forEach(expectation -> unseen.add(new Undecided(
                expectation,
                lines.name(),
                "A recording contains only the files of the host. Profiles, prints and outputs of a replay are generated by the stand-ins of"
                        + " the fake.")));
        if (unseen.isEmpty()) {
            return List.of();
        }
        Judgement judgement = new Judgement(List.of(), unseen, List.of());
        lines.append(judgement);
        return List.of(replay.get().verdict(lines.name(), judgement));
    }

    /** Returns the recording of a test that did not pass. */
    @Override
    public List<RecordedHost> evidence(TestResult findings) {
        Judgement judgement = findings.found();
        if (findings.passed()
                && judgement.violations().isEmpty()
                && judgement.undecided().isEmpty()) {
            return List.of();
        }
        recorder.ifPresent(each -> each.mark(marks(findings.passed(), judgement)));
        return recorder.map(each -> new RecordedHost(lines.name(), host, each.archive())).stream()
                .toList();
    }

    /** Returns the parts of the result that the files do not show. A replay needs them to avoid a false pass. */
    private static String[] marks(boolean passed, Judgement judgement) {
        List<String> marks = new ArrayList<>();
        if (!passed) {
            marks.add(RecordedMarks.BODY_FAILED);
        }
        judgement.violations().forEach(each -> marks.add(RecordedMarks.violated(each)));
        judgement
                .undecided()
                .forEach(each -> marks.add(RecordedMarks.undecided(each.rule() + ", because: " + each.reason())));
        return marks.toArray(String[]::new);
    }

    @Override
    public void release() {
        recorder.ifPresent(HostRecorder::close);
    }
}
