package dev.neurontest.workload;

import dev.neurontest.recording.Failure;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.Violation;
import dev.neurontest.text.CountText;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The failure of a test whose workloads did not end as expected: a violation for each, with its last lines of output. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FailedWorkloads extends Failure {

    private static final String RULE = "a workload must succeed";
    private static final int MOST_IN_FULL = 5;

    private final List<WorkloadResult> failed;

    private FailedWorkloads(List<WorkloadResult> failed) {
        super(new Judgement(failed.stream().map(FailedWorkloads::violation).toList(), List.of(), List.of()));
        this.failed = failed;
    }

    /**
     * Judges the ends of workloads.
     *
     * @param ended in the order of their starts
     * @return a violation for each that did not {@linkplain WorkloadResult#succeeded() succeed}
     */
    public static FailedWorkloads of(List<WorkloadResult> ended) {
        return new FailedWorkloads(
                ended.stream().filter(result -> !result.succeeded()).toList());
    }

    private static Violation violation(WorkloadResult result) {
        String subject = "workload %s (pid %s)".formatted(result.name(), result.pid());
        String expected = result.unmet().orElseThrow();
        String code = result.exitCode().map(Object::toString).orElse("no exit code");
        if (expected.startsWith(WorkloadMessage.READY)) {
            return new Violation(
                    RULE,
                    subject,
                    expected,
                    result.stopped() ? "none" : code,
                    "Read its output. See whether it prints, or listens on, what its builder waits for, and in time: readyWithin(...).");
        }
        return switch (result.cause()) {
            case EXITED ->
                new Violation(
                        RULE,
                        subject,
                        expected,
                        code,
                        "Read its output. Where such an end is intended, say expectExit(%s) or ignoringExit()."
                                .formatted(result.exitCode()
                                        .map(exit -> Integer.toString(exit.value()))
                                        .orElse("")));
            case TIMED_OUT ->
                new Violation(
                        RULE,
                        subject,
                        expected,
                        "ended at its deadline (%s)".formatted(code),
                        WorkloadMessage.TIME_OVER);
            case INTERRUPTED ->
                new Violation(
                        RULE,
                        subject,
                        expected,
                        "ended because the thread that waited for it was interrupted",
                        "Read what interrupted that thread.");
            case STOPPED -> new Violation(RULE, subject, expected, "still running", "Await it, or say endedByTest().");
        };
    }

    @Override
    public String text() {
        String messages = failed.stream()
                .limit(MOST_IN_FULL)
                .map(result -> WorkloadMessage.of(result).text())
                .collect(Collectors.joining("\n"));
        String more =
                failed.stream().skip(MOST_IN_FULL).map(result -> result + "\n").collect(Collectors.joining());
        String headline =
                failed.size() == 1 ? "" : CountText.of(failed.size(), "workload") + " did not end as expected.\n\n";
        return headline + messages + (more.isEmpty() ? "" : "\n" + more);
    }
}
