package dev.neurontest.internal.report.merge;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLine;
import dev.neurontest.internal.evidence.RunLog;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parsed content of a run file: the actions of its JVM, before those of other JVMs are known. */
final class JvmReading {

    /**
     * Least step back of a clock that is reported. Clocks are adjusted all the time, and only steps that people can notice are relevant.
     */
    private static final Duration SET_BACK = Duration.ofSeconds(1);

    /** Maximum number of reported skipped lines. In a file of another version, every line may be unreadable. */
    private static final int MOST_LEFT_OUT = 100;

    private final Path file;
    private final List<TestExecution> executions = new ArrayList<>();
    private final Map<String, TestExecution> latest = new HashMap<>();
    private final PlanReading plan = new PlanReading();
    private final List<Timed> events = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private @Nullable Instant first;
    private @Nullable Instant last;
    private boolean clockSetBack;
    private long leftOut;

    /** An event that belongs to no execution. */
    record Timed(Instant time, RunEvent event) {}

    private JvmReading(Path file) {
        this.file = file;
    }

    static JvmReading of(Path file) {
        JvmReading reading = new JvmReading(file);
        try {
            reading.problems.addAll(RunLog.read(file, reading::line));
            if (reading.leftOut > MOST_LEFT_OUT) {
                reading.problems.add("%s: %s left out, too"
                        .formatted(file, CountText.of(reading.leftOut - MOST_LEFT_OUT, "more line")));
            }
        } catch (IOException unreadable) {
            reading.problems.add(
                    "%s cannot be read: %s. The tests of its JVM are in no report.".formatted(file, unreadable));
        }
        return reading;
    }

    /** Returns the JVM; empty when no line is complete. */
    Optional<ReportedJvm> jvm() {
        if (first == null || last == null) {
            return Optional.empty();
        }
        Map<String, String> versions = new LinkedHashMap<>();
        events(RunEvent.VersionKnown.class).forEach(known -> versions.put(known.name(), known.version()));
        return Optional.of(new ReportedJvm(
                file,
                events(RunEvent.RunStarted.class).findFirst(),
                events(RunEvent.PlatformChosen.class).findFirst(),
                first,
                last,
                isFinished(),
                versions,
                run(),
                events(RunEvent.Sharded.class).toList(),
                Optional.of(events(RunEvent.HostAdded.class).toList()),
                Optional.of(events(RunEvent.Configured.class).toList())));
    }

    List<TestExecution> executions() {
        return executions;
    }

    /** Returns the events of a kind that belong to no execution. */
    <E extends RunEvent> Stream<E> events(Class<E> kind) {
        return events.stream().map(Timed::event).filter(kind::isInstance).map(kind::cast);
    }

    /** Returns the events that belong to no execution, with their times. */
    List<Timed> events() {
        return events;
    }

    private Optional<RunEvent.PartOfRun> partOfRun() {
        return events(RunEvent.PartOfRun.class).reduce((earlier, later) -> later);
    }

    /** Returns the id of the run. It is empty when the file may belong to any run. */
    Optional<String> run() {
        return partOfRun().map(RunEvent.PartOfRun::run);
    }

    /** Returns the number of the shard, if neither a server nor a setting gave the shards of the suite the id of a run. */
    Optional<Integer> unnamedShard() {
        return partOfRun()
                .filter(named -> !named.chosen())
                .flatMap(named -> events(RunEvent.Sharded.class)
                        .map(RunEvent.Sharded::shard)
                        .findFirst());
    }

    private boolean isFinished() {
        return events(RunEvent.RunFinished.class).findAny().isPresent();
    }

    /** Checks whether the JVM ended normally without a failed test. */
    boolean hasPassed() {
        return isFinished() && executions.stream().noneMatch(each -> each.outcome() == TestOutcome.FAILED);
    }

    PlanReading plan() {
        return plan;
    }

    List<String> problems() {
        return problems;
    }

    /** Checks for the first event of a run file. An unreadable one counts too, because it is reported as its own problem. */
    private static boolean isStart(RunEvent event) {
        return event instanceof RunEvent.RunStarted
                || event instanceof RunEvent.Unknown unknown && unknown.type().equals("runStarted");
    }

    private void line(int number, RunLine line) {
        Instant time = line.time();
        first = first == null ? time : first;
        if (number == 1 && !isStart(line.event())) {
            problems.add("%s: line 1 is not runStarted, the first line of each run file: data from it may be wrong"
                    .formatted(file));
        }
        if (last != null && Duration.between(time, last).compareTo(SET_BACK) >= 0 && !clockSetBack) {
            clockSetBack = true;
            problems.add(
                    "%s: line %s is %s older than the line before: the clock was set back, times of this JVM are wrong"
                            .formatted(file, number, DurationText.of(Duration.between(time, last))));
        }
        last = last == null || time.isAfter(last) ? time : last;
        take(number, time, line.event());
    }

    private void take(int number, Instant time, RunEvent event) {
        Optional<TestId> test = test(event);
        if (plan.take(event)) {
            return;
        } else if (event instanceof RunEvent.Unknown unknown) {
            leaveOut(
                    "%s: line %s, %s, does not have the format of this version and was left out: use the version that wrote it"
                            .formatted(file, number, unknown.type()));
        } else if (test.isEmpty() || event instanceof RunEvent.Replayed) {
            events.add(new Timed(time, event));
        } else if (isTest(test.get())) {
            plan.begun(test.get());
            TestExecution execution = execution(test.get(), time, event);
            execution.take(time, event);
            if (event instanceof RunEvent.Compared compared) {
                compared(number, execution, compared);
            }
        }
    }

    private void leaveOut(String problem) {
        if (++leftOut <= MOST_LEFT_OUT) {
            problems.add(problem);
        }
    }

    private void compared(int number, TestExecution execution, RunEvent.Compared compared) {
        try {
            execution.compared(RecordReader.EXACT.read(compared.comparison(), Comparison.class));
        } catch (IllegalArgumentException unreadable) {
            leaveOut("%s: line %s, a comparison of %s, was left out: %s"
                    .formatted(file, number, compared.test().name(), unreadable.getMessage()));
        }
    }

    /** Checks whether an id belongs to a test. Leases for a session or for the runtime have no id of JUnit. */
    private static boolean isTest(TestId test) {
        return !test.equals(TestId.SESSION) && !test.equals(TestId.RUNTIME);
    }

    /**
     * Returns the execution of an event. A test that begins again after its end is a new execution; all other late events belong to the
     * previous one.
     */
    private TestExecution execution(TestId test, Instant time, RunEvent event) {
        TestExecution running = latest.get(test.id());
        if (running != null && !(running.isFinished() && begins(event))) {
            return running;
        }
        TestExecution begun = new TestExecution(file.toAbsolutePath().getParent(), test, time, plan.number());
        executions.add(begun);
        latest.put(test.id(), begun);
        return begun;
    }

    private static boolean begins(RunEvent event) {
        return event instanceof RunEvent.AttemptStarted
                || event instanceof RunEvent.Requested
                || event instanceof RunEvent.PhaseStarted
                || event instanceof RunEvent.TestFinished;
    }

    private static Optional<TestId> test(RunEvent event) {
        return event instanceof RunEvent.OfTest known ? Optional.ofNullable(known.test()) : Optional.empty();
    }
}
