package dev.neurontest.internal.report;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.Unwrapped;
import dev.neurontest.internal.judgement.Mistake;
import dev.neurontest.internal.judgement.NotApplicable;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A test, or a class that leases cores for its tests or that failed, with its last attempt.
 *
 * @param jvm index of the JVM in the report
 * @param container true for a class; a class that leased cores for its tests is reported for its wait and its findings
 * @param lastPhase last phase that began; empty when the test did not run
 * @param reason reason for a failure, a skip or an undecided result; empty when unknown
 * @param cores cores of the test
 * @param started time of the first line about it in the run file
 * @param took time from then to its last line
 * @param waited waiting time for cores
 * @param violations violated expectations
 * @param undecided expectations that could not be judged
 * @param notApplicable expectations that do not apply to what the test did
 * @param simulated true if all its programs simulated their kernels, so that it did not run on the device
 * @param notices information for readers
 * @param recordings measurements of its recorders
 * @param comparisons comparisons with baselines
 * @param attachments attached files
 * @param retries number of repetitions on another core
 * @param attempts earlier attempts that the last one replaces, in their order; empty for a test that ran once
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReportedTest(
        int jvm,
        @Unwrapped TestId id,
        boolean container,
        TestOutcome outcome,
        Optional<Phase> lastPhase,
        Optional<String> reason,
        List<String> cores,
        Instant started,
        Duration took,
        Duration waited,
        List<Violation> violations,
        List<Undecided> undecided,
        List<NotApplicable> notApplicable,
        boolean simulated,
        List<String> notices,
        List<Recorded> recordings,
        List<Comparison> comparisons,
        List<Attached> attachments,
        int retries,
        Optional<List<ReportedTest>> attempts) {

    private static final int LONGEST_REASON = 200;

    /** Exceptions whose names tell no more than the outcome. */
    private static final Pattern OUTCOME =
            Pattern.compile("^org\\.opentest4j\\.(AssertionFailedError|MultipleFailuresError|TestAbortedException):");

    /**
     * A measurement of a recorder.
     *
     * @param kind for example {@code counters}
     * @param recording JSON; without members when nothing was measured
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Recorded(String kind, JsonObject recording) {}

    /**
     * An attached file.
     *
     * @param name name, which is the same in every run
     * @param mediaType for example {@code text/plain}
     * @param bytes size of the file
     * @param file path of the file; empty when unknown
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Attached(String name, String mediaType, long bytes, Optional<Path> file) {}

    /** Creates an instance with its own copies. */
    public ReportedTest {
        cores = List.copyOf(cores);
        violations = List.copyOf(violations);
        undecided = List.copyOf(undecided);
        notApplicable = List.copyOf(notApplicable);
        notices = List.copyOf(notices);
        recordings = List.copyOf(recordings);
        comparisons = List.copyOf(comparisons);
        attachments = List.copyOf(attachments);
        attempts = attempts.map(List::copyOf).filter(earlier -> !earlier.isEmpty());
    }

    /** Creates a test on the device, with expectations that all apply. */
    public ReportedTest(
            int jvm,
            TestId id,
            boolean container,
            TestOutcome outcome,
            Optional<Phase> lastPhase,
            Optional<String> reason,
            List<String> cores,
            Instant started,
            Duration took,
            Duration waited,
            List<Violation> violations,
            List<Undecided> undecided,
            List<String> notices,
            List<Recorded> recordings,
            List<Comparison> comparisons,
            List<Attached> attachments,
            int retries,
            Optional<List<ReportedTest>> attempts) {
        this(
                jvm,
                id,
                container,
                outcome,
                lastPhase,
                reason,
                cores,
                started,
                took,
                waited,
                violations,
                undecided,
                List.of(),
                false,
                notices,
                recordings,
                comparisons,
                attachments,
                retries,
                attempts);
    }

    /**
     * Returns a copy with other names, for its attempts too.
     *
     * @param names returns the new name of a test, with the same id
     */
    public ReportedTest named(UnaryOperator<TestId> names) {
        return new ReportedTest(
                jvm,
                names.apply(id),
                container,
                outcome,
                lastPhase,
                reason,
                cores,
                started,
                took,
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
                attempts.map(all -> all.stream().map(each -> each.named(names)).toList()));
    }

    /** Returns all attempts in their order; the last one is the test itself. */
    public List<ReportedTest> executions() {
        return Stream.concat(attempts.stream().flatMap(List::stream), Stream.of(this))
                .toList();
    }

    /** Checks whether an attempt before the last one failed. */
    public boolean hasFailedAttempt() {
        return attempts.stream().flatMap(List::stream).anyMatch(ReportedTest::hasFailed);
    }

    /** Checks whether it counts as a test; false for a container. */
    public boolean isTest() {
        return !container;
    }

    /** Checks whether it began to run; false for a planned test that was lost before its first phase. */
    public boolean hasBegun() {
        return outcome != TestOutcome.LOST || lastPhase.isPresent();
    }

    /** Checks whether it failed or was lost; false for an undecided test. */
    public boolean hasFailed() {
        return outcome == TestOutcome.FAILED || outcome == TestOutcome.LOST;
    }

    /** Returns the message of the failure, without the name of its exception where the outcome tells the same; empty when unknown. */
    public Optional<String> message() {
        return reason.map(text -> Mistake.message(text.strip()))
                .map(text -> OUTCOME.matcher(text).replaceFirst("").strip())
                .filter(text -> !text.isEmpty());
    }

    /** Checks whether it failed by a mistake in the test or its settings, and not by what the device did. */
    public boolean isMistake() {
        return outcome == TestOutcome.FAILED && Mistake.is(reason.orElse(""), violations);
    }

    /** Returns the message in one line of limited length; empty when unknown. */
    public Optional<String> messageInOneLine() {
        return message()
                .map(text -> text.replaceAll("\\s*\\R\\s*", " "))
                .map(line -> line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "…");
    }

    /** Returns the time at which it had its cores; its start if it did not wait. */
    public Instant leased() {
        return started.plus(waited.compareTo(took) > 0 ? took : waited);
    }

    /** Returns the time of its last line. */
    public Instant ended() {
        return started.plus(took);
    }
}
