package dev.neurontest.internal.report;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.Unwrapped;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One execution of a test, or of a class that leases for its tests.
 *
 * @param jvm which JVM of the report ran it
 * @param id which test
 * @param container whether it is a class; one that leased for its tests is reported for its wait and its findings
 * @param outcome how it ended
 * @param lastPhase the last phase that it began; empty when it did not run
 * @param reason why it failed, was skipped or left undecided; empty when none is known
 * @param cores it used
 * @param started when the run file first told of it
 * @param took from then to its last line
 * @param waited for cores
 * @param violations demands that were not met
 * @param undecided demands that could not be judged
 * @param notices what is worth knowing
 * @param recordings what its recorders saw
 * @param comparisons with baselines
 * @param attachments files that belong to it
 * @param retries how often it was run again on another core
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
        List<String> notices,
        List<Recorded> recordings,
        List<Comparison> comparisons,
        List<Attached> attachments,
        int retries) {

    /**
     * What a recorder saw.
     *
     * @param kind such as {@code counters}
     * @param recording as JSON; without members when there was nothing to see
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Recorded(String kind, JsonObject recording) {}

    /**
     * A file that belongs to a test.
     *
     * @param name the same in every run
     * @param mediaType such as {@code text/plain}
     * @param bytes its size
     * @param file where it lies; empty when that is not known
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Attached(String name, String mediaType, long bytes, Optional<Path> file) {}

    /**
     * Keeps its own copies.
     *
     * @param jvm which JVM of the report ran it
     * @param id which test
     * @param container whether it is a class
     * @param outcome how it ended
     * @param lastPhase the last phase that it began
     * @param reason why it failed
     * @param cores it used
     * @param started when the run file first told of it
     * @param took from then to its last line
     * @param waited for cores
     * @param violations demands that were not met
     * @param undecided demands that could not be judged
     * @param notices what is worth knowing
     * @param recordings what its recorders saw
     * @param comparisons with baselines
     * @param attachments files that belong to it
     * @param retries how often it was run again
     */
    public ReportedTest {
        cores = List.copyOf(cores);
        violations = List.copyOf(violations);
        undecided = List.copyOf(undecided);
        notices = List.copyOf(notices);
        recordings = List.copyOf(recordings);
        comparisons = List.copyOf(comparisons);
        attachments = List.copyOf(attachments);
    }

    /**
     * Returns whether it counts as a test.
     *
     * @return false for a container
     */
    public boolean isTest() {
        return !container;
    }

    /**
     * Returns whether it began to run.
     *
     * @return false for a planned test that was lost before its first phase
     */
    public boolean hasBegun() {
        return outcome != TestOutcome.LOST || lastPhase.isPresent();
    }

    /**
     * Returns whether it failed or was lost.
     *
     * @return false for one that is undecided
     */
    public boolean hasFailed() {
        return outcome == TestOutcome.FAILED || outcome == TestOutcome.LOST;
    }

    /**
     * Returns when it had its cores.
     *
     * @return its start where it waited for none
     */
    public Instant leased() {
        return started.plus(waited.compareTo(took) > 0 ? took : waited);
    }

    /**
     * Returns when it was over.
     *
     * @return the time of its last line
     */
    public Instant ended() {
        return started.plus(took);
    }
}
