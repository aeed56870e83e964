package dev.neurontest;

import dev.neurontest.baseline.Comparisons;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterRules;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.DeviceCondition;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.AttachmentSink;
import dev.neurontest.evidence.Interruption;
import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.Phase;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.TestId;
import dev.neurontest.evidence.ThreadDump;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.profile.capture.CaptureException;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.Recording;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.opentest4j.TestAbortedException;

/**
 * The life of one test: request, lease, recorders, body, settle, judge, evidence, release. A class that leases for all its
 * tests has one too, around theirs. JUnit's store closes what a test could not end itself.
 */
final class TestLife implements AutoCloseable {

    private final Session session;
    private final TestHost host;
    private final TestId test;
    private final @Nullable TestLife around;
    private final CounterRules rules;
    private final TestCores cores;
    private final boolean isTest;
    private final UserCode userCode = new UserCode();
    private final List<Interruption> interruptions = new CopyOnWriteArrayList<>();
    private final Suspicions suspicions;
    private final ProfilePlan profilePlan;
    private final PrintPlan printPlan;
    private final TestComparisons comparisons;
    private @Nullable TestCounters counters;
    private @Nullable TestTimeline timeline;
    private @Nullable TestProfiles profiles;
    private @Nullable TestRuntime runtime;
    private @Nullable TestPrints prints;
    private @Nullable Workloads workloads;

    private volatile Phase phase = Phase.SETUP;
    private final List<Verdict> verdicts = new ArrayList<>();
    private @Nullable Throwable partFailure;
    private @Nullable RuntimeException profileFailure;
    private boolean passed;
    private volatile boolean testFailed;
    private boolean concluded;
    private boolean released;

    /** What is asked for: whose life it is, what it is served and judged by. */
    record Plan(
            TestId test,
            Set<Slot> slots,
            Set<Slot> ofSession,
            Optional<Assigned> assigned,
            Set<NeuronCore> avoided,
            CounterRules rules,
            ProfilePlan profiles,
            RuntimePlan runtime,
            PrintPlan prints,
            ComparisonPlan comparisons,
            boolean isTest,
            @Nullable TestLife around) {

        boolean usesRuntime() {
            return runtime.used();
        }
    }

    private TestLife(Session session, Plan plan, TestCores cores) {
        this.session = session;
        this.host = session.host();
        this.test = plan.test();
        this.around = plan.around();
        this.rules = plan.rules();
        this.cores = cores;
        this.isTest = plan.isTest();
        this.suspicions = new Suspicions(host, cores);
        this.profilePlan = plan.profiles();
        this.printPlan = plan.prints();
        this.comparisons = new TestComparisons(
                session, test, plan.comparisons(), () -> runtimeAround().isPresent());
    }

    /**
     * Leases and takes the "before".
     *
     * @param junit gets what there is of a profile that could not be made
     * @throws RuntimeException when that is not possible; then nothing is leased
     */
    static TestLife begin(Session session, Plan plan, AttachmentSink junit) {
        if (plan.profiles().needsTool()) {
            // Before the body: who has no tool need not wait for a core and for the test first.
            session.host().tool().get();
        }
        TestLife life = new TestLife(session, plan, TestCores.take(session, plan));
        try {
            life.profileFirst();
            life.openRuntime(plan.runtime());
            life.record();
            return life;
        } catch (CaptureException doubtful) {
            throw life.refused(doubtful, junit);
        } catch (RuntimeException | Error failed) {
            life.close();
            throw failed;
        }
    }

    /** A profile that the test takes is judged and kept as every other one, also when there is nothing in it to take. */
    private CaptureException refused(CaptureException doubtful, AttachmentSink junit) {
        try {
            end(false, junit);
        } catch (AssertionError | TestAbortedException judged) {
            judged.addSuppressed(doubtful);
            throw judged;
        }
        return doubtful;
    }

    /** What the tool itself does to the counters is not the test's doing. */
    private void profileFirst() {
        if (holdsCores() && profilePlan.first()) {
            phase(Phase.SETUP);
            profiles().before();
        }
    }

    /** Opening it moves counters, which is not the test's doing. */
    private void openRuntime(RuntimePlan wanted) {
        if (wanted.used()) {
            phase(Phase.SETUP);
            runtime = new TestRuntime(session, test, cores);
        }
    }

