package dev.neurontest.internal.participant.counter;

import dev.neurontest.counter.Attribution;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.Counters;
import dev.neurontest.internal.configuration.EvidencePolicy;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.configuration.UndecidedKind;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.CounterFailure;
import dev.neurontest.internal.counter.CounterRecorder;
import dev.neurontest.internal.counter.ReportedDifferences;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.counter.wait.Waiting;
import dev.neurontest.internal.evidence.RunName;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lifecycle.host.LeftProcesses;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.DeviceUse;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.Suspicion;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A participant that measures and judges the driver counters of a test's cores. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestCounters implements Participant {

    private final CounterScopes scopes;
    private final SettleOptions settling;
    private final LeftProcesses leftProcesses;
    private final Settings settings;
    private final TestJournal lines;
    private final TestCores cores;
    private final CounterExpectations rules;
    private final Suspicions suspicions;
    private final DeviceUse use;
    private final SnapshotListener snapshotListener;
    private final BiConsumer<CounterDiff, TestResult> diffListener;
    private final boolean isTest;
    private final UnaryOperator<String> naming = this::named;
    private volatile boolean testAborted;
    private @Nullable Begun begun;
    private @Nullable CounterDiff whole;
    private @Nullable CounterDiff diff;

    /**
     * The state of the initial reading.
     *
     * @param overWholeClass the rule for a class over all its tests
     */
    private record Begun(
            Map<Lease, Long> moments,
            List<String> outsiders,
            Expectation<CounterDiff> expectation,
            Optional<Expectation<CounterDiff>> overWholeClass,
            ReportedDifferences reported,
            CounterRecorder recorder) {}

    /**
     * Creates a participant without reading any counters.
     *
     * @param scopes the readable counters of the host
     * @param settling the options for counters to settle
     * @param leftProcesses the processes that tests left on the devices of the host
     * @param settings the settings for judging
     * @param rules the expectations on the counters
     * @param suspicions the suspicions against the cores
     * @param use the use of the device by the test
     * @param snapshotListener is notified of the readings
     * @param isTest false for a class, which also judges its expectations over all its tests
     * @param diffListener receives the counter changes of the test, and its result
     */
    public TestCounters(
            CounterScopes scopes,
            SettleOptions settling,
            LeftProcesses leftProcesses,
            Settings settings,
            TestJournal lines,
            TestCores cores,
            CounterExpectations rules,
            Suspicions suspicions,
            DeviceUse use,
            SnapshotListener snapshotListener,
            boolean isTest,
            BiConsumer<CounterDiff, TestResult> diffListener) {
        this.scopes = scopes;
        this.settling = settling;
        this.leftProcesses = leftProcesses;
        this.settings = settings;
        this.lines = lines;
        this.cores = cores;
        this.rules = rules.orAttribution(
                Attribution.valueOf(settings.value(Setting.ATTRIBUTION).name()));
        this.suspicions = suspicions;
        this.use = use;
        this.snapshotListener = snapshotListener;
        this.isTest = isTest;
        this.diffListener = diffListener;
    }

    /** Returns the parameter type of the counters of a test's cores. */
    public static ParameterType<TestCounters> parameter() {
        return new ParameterType<>(
                Counters.class, TestCounters.class, "", (counters, parameter) -> Optional.of(counters.counters()));
    }

    @Override
    public void start() {
        if (cores.all().isEmpty()) {
            return;
        }
        snapshotListener.beforeStart();
        CounterScope scope = scopes.of(cores.all());
        CounterExpectations onCores = rules.onEachOf(cores.ofPrograms());
        Expectation<CounterDiff> expectation = onCores.arm(scope);
        Optional<Expectation<CounterDiff>> overWholeClass = isTest || !onCores.expectsOverWholeClass()
                ? Optional.empty()
                : Optional.of(onCores.armOverWholeClass(scope));
        ReportedDifferences byParts = new ReportedDifferences(scope);
        List<String> outsiders = cores.outsiders();
        Map<Lease, Long> moments = cores.moments();
        CounterRecorder recorder =
                CounterRecorder.start(scope, settling, () -> users(neighbours(moments, outsiders)), cores::unleased);
        begun = new Begun(moments, outsiders, expectation, overWholeClass, byParts, recorder);
        snapshotListener.afterStart();
    }

    private List<String> neighbours(Map<Lease, Long> moments, List<String> outsidersBefore) {
        Set<String> neighbours = new LinkedHashSet<>(cores.neighbours(moments));
        neighbours.addAll(outsidersBefore);
        neighbours.addAll(cores.outsiders());
        return List.copyOf(neighbours);
    }

    private ConcurrentUsers users(List<String> names) {
        return new ConcurrentUsers(names, naming, RunName::isOfThisBuild);
    }

    private String named(String process) {
        return leftProcesses.named(lines.test(), process);
    }

    /** Returns counters for differences that the test itself measures. */
    public Counters counters() {
        @Nullable Begun since = begun;
        return Counters.over(
                        scopes,
                        cores.all(),
                        settling,
                        () -> users(since == null ? List.of() : cores.neighbours(since.moments())),
                        changes -> lines.append(new CounterMeasurement(changes, lines.host())))
                .awaiting(
                        Waiting.until(rules),
                        since == null ? null : since.recorder().before());
    }

    /** Returns the counter changes until now. */
    public String soFar() {
        return begun == null
                ? "no counters were recorded\n"
                : begun.recorder().soFar().toText();
    }

    /**
     * Excludes a difference that a test has already reported from that of its class.
     *
     * @param result the result of the test; an aborted one was free to do nothing
     */
    public void excludeReported(CounterDiff part, TestResult result) {
        if (begun != null) {
            begun.reported().add(part);
        }
        testAborted |= !result.judgesExpectations();
    }

    @Override
    public boolean settlesLast() {
        return true;
    }

    /** Waits until counters are quiet, and reads them. */
    @Override
    public void settle() {
        if (begun != null) {
            snapshotListener.beforeStop();
            CounterDiff measured = begun.recorder().stop();
            // With a concurrent test, it is unknown to which of them a process belongs.
            if (measured.neighbours().isEmpty()) {
                leftProcesses.add(
                        lines.test(),
                        begun.outsiders(),
                        measured.deferring().isEmpty() ? measured.openDevices() : cores.unleased());
            }
            whole = measured.namingProcesses(naming);
            diff = whole.residual(begun.reported());
            snapshotListener.afterStop();
        }
    }

    @Override
    public List<Verdict> judge(TestResult findings) {
        @Nullable CounterDiff counted = diff;
        if (begun == null || counted == null || whole == null) {
            return List.of();
        }
        if (!whole.moved().isEmpty()
                || !whole.deferring().isEmpty()
                || whole.restart().isPresent()) {
            use.ranOnDevice();
        }
        if (use.isOnlySimulated() && findings.judgesExpectations()) {
            return List.of(simulated(counted));
        }
        Optional<String> lost = counted.scope().tree().lost();
        if (lost.isPresent()
                && !counted.unreadable().isEmpty()
                && counted.moved().isEmpty()) {
            return List.of(undecided(lost.get()));
        }
        List<Verdict> verdicts = new ArrayList<>();
        Judgement judgement = judged(findings, begun.expectation(), counted);
        CounterDiff moved = counted.judged(judgement);
        diff = moved;
        lines.append(new CounterMeasurement(moved, lines.host()));
        verdicts.add(verdict(judgement, moved));
        if (begun.overWholeClass().isPresent()) {
            verdicts.add(overWholeClass(findings, begun.overWholeClass().get(), whole));
        }
        CounterSuspicions against = new CounterSuspicions(cores.all());
        suspicions.explain(against.programErrors(moved), "the driver counted an error of the program on it");
        for (Suspicion suspicion : against.after(moved)) {
            suspicions.addEvidence(suspicion);
        }
        diffListener.accept(moved, findings);
        return verdicts;
    }

    /** Leaves all rules undecided, because the host was lost. One reason is clearer than one for each counter that cannot be read. */
    private Verdict undecided(String reason) {
        diff = null;
        return lines.verdict(
                rules.undecided("its counters", "They could not be read after the test: " + reason),
                UndecidedHandling.of(settings, UndecidedKind.COUNTERS),
                () -> Failure.error("Neuron counters of %s are undecided: %s"
                        .formatted(lines.host().orElse("the host"), reason)));
    }

    /** Judges only the default rule. The other expectations do not apply to simulated kernels. */
    private Verdict simulated(CounterDiff counted) {
        Judgement errors = rules.errors(counted.scope()).judge(counted);
        Judgement others = Judgement.notApplicable(rules.words().stream()
                .map(rule -> DeviceUse.notApplicable(rule, counted.where()))
                .toList());
        Judgement judgement = Judgement.of(List.of(errors, others));
        diff = counted.judged(judgement);
        lines.append(new CounterMeasurement(diff, lines.host()));
        return verdict(judgement, diff);
    }

    /** Judges what all tests of a class did together. Only upper limits apply if one of them was aborted. */
    private Verdict overWholeClass(TestResult findings, Expectation<CounterDiff> rule, CounterDiff all) {
        diff = all;
        return verdict(findings.judge(testAborted ? rule.ofAbortedBody() : rule, all), all);
    }

    private Verdict verdict(Judgement judgement, CounterDiff moved) {
        return lines.verdict(
                judgement,
                UndecidedHandling.of(settings, UndecidedKind.COUNTERS),
                () -> failure(judgement, moved).toError());
    }

    /** Judges the counters. If a rule of the user throws, the measurement is still written. */
    private Judgement judged(TestResult findings, Expectation<CounterDiff> expectation, CounterDiff counted) {
        try {
            return findings.judge(expectation, counted);
        } catch (RuntimeException failed) {
            lines.append(new CounterMeasurement(counted, lines.host()));
            throw failed;
        }
    }

    private CounterFailure failure(Judgement judgement, CounterDiff moved) {
        CounterFailure failure = CounterFailure.of(judgement, moved);
        if (lines.host().isPresent()) {
            // The attachments of a cluster have the names of its hosts.
            return failure.on(lines.host().get());
        }
        return settings.value(Setting.EVIDENCE) == EvidencePolicy.NEVER ? failure : failure.withAttachment();
    }

    @Override
    public List<CounterMeasurement> evidence(TestResult findings) {
        return diff == null ? List.of() : List.of(new CounterMeasurement(diff, lines.host()));
    }
}
