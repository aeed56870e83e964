package dev.neurontest.internal.lifecycle;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.AttachmentSink;
import dev.neurontest.internal.evidence.Evidence;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.BodyOutcome;
import dev.neurontest.internal.participant.FailureNote;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.RefusedException;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UserCode;
import dev.neurontest.internal.participant.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * The lifecycle of one test from the lease to the release, as a loop over its participants. A class that leases cores for all its tests has
 * a lifecycle too, around those of its tests.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestLifecycle implements AutoCloseable {

    private final TestJournal lines;
    private final Evidence evidence;
    private final TestCores cores;
    private final BiConsumer<List<NeuronCore>, UserCode> driven;
    private final Suspicions suspicions;
    private final UserCode userCode;
    private final List<Participant> participants;
    private final @Nullable TestLifecycle enclosing;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    private volatile Phase phase = Phase.SETUP;
    private @Nullable TestResult findings;
    private String blame = "";
    private String remarks = "";
    private @Nullable Throwable partFailure;
    private BodyOutcome body = BodyOutcome.ABORTED;
    private volatile boolean testFailed;
    private boolean released;

    /**
     * Creates a lifecycle; call {@link #start} to begin.
     *
     * @param evidence receives the attachments
     * @param cores the cores of the test, which are released at the end
     * @param userCode the user's methods that run in this lifecycle
     * @param driven is notified of cores that a method may still use at the end
     * @param participants all participants, in the order in which they judge
     * @param enclosing the lifecycle of the class that leases cores for this test; null without one
     */
    public TestLifecycle(
            TestJournal lines,
            Evidence evidence,
            TestCores cores,
            Suspicions suspicions,
            UserCode userCode,
            BiConsumer<List<NeuronCore>, UserCode> driven,
            List<? extends Participant> participants,
            @Nullable TestLifecycle enclosing) {
        this.lines = lines;
        this.evidence = evidence;
        this.cores = cores;
        this.driven = driven;
        this.suspicions = suspicions;
        this.userCode = userCode;
        this.participants = List.copyOf(participants);
        this.enclosing = enclosing;
    }

    /**
     * Starts all participants, which take their initial readings.
     *
     * @throws RuntimeException if that is not possible; then nothing is leased any more
     */
    public void start(AttachmentSink junit) {
        try {
            phase(Phase.SETUP);
            for (Participant each : participants) {
                each.prepare();
            }
            for (Participant each : participants) {
                each.start();
            }
        } catch (RefusedException refused) {
            throw judged(refused.reason(), junit);
        } catch (RuntimeException | Error failed) {
            close();
            throw failed;
        }
    }

    private RuntimeException judged(RuntimeException refused, AttachmentSink junit) {
        try {
            conclude(BodyOutcome.FAILED, junit, Optional.empty(), "");
        } catch (AssertionError | TestAbortedException judged) {
            judged.addSuppressed(refused);
            throw judged;
        }
        return refused;
    }

    /** Returns all participants, in the order in which they start. */
    List<Participant> participants() {
        return participants;
    }

    /** Returns the user's methods that run in this lifecycle. */
    public UserCode userCode() {
        return userCode;
    }

    /** Returns whether the test has leased cores, or is in a class that has. */
    public boolean holdsCores() {
        return !cores.isEmpty();
    }

    /** Returns the names of the cores of the test, those of a cluster with their hosts. */
    public List<String> coreNames() {
        return cores.names();
    }

    /** Returns the current phase. */
    public Phase phase() {
        return phase;
    }

    /** Enters the given phase and notifies all participants. */
    public void phase(Phase next) {
        phase = next;
        if (holdsCores()) {
            lines.append(new RunEvent.PhaseStarted(lines.test(), next));
        }
        for (Participant each : participants) {
            each.entered(next);
        }
    }

    /** Records the failure of a dynamic test or container, which JUnit reports for that part only. The decisive failure is kept. */
    public synchronized void partFailed(Throwable failure) {
        for (TestLifecycle lifecycle = this; lifecycle != null; lifecycle = lifecycle.enclosing) {
            lifecycle.report(failure);
        }
        partFailure = BodyOutcome.decisive(partFailure, failure);
    }

    /**
     * Notifies all participants of a failure of the test itself. The classes around it are notified after JUnit has reported the test as
     * failed.
     */
    public void failed(Throwable failure) {
        failures.add(failure);
        report(failure);
    }

    private void report(Throwable failure) {
        if (BodyOutcome.of(failure) == BodyOutcome.FAILED) {
            participants.forEach(each -> each.failed(failure));
        }
    }

    /** Returns the failure of a part of the test. */
    public synchronized Optional<Throwable> partFailure() {
        return Optional.ofNullable(partFailure);
    }

    /** Returns whether the hardware failed the test and it is retried. */
    public boolean repeats(RetryAttempt attempt) {
        Set<NeuronCore> avoided = avoided();
        boolean repeats = cores.canBeElsewhere(avoided) && attempt.repeats(suspicions(), avoided);
        if (repeats) {
            lines.append(new RunEvent.Retried(lines.test(), cores.names(), String.join("; ", suspicions())));
        }
        return repeats;
    }

    private Set<NeuronCore> avoided() {
        Set<NeuronCore> avoided = new LinkedHashSet<>(cores.all());
        avoided.addAll(suspicions.gone());
        return avoided;
    }

    /** Returns why the cores of the test are suspect. */
    public List<String> suspicions() {
        return suspicions.reasons();
    }

    /** Adds related information to a failure, as suppressed exceptions. */
    public void note(Throwable failure) {
        participants.forEach(each -> each.note(failure).ifPresent(failure::addSuppressed));
        Stream.of(blame, remarks)
                .filter(text -> !text.isEmpty())
                .forEach(text -> failure.addSuppressed(new FailureNote(text)));
    }

    /**
     * Settles, judges, attaches the evidence and releases.
     *
     * @param attempt the attempt of a test that can be retried on other cores
     * @param besides an additional text for a failure; empty for none
     * @throws AssertionError with all violations
     * @throws TestAbortedException if a result is undecided and the settings abort the test for that
     */
    public void conclude(BodyOutcome ofBody, AttachmentSink junit, Optional<RetryAttempt> attempt, String besides) {
        body = ofBody;
        try (this) {
            if (findings == null) {
                TestResult all = judgeAll();
                if (attempt.isPresent()) {
                    blame = blame(attempt.get()).orElse("");
                }
                if (!blame.isEmpty()) {
                    lines.notice(blame);
                }
                boolean passed = body == BodyOutcome.PASSED && !testFailed;
                List<String> notices = new ArrayList<>();
                for (Participant each : participants) {
                    for (String remark : each.remarks()) {
                        notices.add("Also seen: " + remark);
                    }
                }
                remarks = String.join("\n", notices);
                if (evidence.isWanted(passed, all.found())) {
                    phase(Phase.EVIDENCE);
                }
                List<Measurement> measurements = new ArrayList<>();
                for (Participant each : participants) {
                    measurements.addAll(each.evidence(all));
                }
                Judgement withRemarks =
                        Judgement.of(List.of(all.found(), new Judgement(List.of(), List.of(), notices)));
                evidence.attach(lines.test(), passed, measurements, withRemarks, junit);
                fail(all, (besides + " " + blame + "\n" + remarks).strip());
            }
        }
    }

    /** Compares the statuses of this attempt with those of earlier attempts. */
    private Optional<String> blame(RetryAttempt attempt) {
        Optional<String> last = cores.canBeElsewhere(avoided())
                ? attempt.whyLast()
                : Optional.of(attempt.whyLast().orElse("the test requires these cores"));
        boolean oneDevice = cores.all().stream()
                .anyMatch(core -> core.device().host().devices().size() == 1);
        Optional<String> notTried = last.map(why -> oneDevice ? "this host has one device" : why);
        return attempt.statuses().add(cores, suspicions.perhapsOfTheKernel(), notTried);
    }

    /**
     * Ends the lifecycle if no JUnit callback did, for example because the constructor threw or the test was skipped after its instance was
     * created.
     *
     * @throws AssertionError with all violations
     */
    public void endUnfinished() {
        try (this) {
            if (findings == null) {
                Verdict.enforceViolations(judgeAll().verdicts());
            }
        }
    }

    /** Settles, judges, and quarantines suspect cores. */
    private TestResult judgeAll() {
        TestResult all = new TestResult(suspicions, body, this::phase);
        findings = all;
        // First, because a failure below must not prevent the quarantine of a core that is still in use.
        Optional<Thread> running = userCode.stillRunning();
        if (running.isPresent()) {
            abandon(running.get());
        }
        phase(Phase.SETTLE);
        settle(false);
        settle(true);
        phase(Phase.JUDGE);
        for (Participant each : participants) {
            each.conclude(all);
            all.add(each.judge(all));
            if (all.judgesExpectations()) {
                all.add(each.judgeExpectations(all));
            }
        }
        return all;
    }

    private void settle(boolean last) {
        for (Participant each : participants) {
            if (each.settlesLast() == last) {
                each.settle();
            }
        }
    }

    /** Quarantines the cores of a body that was timed out in a separate thread and may use its cores forever. */
    private void abandon(Thread thread) {
        driven.accept(cores.all(), userCode);
        suspicions.abandoned("timed out, and thread \"%s\" still runs".formatted(thread.getName()));
        userCode.atEnd(cores::checkAgain);
    }

    private void fail(TestResult all, String besides) {
        Optional<RuntimeException> untried = all.failure();
        if (untried.isEmpty()) {
            Verdict.enforce(all.verdicts(), besides);
        } else {
            failBecauseOf(untried.get(), all.verdicts(), besides);
        }
        Judgement judgement = all.found();
        if (!judgement.undecided().isEmpty()) {
            lines.notice((body == BodyOutcome.PASSED ? "passed, but " : "") + Verdict.undecided(judgement));
        }
    }

    /** Fails the test because a step could not even be tried, regardless of how undecided results are handled. */
    private static void failBecauseOf(RuntimeException untried, List<Verdict> verdicts, String besides) {
        try {
            Verdict.enforce(verdicts, besides);
        } catch (AssertionError violated) {
            violated.addSuppressed(untried);
            throw violated;
        } catch (TestAbortedException undecided) {
            untried.addSuppressed(undecided);
        }
        throw untried;
    }

    /** Writes the outcome of the test as JUnit reports it. Cores that are still leased are released first. */
    public void finished(Outcome junit, @Nullable String reason) {
        close();
        for (TestLifecycle lifecycle = enclosing;
                junit == Outcome.FAILED && lifecycle != null;
                lifecycle = lifecycle.enclosing) {
            lifecycle.testFailed = true;
            failures.forEach(lifecycle::report);
        }
        Judgement judgement = findings == null ? Judgement.NOTHING : findings.found();
        boolean onlyUndecided = junit != Outcome.FAILED
                && body == BodyOutcome.PASSED
                && judgement.violations().isEmpty()
                && !judgement.undecided().isEmpty();
        List<String> used = coreNames();
        lines.append(
                onlyUndecided
                        ? new RunEvent.TestFinished(
                                lines.test(), Outcome.UNDECIDED, used, undecided(findings, judgement))
                        : new RunEvent.TestFinished(lines.test(), junit, used, reason));
    }

    private static String undecided(TestResult findings, Judgement judgement) {
        return (Verdict.undecided(judgement) + " " + Verdict.whyAborted(findings.verdicts())).strip();
    }

    /** Releases the cores once. A test that never reached its end is still judged in the run file. */
    @Override
    public void close() {
        if (released) {
            return;
        }
        released = true;
        try {
            if (findings == null) {
                judgeAll();
            }
        } finally {
            for (Participant each : participants) {
                each.release();
            }
            cores.close();
        }
    }
}