    private void record() {
        if (!holdsCores()) {
            return;
        }
        phase(Phase.SETUP);
        timeline = new TestTimeline(session, test, cores);
        counters = new TestCounters(session, test, rules, cores);
        timeline.begin(isTest);
        recordPrints();
    }

    /** A class has no prints of its own: a stream has one reader, and that is the test. */
    private void recordPrints() {
        if (!isTest) {
            return;
        }
        Optional<TestRuntime> printing = runtimeAround();
        if (printing.isPresent()) {
            prints = new TestPrints(session, test, printPlan, printing.get());
        } else if (printPlan.wanted()) {
            prints = new TestPrints(session, test, printPlan, cores, this::workloadResults);
        }
    }

    private List<WorkloadResult> workloadResults() {
        return workloads == null ? List.of() : workloads.results();
    }

    private Optional<TestRuntime> runtimeAround() {
        return Optional.ofNullable(runtime).or(() -> Optional.ofNullable(around).flatMap(TestLife::runtimeAround));
    }

    /** What the test does with the runtime in this JVM. */
    TestRuntime runtime() {
        if (runtime == null) {
            throw new ExtensionConfigurationException("The runtime in this JVM cannot be used here. Take it in a test"
                    + " method, a constructor, @BeforeEach, @AfterEach, @BeforeAll or @AfterAll.");
        }
        return runtime;
    }

    /** What kernels print while the test runs. */
    DevicePrints prints() {
        if (prints == null) {
            throw new ExtensionConfigurationException(
                    "DevicePrints are there for a test method and what runs around each test, not for all tests of a class.");
        }
        return prints.prints();
    }

    CounterRules rules() {
        return rules;
    }

    TestCores cores() {
        return cores;
    }

