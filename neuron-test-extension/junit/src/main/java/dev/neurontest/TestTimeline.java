package dev.neurontest;

import dev.neurontest.archive.HostPicture;
import dev.neurontest.archive.HostRecorder;
import dev.neurontest.configuration.Setting;
import dev.neurontest.evidence.Phase;
import dev.neurontest.evidence.TestId;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.Undecided;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the files of the host do around a test, or around all tests of a class: recorded where that is wanted, and on a recorded host as
 * they were recorded.
 */
final class TestTimeline implements AutoCloseable {

    /** A thousand changes or more; what a test of minutes brings on some devices. */
    private static final int LIMIT = 4 << 20;

    private final Session session;
    private final TestId test;
    private final TestCores cores;
    private final Optional<HostRecorder> recorder;
    private final Optional<SessionReplay> replay;
    private boolean happens;

    /** Takes the first look, before the counters are looked at: a recording must have all that they see move. */
    TestTimeline(Session session, TestId test, TestCores cores) {
        this.session = session;
        this.test = test;
        this.cores = cores;
        this.recorder = session.picture().map(this::recorder);
        this.replay = session.replay();
    }

    /** The counters were looked at for the first time. */
    void begin(boolean isTest) {
        recorder.ifPresent(each -> {
            List<String> marks = new ArrayList<>(RecordedMarks.test(test));
            marks.add(RecordedMarks.cores(cores.all()));
            each.mark(marks.toArray(String[]::new));
        });
        happens = replay.filter(each -> each.begun(test, isTest)).isPresent();
    }

    private HostRecorder recorder(HostPicture picture) {
        Set<String> devices = cores.all().stream()
                .map(core -> "neuron" + core.device().index())
                .collect(Collectors.toSet());
        return HostRecorder.start(picture, devices::contains, session.settings().value(Setting.RECORD_INTERVAL), LIMIT);
    }

    void entered(Phase phase) {
        if (phase == Phase.BODY) {
            recorder.ifPresent(each -> each.mark(RecordedMarks.BODY_STARTED));
        } else if (phase == Phase.TEARDOWN) {
            recorder.ifPresent(each -> each.mark(RecordedMarks.BODY_ENDED));
            bodyIsOver();
        }
    }

    /** Before the counters are looked at for the last time: what was recorded has happened by then. */
    void bodyIsOver() {
        replay.ifPresent(each -> each.ended(test));
    }

    /** When they were looked at: what comes later, such as a profile, is not the test's doing. */
    void stop() {
        recorder.ifPresent(HostRecorder::stop);
    }

    /**
     * What cannot be decided on a recorded host.
     *
     * @param passed whether the body did
     * @param found what was found of it here
     * @param demands on what no file of the host says
     */
    Optional<Verdict> unseen(boolean passed, Judgement found, List<String> demands) {
        if (replay.isEmpty()) {
            return Optional.empty();
        }
        List<Undecided> unseen = new ArrayList<>();
        replay.get()
                .unseen(test, happens, passed, found.violations(), cores.all())
                .forEach(reason -> unseen.add(new Undecided(SessionReplay.RULE, test.name(), reason)));
        demands.forEach(demand -> unseen.add(new Undecided(
                demand,
                test.name(),
                "A recording has the files of the host alone. What is profiled or printed here is made up by the stand-ins of"
                        + " the fake.")));
        if (unseen.isEmpty()) {
            return Optional.empty();
        }
        Judgement judgement = new Judgement(List.of(), unseen, List.of());
        session.runFile().append(test, judgement);
        return Optional.of(SessionReplay.verdict(session, test.name(), judgement));
    }

    /** What was recorded, of a test that does not pass. */
    Optional<RecordedHost> recorded(boolean passed, Judgement found) {
        if (passed && found.violations().isEmpty() && found.undecided().isEmpty()) {
            return Optional.empty();
        }
        recorder.ifPresent(each -> each.mark(marks(passed, found)));
        return recorder.map(each -> new RecordedHost(
                test.name(), session.host().platform().host().tree().name(), each.archive()));
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
    public void close() {
        recorder.ifPresent(HostRecorder::close);
    }
}
