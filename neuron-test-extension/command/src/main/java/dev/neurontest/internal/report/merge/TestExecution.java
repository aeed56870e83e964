package dev.neurontest.internal.report.merge;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.counter.ParsedCounters;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.judgement.NotApplicable;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintDoubt;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One execution of a test or a class, collected line by line from a run file. */
final class TestExecution {

    private final Path folder;
    private final TestId id;
    private final Instant first;
    private final int plan;
    private Instant last;
    private Duration waited = Duration.ZERO;
    private int retries;
    private boolean released;
    private @Nullable Phase phase;
    private RunEvent.@Nullable TestFinished finished;
    private @Nullable TestId whole;
    private boolean replaced;
    private final Set<String> leased = new LinkedHashSet<>();
    private final List<Violation> violations = new ArrayList<>();
    private final List<Undecided> undecided = new ArrayList<>();
    private final List<NotApplicable> notApplicable = new ArrayList<>();
    private boolean simulated;
    private final List<String> notices = new ArrayList<>();
    private final List<ReportedTest.Recorded> recordings = new ArrayList<>();
    private final List<Comparison> comparisons = new ArrayList<>();
    private final List<ReportedTest.Attached> attachments = new ArrayList<>();

    /**
     * Creates an execution without any events.
     *
     * @param folder folder of the run file
     * @param id id of the test
     * @param first time of the first line about it in the run file
     * @param plan number of the plan of JUnit's launcher in which it ran
     */
    TestExecution(Path folder, TestId id, Instant first, int plan) {
        this.folder = folder;
        this.id = id;
        this.first = first;
        this.last = first;
        this.plan = plan;
    }

    int plan() {
        return plan;
    }

    /** Returns the repeated test whose attempt this is; empty if its extension does not repeat it. */
    Optional<TestId> whole() {
        return Optional.ofNullable(whole);
    }

    /** Records that a later attempt replaces this one and did not fail. No failed test then explains what this attempt counted. */
    void replace() {
        replaced = true;
    }

    boolean isReplaced() {
        return replaced;
    }

    /** Returns the violated expectations. */
    List<Violation> violations() {
        return violations;
    }

    /** Returns the folder of the run file. */
    Path folder() {
        return folder;
    }

    TestId id() {
        return id;
    }

    /** Checks whether a line contains the outcome. */
    boolean isFinished() {
        return finished != null;
    }

    /** Checks whether its leases were released. */
    boolean isReleased() {
        return released;
    }

    Optional<Phase> phase() {
        return Optional.ofNullable(phase);
    }

    /** Returns the measurements of its counters on the host of its JVM. A test over several hosts measures others too. */
    List<JsonObject> counters() {
        return recordings.stream()
                .filter(recorded -> recorded.kind().equals(ParsedCounters.KIND))
                .map(ReportedTest.Recorded::recording)
                .filter(recording ->
                        ParsedCounters.of(recording).hostOfCluster().isEmpty())
                .toList();
    }

    Set<String> leased() {
        return leased;
    }

    /** Checks whether it contains the other execution. */
    boolean isAround(TestExecution other) {
        return other.id.id().startsWith(id.id() + "/");
    }

    /** Checks whether it is a part of a template or class. */
    boolean isIn(TestId container) {
        return id.id().startsWith(container.id() + "/");
    }

    /** Adds a comparison of a metric with its baseline. */
    void compared(Comparison comparison) {
        comparisons.add(comparison);
    }

    /** Adds the prints that its JVM did not record before its death. */
    void printed(DevicePrints last) {
        if (recordings.stream().noneMatch(each -> each.kind().equals(Measurement.PRINTS))) {
            // Masked like the measurements in a run file.
            try {
                JsonObject masked = new JsonObject(last.toJson()).withTexts((name, text) -> Redaction.mask(text));
                recordings.add(new ReportedTest.Recorded(Measurement.PRINTS, masked));
                notices.addAll(last.doubts().stream().map(PrintDoubt::reason).toList());
            } catch (UncheckedIOException cut) {
                notices.add("The prints left by its JVM changed while they were read, and are not shown: "
                        + cut.getMessage());
            }
        }
    }

    void take(Instant time, RunEvent event) {
        last = time.isAfter(last) ? time : last;
        if (event instanceof RunEvent.Leased lease) {
            waited = waited.plus(lease.waited());
            leased.addAll(lease.cores());
        } else if (event instanceof RunEvent.WaitedInVain inVain) {
            waited = waited.plus(inVain.waited());
        } else if (event instanceof RunEvent.Released) {
            released = true;
        } else if (event instanceof RunEvent.PhaseStarted begun) {
            begin(begun.phase());
        } else if (event instanceof RunEvent.Recorded recorded) {
            recordings.add(new ReportedTest.Recorded(recorded.kind(), recorded.recording()));
        } else if (event instanceof RunEvent.Violated violated) {
            violations.add(violated.violation());
        } else if (event instanceof RunEvent.LeftUndecided leftUndecided) {
            undecided.add(leftUndecided.undecided());
        } else if (event instanceof RunEvent.NotApplied notApplied) {
            notApplicable.add(notApplied.notApplicable());
        } else if (event instanceof RunEvent.OnlySimulated) {
            simulated = true;
        } else if (event instanceof RunEvent.Noticed noticed) {
            notices.add(noticed.notice());
        } else if (event instanceof RunEvent.Attached attached) {
            attachments.add(new ReportedTest.Attached(
                    attached.name(), attached.mediaType(), attached.bytes(), file(attached.file())));
        } else if (event instanceof RunEvent.Retried) {
            retries++;
        } else if (event instanceof RunEvent.AttemptStarted attempt) {
            whole = attempt.whole();
        } else if (event instanceof RunEvent.TestFinished end) {
            finished = end;
        }
    }

    void begin(Phase next) {
        phase = next;
    }

    /** Returns the outcome. A class that leases cores for its tests has no event for its end; without a violation it counts as passed. */
    TestOutcome outcome() {
        if (finished != null) {
            return TestOutcome.valueOf(finished.outcome().name());
        }
        return violations.isEmpty()
                ? undecided.isEmpty() ? TestOutcome.PASSED : TestOutcome.UNDECIDED
                : TestOutcome.FAILED;
    }

    ReportedTest report(int jvm, TestOutcome outcome, Optional<String> reason, List<String> cores) {
        return new ReportedTest(
                jvm,
                id,
                id.isContainer(),
                outcome,
                phase(),
                reason,
                cores,
                first,
                Duration.between(first, last),
                waited,
                violations,
                undecided,
                notApplicable,
                simulated,
                notices,
                recordings,
                comparisons,
                attachments,
                retries,
                Optional.empty());
    }

    ReportedTest report(int jvm) {
        return report(
                jvm,
                outcome(),
                Optional.ofNullable(finished).map(RunEvent.TestFinished::reason),
                finished == null ? List.copyOf(leased) : finished.cores());
    }

    private Optional<Path> file(@Nullable String name) {
        try {
            return Optional.ofNullable(name).map(given -> folder.resolve(given).normalize());
        } catch (InvalidPathException ofAnotherSystem) {
            return Optional.empty();
        }
    }
}