    /** The cores of a parameter. */
    List<NeuronCore> cores(Slot slot) {
        return cores.of(slot)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Cores cannot be leased for this method. Take them in a test method, a constructor, @BeforeEach,"
                                + " @AfterEach, @BeforeAll or @AfterAll."));
    }

    /** The counters of the cores that this test has. */
    Counters counters() {
        return counters == null
                ? Counters.over(
                                host.counters(),
                                cores.all(),
                                host.settling(),
                                List::of,
                                diff -> session.runFile().append(test, diff))
                        .awaiting(host.waiting().until(rules), null)
                : counters.counters();
    }

    /** Starts child processes on the cores that this test has. Made when asked for: a fake host then becomes a directory. */
    Workloads workloads() {
        if (workloads == null) {
            Map<String, String> environment = new LinkedHashMap<>();
            if (profilePlan.workloads().isPresent()) {
                environment.putAll(profiles().environment());
            }
            if (prints != null) {
                environment.putAll(prints.environment());
            }
            workloads = new Workloads(host.workloads(session, test, cores, environment));
        }
        return workloads;
    }

    /** Makes profiles on the cores that this test has. Made when asked for, as its workloads are. */
    TestProfiles profiles() {
        if (profiles == null) {
            profiles = new TestProfiles(session, test, profilePlan, cores, suspicions, comparisons);
        }
        return profiles;
    }

    /** Compares what the test measures itself. */
    Comparisons comparisons() {
        if (!isTest) {
            throw new ExtensionConfigurationException(
                    "Comparisons are there for a test method and what runs around each test, not for all tests of a class:"
                            + " a baseline is one test's.");
        }
        return comparisons.own();
    }

    /** The user's methods that run in this life. */
    UserCode userCode() {
        return userCode;
    }

    boolean holdsCores() {
        return !cores.all().isEmpty();
    }

    void phase(Phase next) {
        phase = next;
        if (holdsCores()) {
            session.runFile().append(new RunEvent.PhaseStarted(test, next));
        }
        if (timeline != null) {
            timeline.entered(next);
        }
    }

    /** Remembers that a part of the test failed of which JUnit tells only the part itself. */
    void partFailed(Throwable failure) {
        partFailure = failure;
    }

    /** What a part of the test failed with. */
    Optional<Throwable> partFailure() {
        return Optional.ofNullable(partFailure);
    }

    /** Keeps what is going on before a thread is interrupted that may never come back. To be attached by the test itself. */
    void interrupted(Thread thread) {
        session.runFile().append(new RunEvent.Interrupted(test, phase, thread.getName()));
        Interruption seen = new Interruption(
                phase,
                thread.getName(),
                cores.all().stream()
                        .map(NeuronCore::device)
                        .distinct()
                        .map(device -> DeviceCondition.of(device).toString())
                        .toList(),
                counters == null ? "none were watched\n" : counters.soFar().toText(),
                ThreadDump.startingWith(thread));
        interruptions.add(seen);
        session.runFile().append(test, seen);
    }

    /** Whether the hardware failed the test and it is run again. */
    boolean repeats(Attempt attempt) {
        Set<NeuronCore> avoided = new LinkedHashSet<>(cores.all());
        avoided.addAll(suspicions.gone());
        boolean repeats = cores.canBeElsewhere(avoided) && attempt.repeats(suspicions(), avoided);
        if (repeats) {
            session.runFile()
                    .append(new RunEvent.Retried(test, TestLease.names(cores.all()), String.join("; ", suspicions())));
        }
        return repeats;
    }

    /** What to say beside the failure of a test that was interrupted. */
    Optional<InterruptionNote> interruptionNote() {
        return interruptions.stream().findFirst().map(InterruptionNote::new);
    }

    /** Why its cores are suspect; empty when they are not. */
    List<String> suspicions() {
        return suspicions.reasons();
    }

    /**
     * Settles, judges, keeps the evidence and releases.
     *
     * @throws AssertionError with everything that was violated
     * @throws TestAbortedException when something is undecided and that is to abort the test
     */
    void end(boolean bodyPassed, AttachmentSink junit) {
        passed = bodyPassed;
        try (this) {
            if (!concluded) {
                List<Recording> recordings = new ArrayList<>(conclude());
                phase(Phase.EVIDENCE);
                session.evidence().attach(test, passed && !testFailed, recordings, Verdict.all(verdicts), junit);
                fail();
            }
        }
    }

    /** Ends what still runs, judges, and keeps suspect cores from the others. */
    private List<Recording> conclude() {
        concluded = true;
        // First of all, so that nothing below can keep a core out of quarantine that is still driven.
        suspicions.after(userCode);
        List<Recording> recordings = new ArrayList<>();
        phase(Phase.SETTLE);
        recordings.addAll(endWorkloads());
        recordings.addAll(endPrints());
        endRuntime();
        if (counters != null && timeline != null) {
            timeline.bodyIsOver();
            CounterDiff diff = counters.stop();
            timeline.stop();
            phase(Phase.JUDGE);
            verdicts.add(counters.judge(diff));
            for (TestLife life = around; life != null; life = life.around) {
                life.tell(diff);
            }
            suspicions.after(diff);
            comparisons.add(diff);
            recordings.add(0, diff);
        }
        closeLeft();
        judgePrints();
        recordings.addAll(profileLast());
        verdicts.addAll(comparisons.judge(passed && profileFailure == null, suspicions()));
        recordings.addAll(comparisons.recordings());
        recordings.addAll(interruptions);
        if (timeline != null) {
            boolean well = passed && profileFailure == null;
            timeline.unseen(well, Verdict.all(verdicts), demandsOnMoreThanFiles())
                    .ifPresent(verdicts::add);
            timeline.recorded(well, Verdict.all(verdicts)).ifPresent(recordings::add);
        }
        return recordings;
    }

    private List<String> demandsOnMoreThanFiles() {
        return Stream.of(profilePlan.demands(), comparisons.demandsOnProfiles(), printPlan.demands())
                .flatMap(List::stream)
                .toList();
    }

    /** Profiles what the body left behind, unless it failed or its cores are suspect, and judges all profiles. */
    private List<? extends Recording> profileLast() {
        if (!holdsCores() || profiles == null && !profilePlan.needsTool()) {
            return List.of();
        }
        phase(Phase.PROFILE);
        try {
            profiles().after(passed && !testFailed);
        } catch (RuntimeException failed) {
            session.runFile().append(new RunEvent.Noticed(test, "Nothing could be profiled: " + failed.getMessage()));
            profileFailure = failed;
        }
        profiles().all().forEach(suspicions::after);
        verdicts.addAll(profiles().judge(passed && profileFailure == null));
        return profiles().recordings();
    }

    /** Before models are unloaded: what a kernel printed before it failed is read, too. */
    private List<DevicePrints> endPrints() {
        if (prints == null) {
            return List.of();
        }
        Optional<DevicePrints> all = prints.stop();
        all.ifPresent(kept -> session.runFile().append(test, kept));
        prints.recorded();
        return all.stream().toList();
    }

    /** For a failure that says nothing of prints whose values are not finite. */
    Optional<PrintNote> printNote(Throwable failure) {
        return prints == null ? Optional.empty() : prints.note(failure);
    }

    private void judgePrints() {
        if (prints != null) {
            verdicts.add(prints.judge());
        }
    }

    /** A call that does not come back still uses what the test opened. */
    private void endRuntime() {
        if (runtime == null) {
            return;
        }
        if (userCode.stillRunning().isPresent()) {
            session.runFile()
                    .append(new RunEvent.Noticed(
                            test, "Its models stay loaded, because a thread of it still runs and may use them."));
            return;
        }
        runtime.troubles().forEach(suspicions::afterRuntime);
        orSuspect("a model could not be unloaded", runtime::unload);
        orSuspect("the runtime in this JVM could not be closed", runtime::release);
    }

    /** What cannot be ended may still use the cores; the judgement goes on. */
    private void orSuspect(String otherwise, Runnable end) {
        try {
            end.run();
        } catch (RuntimeException failed) {
            String notice = otherwise.substring(0, 1).toUpperCase(Locale.ROOT) + otherwise.substring(1);
            session.runFile().append(new RunEvent.Noticed(test, notice + ": " + failed.getMessage()));
            suspicions.afterFailing(otherwise);
        }
    }

    /** After the counters were looked at: what the test did not close itself is not to look as if it had. */
    private void closeLeft() {
        if (runtime == null) {
            return;
        }
        try {
            runtime.closeLeft();
        } catch (RuntimeException failed) {
            session.runFile().append(new RunEvent.Noticed(test, "What it left open could not be closed: " + failed));
            suspicions.afterFailing("what it left open on the runtime could not be closed");
        }
        runtime.judgeLeft().ifPresent(verdicts::add);
    }

    private List<WorkloadResult> endWorkloads() {
        if (workloads == null) {
            return List.of();
        }
        orSuspect("a workload could not be stopped", workloads::close);
        List<WorkloadResult> results = workloads.results();
        results.forEach(suspicions::after);
        return results;
    }

    private void tell(CounterDiff part) {
        if (counters != null) {
            counters.tell(part);
        }
    }

    private void fail() {
        if (profileFailure == null) {
            Verdict.enforce(verdicts);
        } else {
            failBecauseOfTheProfile(profileFailure);
        }
        Judgement passed = Verdict.all(verdicts);
        if (!passed.undecided().isEmpty()) {
            session.runFile().append(new RunEvent.Noticed(test, "passed, but " + Verdict.undecided(passed)));
        }
    }

    /** What could not even be tried fails the test, whatever becomes of what is undecided. */
    private void failBecauseOfTheProfile(RuntimeException failure) {
        try {
            Verdict.enforce(verdicts);
        } catch (AssertionError violated) {
            violated.addSuppressed(failure);
            throw violated;
        } catch (TestAbortedException undecided) {
            failure.addSuppressed(undecided);
        }
        throw failure;
    }

    /** Says how the test ended, when JUnit knows. What it could not give back itself is given back before. */
    void finished(Outcome junit, @Nullable String reason) {
        close();
        for (TestLife life = around; junit == Outcome.FAILED && life != null; life = life.around) {
            life.testFailed = true;
        }
        Judgement found = Verdict.all(verdicts);
        boolean onlyUndecided = junit != Outcome.FAILED
                && passed
                && found.violations().isEmpty()
                && !found.undecided().isEmpty();
        List<String> used = TestLease.names(cores.all());
        session.runFile()
                .append(
                        onlyUndecided
                                ? new RunEvent.TestFinished(test, Outcome.UNDECIDED, used, Verdict.undecided(found))
                                : new RunEvent.TestFinished(test, junit, used, reason));
    }

    /** Gives the cores back, once. A test that never came to its end is still judged in the run file. */
    @Override
    public void close() {
        if (released) {
            return;
        }
        released = true;
        try {
            if (!concluded) {
                conclude();
            }
        } finally {
            if (timeline != null) {
                timeline.close();
            }
            cores.close();
        }
    }
}
