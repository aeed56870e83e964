package dev.neurontest.internal.workload;

import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.JudgementText;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.workload.WorkloadResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The failure of a test because of workloads that did not end as expected. It has a violation for each workload, with its last lines of
 * output. A workload that ended as expected leaves its test undecided if its runtime does not trust the results.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FailedWorkloads extends Failure {

    private static final String RULE = "a workload must succeed";
    private static final int MOST_IN_FULL = 5;
    private static final int MOST_REPORTS = 3;

    private final List<WorkloadResult> failed;

    private FailedWorkloads(List<WorkloadResult> failed, List<WorkloadResult> succeeded) {
        super(judgement(failed, succeeded));
        this.failed = failed;
    }

    private static Judgement judgement(List<WorkloadResult> failed, List<WorkloadResult> succeeded) {
        if (failed.isEmpty() && succeeded.isEmpty()) {
            return new Judgement(List.of(), List.of(), List.of());
        }
        return new Judgement(
                failed.stream().map(FailedWorkloads::violation).toList(),
                succeeded.stream().flatMap(FailedWorkloads::doubt).toList(),
                Stream.concat(
                                succeeded.stream()
                                        .filter(WorkloadResult::endedWithZero)
                                        .flatMap(FailedWorkloads::reports),
                                Stream.concat(failed.stream(), succeeded.stream())
                                        .flatMap(result -> result.notices().stream()
                                                .filter(NeuronVariables::concernsTheGate)
                                                .map(notice -> named(result) + ": " + notice)))
                        .toList());
    }

    private static String named(WorkloadResult result) {
        return "workload %s (pid %s)".formatted(result.name(), result.pid());
    }

    /**
     * Returns the reason why the results of a workload cannot be trusted. A faulty kernel is ignored if the workload was expected to fail.
     */
    private static Stream<Undecided> doubt(WorkloadResult result) {
        return result.report().untrusted().stream()
                .filter(line -> result.endedWithZero()
                        || result.stopped()
                        || !line.faults().contains(Fault.KERNEL))
                .limit(1)
                .map(line -> new Undecided(
                        RULE,
                        named(result),
                        "the runtime does not trust its results: \"%s\". %s"
                                .formatted(
                                        line.text(),
                                        line.cause().map(RuntimeCause::advice).orElse(""))));
    }

    /** Returns the reports of the runtime in spite of the success of the workload, the most severe first. */
    private static Stream<String> reports(WorkloadResult result) {
        return result.report().lines().stream()
                .filter(line -> !line.isUntrusted())
                .sorted(Comparator.comparing(result.report()::verdict).reversed())
                .limit(MOST_REPORTS)
                .map(line -> "%s ended with exit code 0, but printed \"%s\".".formatted(named(result), line.text()));
    }

    /**
     * Judges the ends of workloads.
     *
     * @param ended results in the order of the starts
     * @return a violation for each that did not {@linkplain WorkloadResult#succeeded() succeed}
     */
    public static FailedWorkloads of(List<WorkloadResult> ended) {
        List<WorkloadResult> failed = new ArrayList<>();
        List<WorkloadResult> succeeded = new ArrayList<>();
        for (WorkloadResult result : ended) {
            (result.succeeded() ? succeeded : failed).add(result);
        }
        return new FailedWorkloads(failed, succeeded);
    }

    private static Violation violation(WorkloadResult result) {
        String subject = named(result);
        String expected = result.unmet().orElseThrow();
        String code = result.exitCode().map(Object::toString).orElse("no exit code");
        if (expected.startsWith(WorkloadMessage.READY)) {
            return new Violation(
                    RULE,
                    subject,
                    expected,
                    result.stopped() ? "none" : code,
                    "Read its output. Check whether it prints the line or opens the port that its builder waits for, and does so in time: readyWithin(...).");
        }
        return switch (result.cause()) {
            case EXITED ->
                new Violation(
                        RULE,
                        subject,
                        expected,
                        code + WorkloadMessage.reported(result),
                        "Read its output. If this end is intended, call expectExit(%s) or ignoringExit()."
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
                        "Find out what interrupted that thread.");
            case STOPPED -> new Violation(RULE, subject, expected, "still running", "Await it, or call endedByTest().");
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
                failed.size() < 2 ? "" : CountText.of(failed.size(), "workload") + " did not end as expected.\n\n";
        return headline + messages + (more.isEmpty() ? "" : "\n" + more) + doubts();
    }

    /** Formats the undecided workloads. Failed workloads have their own messages. */
    private String doubts() {
        Judgement doubts = new Judgement(List.of(), judgement().undecided(), List.of());
        String text = new JudgementText(doubts).explained();
        return failed.isEmpty() && !text.isEmpty()
                ? CountText.of(doubts.undecided().size(), "workload")
                        + " ended with exit code 0, but the runtime does not trust the results.\n" + text
                : text;
    }
}
