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
 * What the files of the host do around a test, or around all tests of a class: recorded where that is wanted, and on a recorded host as
 * they were recorded.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestTimeline implements Participant, SnapshotListener {

    /** A thousand changes or more; what a test of minutes brings on some devices. */
    private static final int LIMIT = 4 << 20;

    private final SessionPicture picture;
    private final Optional<SessionReplay> replay;
    private final String host;
    private final Duration interval;
    private final TestJournal lines;
    private final List<NeuronCore> cores;
    private final boolean isTest;
    private final List<String> demands;
    private Optional<HostRecorder> recorder = Optional.empty();
    private boolean begun;
    private boolean happens;

    /**
     * Nothing happens yet.
     *
     * @param picture of the host, with which recordings begin
     * @param replay what a recorded host does
     * @param host what messages call the host
     * @param interval how often a recorder looks
     * @param lines of the test
     * @param cores of the test
     * @param isTest false for a class
     * @param demands on what no file of the host says, in the user's words
     */
    public TestTimeline(
            SessionPicture picture,
            Optional<SessionReplay> replay,
            String host,
            Duration interval,
            TestJournal lines,
            List<NeuronCore> cores,
            boolean isTest,
            List<String> demands) {
        this.picture = picture;
        this.replay = replay;
        this.host = host;
        this.interval = interval;
        this.lines = lines;
        this.cores = List.copyOf(cores);
        this.isTest = isTest;
        this.demands = List.copyOf(demands);
    }

    /** A recording must have all that the counters see move. */
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

    /** What was recorded has happened by then. */
    @Override
    public void beforeStop() {
        bodyIsOver();
    }

    /** What comes later, such as a profile, is not the test's doing. */
    @Override
    public void afterStop() {
        recorder.ifPresent(HostRecorder::stop);
    }

    /** What cannot be decided on a recorded host. */
    @Override
    public List<Verdict> judgeDemands(TestResult findings) {
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
        demands.forEach(demand -> unseen.add(new Undecided(
                demand,
                lines.name(),
                "A recording has the files of the host alone. What is profiled or printed here is made up by the stand-ins of"
                        + " the fake.")));
        if (unseen.isEmpty()) {
            return List.of();
        }
        Judgement judgement = new Judgement(List.of(), unseen, List.of());
        lines.append(judgement);
        return List.of(replay.get().verdict(lines.name(), judgement));
    }

    /** What was recorded, of a test that does not pass. */
    @Override
    public List<RecordedHost> evidence(TestResult findings) {
        Judgement found = findings.found();
        if (findings.passed()
                && found.violations().isEmpty()
                && found.undecided().isEmpty()) {
            return List.of();
        }
        recorder.ifPresent(each -> each.mark(marks(findings.passed(), found)));
        return recorder.map(each -> new RecordedHost(lines.name(), host, each.archive())).stream()
                .toList();
    }

    /** What its files do not show of how it ended, so that a replay does not take that for good. */
    private static String[] marks(boolean passed, Judgement found) {
        List<String> marks = new ArrayList<>();
        if (!passed) {
            marks.add(RecordedMarks.BODY_FAILED);
        }
        found.violations().forEach(each -> marks.add(RecordedMarks.violated(each)));
        found.undecided()
                .forEach(each -> marks.add(RecordedMarks.undecided(each.rule() + ", because: " + each.reason())));
        return marks.toArray(String[]::new);
    }

    @Override
    public void release() {
        recorder.ifPresent(HostRecorder::close);
    }
}
