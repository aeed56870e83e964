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
import dev.neurontest.internal.lifecycle.lease.TestLease;
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
 * The life of one test from the lease to the release: a loop over those that take part in it. A class that leases for all its tests has
 * one too, around theirs.
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
    private @Nullable Throwable partFailure;
    private BodyOutcome body = BodyOutcome.ABORTED;
    private volatile boolean testFailed;
    private boolean released;

    /**
     * Nothing has begun.
     *
     * @param lines of the test
     * @param evidence takes what is attached
     * @param cores of the test, which are given back at the end
     * @param suspicions against its cores
     * @param userCode the user's methods that run in this life
     * @param driven is told of cores that a method may still drive at the end
     * @param participants all that take part, in the order in which they judge
     * @param around the life of the class that leases for this test; null without one
     */
    public TestLifecycle(
            TestJournal lines,
            Evidence evidence,
            TestCores cores,
            Suspicions suspicions,
            UserCode userCode,
            BiConsumer<List<NeuronCore>, UserCode> driven,
            List<? extends Participant> participants,
            @Nullable TestLifecycle around) {
        this.lines = lines;
        this.evidence = evidence;
        this.cores = cores;
        this.driven = driven;
        this.suspicions = suspicions;
        this.userCode = userCode;
        this.participants = List.copyOf(participants);
        this.enclosing = around;
    }

    /**
     * Takes the "before".
     *
     * @throws RuntimeException when that is not possible; then nothing is leased any more
     */
    public void start(AttachmentSink junit) {
        try {
            phase(Phase.SETUP);
            participants.forEach(Participant::prepare);
            participants.forEach(Participant::start);
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

    /** The user's methods that run in this life. */
    public UserCode userCode() {
        return userCode;
    }

    /** Whether it has anything leased, or is in a class that has. */
    public boolean holdsCores() {
        return !cores.all().isEmpty();
    }

    /** In which part of its life it is. */
    public Phase phase() {
        return phase;
    }

    /** Says what comes next. */
    public void phase(Phase next) {
        phase = next;
        if (holdsCores()) {
            lines.append(new RunEvent.PhaseStarted(lines.test(), next));
        }
        participants.forEach(each -> each.entered(next));
    }

    /** Keeps the failure of a dynamic test or container, which JUnit reports for that part alone. The decisive one stays. */
    public synchronized void partFailed(Throwable failure) {
        for (TestLifecycle life = this; life != null; life = life.enclosing) {
            life.report(failure);
        }
        partFailure = BodyOutcome.decisive(Stream.of(Optional.ofNullable(partFailure), Optional.of(failure))
                        .flatMap(Optional::stream))
                .orElseThrow();
    }

    /** Notifies all participants of a failure of the test itself. The classes around it follow when JUnit has reported the test as failed. */
    public void failed(Throwable failure) {
        failures.add(failure);
        report(failure);
    }

    private void report(Throwable failure) {
        if (BodyOutcome.of(failure) == BodyOutcome.FAILED) {
            participants.forEach(each -> each.failed(failure));
        }
    }

    /** What a part of the test failed with. */
    public synchronized Optional<Throwable> partFailure() {
        return Optional.ofNullable(partFailure);
    }

    /** Whether the hardware failed the test and it is run again. */
    public boolean repeats(RetryAttempt attempt) {
        Set<NeuronCore> avoided = avoided();
        boolean repeats = cores.canBeElsewhere(avoided) && attempt.repeats(suspicions(), avoided);
        if (repeats) {
            lines.append(
                    new RunEvent.Retried(lines.test(), TestLease.names(cores.all()), String.join("; ", suspicions())));
        }
        return repeats;
    }

    private Set<NeuronCore> avoided() {
        Set<NeuronCore> avoided = new LinkedHashSet<>(cores.all());
        avoided.addAll(suspicions.gone());
        return avoided;
    }

    /** Why its cores are suspect. */
    public List<String> suspicions() {
        return suspicions.reasons();
    }

    /** Says beside a failure what that should not go without. */
    public void note(Throwable failure) {
        participants.forEach(each -> each.note(failure).ifPresent(failure::addSuppressed));
        if (!blame.isEmpty()) {
            failure.addSuppressed(new FailureNote(blame));
        }
    }

    /**
     * Settles, judges, keeps the evidence and releases.
     *
     * @param attempt which one it is, of a test that may be run again on other cores
     * @param besides what a failure says of its test beside what was found; empty for nothing
     * @throws AssertionError with everything that was violated
     * @throws TestAbortedException when something is undecided and that is to abort the test
     */
    public void conclude(BodyOutcome ofBody, AttachmentSink junit, Optional<RetryAttempt> attempt, String besides) {
        body = ofBody;
        try (this) {
            if (findings == null) {
                TestResult all = judgeAll();
                attempt.flatMap(this::blame).ifPresent(text -> {
                    blame = text;
                    lines.notice(text);
                });
                boolean passed = body == BodyOutcome.PASSED && !testFailed;
                if (evidence.isWanted(passed, all.found())) {
                    phase(Phase.EVIDENCE);
                }
                List<Measurement> recordings = new ArrayList<>();
                participants.forEach(each -> recordings.addAll(each.evidence(all)));
                evidence.attach(lines.test(), passed, recordings, all.found(), junit);
                fail(all, "%s %s".formatted(besides, blame).strip());
            }
        }
    }

    /** Compares the statuses of this attempt with those of the attempts before. */
    private Optional<String> blame(RetryAttempt attempt) {
        Optional<String> last = cores.canBeElsewhere(avoided())
                ? attempt.whyLast()
                : Optional.of(attempt.whyLast().orElse("the test asks for these cores"));
        boolean oneDevice = cores.all().stream()
                .anyMatch(core -> core.device().host().devices().size() == 1);
        Optional<String> notTried = last.map(why -> oneDevice ? "this host has one device" : why);
        return attempt.statuses().add(cores, suspicions.perhapsOfTheKernel(), notTried);
    }

    /**
     * Ends it where no callback of JUnit did: the constructor threw, or the test was skipped after its instance was made.
     *
     * @throws AssertionError with everything that was violated
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
        // First of all: a failure below must not keep a core that is still driven out of quarantine.
        userCode.stillRunning().ifPresent(this::abandon);
        phase(Phase.SETTLE);
        for (int last = participants.size() - 1; last >= 0; last--) {
            participants.get(last).settle();
        }
        phase(Phase.JUDGE);
        for (Participant each : participants) {
            each.conclude(all);
            all.add(each.judge(all));
            if (all.judgesDemands()) {
                all.add(each.judgeDemands(all));
            }
        }
        return all;
    }

    /** A body that was timed out in a thread of its own may drive its cores for ever. */
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
        Judgement found = all.found();
        if (!found.undecided().isEmpty()) {
            lines.notice((body == BodyOutcome.PASSED ? "passed, but " : "") + Verdict.undecided(found));
        }
    }

    /** What could not even be tried fails the test, whatever becomes of what is undecided. */
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

    /** Says how the test ended, when JUnit knows. What it could not give back itself is given back before. */
    public void finished(Outcome junit, @Nullable String reason) {
        close();
        for (TestLifecycle life = enclosing; junit == Outcome.FAILED && life != null; life = life.enclosing) {
            life.testFailed = true;
            failures.forEach(life::report);
        }
        Judgement found = findings == null ? Judgement.NOTHING : findings.found();
        boolean onlyUndecided = junit != Outcome.FAILED
                && body == BodyOutcome.PASSED
                && found.violations().isEmpty()
                && !found.undecided().isEmpty();
        List<String> used = TestLease.names(cores.all());
        lines.append(
                onlyUndecided
                        ? new RunEvent.TestFinished(lines.test(), Outcome.UNDECIDED, used, undecided(findings, found))
                        : new RunEvent.TestFinished(lines.test(), junit, used, reason));
    }

    private static String undecided(TestResult findings, Judgement found) {
        return (Verdict.undecided(found) + " " + Verdict.whyAborted(findings.verdicts())).strip();
    }

    /** Gives the cores back, once. A test that never came to its end is still judged in the run file. */
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
            participants.forEach(Participant::release);
            cores.close();
        }
    }
}
