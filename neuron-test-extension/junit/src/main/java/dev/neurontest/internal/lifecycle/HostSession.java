package dev.neurontest.internal.lifecycle;

import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import dev.neurontest.ForEachDevice;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.cluster.agent.RemoteHost;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.configuration.UndecidedKind;
import dev.neurontest.internal.device.DatastoreCounters;
import dev.neurontest.internal.evidence.Evidence;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lifecycle.host.HostServices;
import dev.neurontest.internal.lifecycle.host.LeftProcesses;
import dev.neurontest.internal.lifecycle.lease.RunTarget;
import dev.neurontest.internal.lifecycle.lease.SessionCores;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.lifecycle.lease.TestLeases;
import dev.neurontest.internal.open.CoreHealth;
import dev.neurontest.internal.output.OutputExpectations;
import dev.neurontest.internal.participant.BodyScripts;
import dev.neurontest.internal.participant.DeviceUse;
import dev.neurontest.internal.participant.HeldCores;
import dev.neurontest.internal.participant.Interruptions;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.UserCode;
import dev.neurontest.internal.participant.cluster.ClusterLease;
import dev.neurontest.internal.participant.cluster.SessionHosts;
import dev.neurontest.internal.participant.cluster.TestCluster;
import dev.neurontest.internal.participant.comparison.SessionBaselines;
import dev.neurontest.internal.participant.comparison.Stacks;
import dev.neurontest.internal.participant.comparison.TestComparisons;
import dev.neurontest.internal.participant.counter.HostErrors;
import dev.neurontest.internal.participant.counter.SnapshotListener;
import dev.neurontest.internal.participant.counter.TestCounters;
import dev.neurontest.internal.participant.counter.TestKernelLog;
import dev.neurontest.internal.participant.output.TestOutputs;
import dev.neurontest.internal.participant.print.TestPrints;
import dev.neurontest.internal.participant.profile.LastProfiles;
import dev.neurontest.internal.participant.profile.Profiling;
import dev.neurontest.internal.participant.profile.TestProfiles;
import dev.neurontest.internal.participant.replay.SessionPicture;
import dev.neurontest.internal.participant.replay.SessionReplay;
import dev.neurontest.internal.participant.replay.TestTimeline;
import dev.neurontest.internal.participant.runtime.CoreRequirement;
import dev.neurontest.internal.participant.runtime.CoreSupply;
import dev.neurontest.internal.participant.runtime.Leaks;
import dev.neurontest.internal.participant.runtime.SessionRuntime;
import dev.neurontest.internal.participant.runtime.TestRuntime;
import dev.neurontest.internal.participant.runtime.TooFewCoresException;
import dev.neurontest.internal.participant.workload.TestWorkloads;
import dev.neurontest.internal.plan.Misuse;
import dev.neurontest.internal.plan.PrintPlan;
import dev.neurontest.internal.plan.TestPlan;
import dev.neurontest.internal.platform.Platform;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The host of a session and the resources that its tests share. This class translates the annotations of a test into the participants of
 * its lifecycle; it is the only class that creates them.
 */
@API(status = API.Status.INTERNAL)
public final class HostSession implements AutoCloseable {

    private final HostServices host;
    private final HostErrors errors;
    private final Settings settings;
    private final RunFile runFile;
    private final Evidence evidence;
    private final Optional<SessionReplay> replay;
    private final SessionPicture picture;
    private final SessionCores cores;
    private final SessionRuntime runtime;
    private final CoreSupply supply;
    private final Profiling profiling;
    private final SessionBaselines baselines;
    private final SessionHosts hosts;
    private final LastProfiles lastProfiles = new LastProfiles();

    /** Creates the session without using the host. */
    HostSession(HostServices host, Settings settings, RunFile runFile, Evidence evidence, SessionBaselines baselines) {
        this.host = host;
        this.errors = new HostErrors(
                host.platform().host(),
                host.openHost().counters(),
                host.openHost().kernelLog(),
                runFile);
        this.settings = settings;
        this.runFile = runFile;
        this.evidence = evidence;
        this.baselines = baselines;
        this.hosts = new SessionHosts(settings, runFile);
        Platform platform = host.platform();
        this.replay = SessionReplay.of(platform, UndecidedHandling.of(settings, UndecidedKind.COUNTERS));
        this.picture = new SessionPicture(platform, settings, runFile);
        TestLeases leases = new TestLeases(runFile, settings.value(Setting.LEASE_TIMEOUT), CoreHealth::broken);
        this.cores = new SessionCores(host.openHost().leases(), leases);
        this.runtime = new SessionRuntime(
                platform, host.openHost().leases(), host.openHost().health(), leases, settings, runFile);
        this.supply = new CoreSupply(platform.host(), host.openHost().leases(), leases, cores, runtime);
        this.profiling = new Profiling(platform, host.tool(), host.tool()::schema, settings, runtime::held);
    }

    /** Records the description and the notices of the host. */
    void recordStart() {
        NeuronHost neuron = host.platform().host();
        if (host.platform().absence().isPresent()) {
            return;
        }
        runFile.append(host.event());
        host.platform().notices().forEach(this::notice);
        errors.readStart();
        if (replay.isPresent()) {
            // The readings of a recorded host depend on the time.
            errors.awaitStart();
            replay.get().notices().forEach(this::notice);
        }
        neuron.notices().forEach(this::notice);
        if (neuron.datastoreCounters() == DatastoreCounters.DEFERRED) {
            notice(
                    ("Execution and status counters of this host (%s) change only when the process that used a core closes"
                                    + " its device. End the process, or close its runtime, before the test ends. Only root sees"
                                    + " whether another user's process still has a device open.")
                            .formatted(neuron.datastoreCountersReason()));
        }
    }

    private void notice(String notice) {
        runFile.append(new RunEvent.Noticed(null, notice));
    }

    public HostServices host() {
        return host;
    }

    /** Returns the platform for a test that takes the whole host, and may change any of its devices: all have been read. */
    Platform wholePlatform() {
        errors.awaitStart();
        return host.platform();
    }

    /** Returns the hosts for tests over several hosts. */
    SessionHosts hosts() {
        return hosts;
    }

    /** Returns the type of a parameter that a participant provides. */
    static Optional<ParameterType<?>> parameterType(Parameter parameter) {
        return parameterTypes().stream()
                .filter(type -> type.type() == parameter.getType())
                .findFirst();
    }

    /** Returns the types of the parameters that participants provide. */
    private static List<ParameterType<?>> parameterTypes() {
        return List.of(
                TestCounters.parameter(),
                TestWorkloads.parameter(),
                TestProfiles.profilerParameter(),
                TestProfiles.profileParameter(),
                TestRuntime.runtimeParameter(),
                TestRuntime.modelParameter(),
                TestPrints.parameter(),
                TestComparisons.parameter(),
                TestCluster.parameter());
    }

    /** Returns the replay of a recorded host; empty on other platforms. */
    Optional<SessionReplay> replay() {
        return replay;
    }

    /**
     * Description of a test or class that is about to begin.
     *
     * @param id the test or class
     * @param rules the expectations on its counters
     * @param target the core or device of this run, if it is one of several
     * @param avoided the cores on which earlier attempts failed
     * @param enclosing the class that leases cores for it; null without one
     */
    record TestDescription(
            TestId id,
            TestPlan plan,
            CounterExpectations rules,
            Optional<RunTarget> target,
            Set<NeuronCore> avoided,
            @Nullable RunningTest enclosing) {}

    /**
     * Leases the cores of a test and creates all participants of its lifecycle.
     *
     * @return a test that has not started yet
     * @throws RuntimeException if that is not possible; then nothing is leased
     */
    RunningTest begin(TestDescription description) {
        TestPlan plan = description.plan();
        if (plan.profiles().needsTool()) {
            // Checked before the lease: without the tool, waiting for a core would be useless.
            host.tool().get();
        }
        OutputExpectations outputRules = plan.outputs().withGoldens();
        Platform platform = host.platform();
        @Nullable RunningTest enclosing = description.enclosing();
        if (plan.usesRuntime()) {
            // The runtime may start with the lease, and use all its devices.
            errors.awaitStart();
        }
        TestCores testCores = lease(description);
        errors.readFirst(testCores.all());
        @Nullable ClusterLease cluster = null;
        if (plan.cluster().isPresent()) {
            cluster = hosts.lease(description.id(), plan.cluster().get());
            testCores.alsoOnCluster(cluster.coreNames());
        }
        TestJournal lines = new TestJournal(runFile, description.id());
        Suspicions suspicions = new Suspicions(lines, testCores);
        UserCode userCode = new UserCode();

        Optional<TestRuntime> ownRuntime = plan.usesRuntime()
                ? Optional.of(new TestRuntime(runtime, settings, lines, testCores, suspicions, userCode))
                : Optional.empty();
        Optional<TestRuntime> anyRuntime =
                ownRuntime.isPresent() || enclosing == null ? ownRuntime : enclosing.anyRuntime();
        DeviceUse use = new DeviceUse(enclosing == null ? null : enclosing.use());
        if (anyRuntime.isPresent()) {
            use.ranOnDevice();
        }
        TestComparisons comparisons = new TestComparisons(
                settings,
                baselines,
                lines,
                plan.comparisons(),
                new Stacks(host.event(), anyRuntime.isEmpty() ? null : runtime::version),
                plan.isTest(),
                use);
        @Nullable
        TestTimeline timeline = replay.isPresent() || picture.isRequested()
                ? new TestTimeline(
                        picture,
                        replay,
                        platform.host().tree().name(),
                        settings.value(Setting.RECORD_INTERVAL),
                        lines,
                        testCores.all(),
                        plan.isTest(),
                        plan.expectationsOnMoreThanFiles())
                : null;
        TestCounters counters = new TestCounters(
                host.openHost().counters(),
                host.openHost().settling(),
                host.leftProcesses(),
                settings,
                lines,
                testCores,
                description.rules(),
                suspicions,
                use,
                timeline == null ? SnapshotListener.NONE : timeline,
                plan.isTest(),
                (diff, result) -> {
                    for (RunningTest outer = enclosing; outer != null; outer = outer.enclosing()) {
                        outer.counting().excludeReported(diff, result);
                    }
                    comparisons.add(diff);
                });
        TestKernelLog kernelLog = new TestKernelLog(
                host.openHost().kernelLog(),
                lines,
                testCores,
                suspicions,
                enclosing == null ? null : enclosing.kernelLog());
        List<Participant> participants = new ArrayList<>();
        TestWorkloads workloads = new TestWorkloads(platform, lines, testCores, suspicions, use, participants);
        @Nullable TestPrints prints = prints(plan, lines, testCores, anyRuntime, workloads, cluster);
        TestOutputs outputs = new TestOutputs(settings, lines, outputRules, anyRuntime, userCode);
        TestProfiles profiles = new TestProfiles(
                profiling,
                lastProfiles,
                lines,
                plan.profiles(),
                testCores,
                suspicions,
                outputs.collector(),
                use,
                comparisons);
        Interruptions interruptions = new Interruptions(lines, testCores.all(), counters::soFar);

        // In the order in which they start, settle and judge; counters settle last. A new participant is added here,
        // and the types of its parameters to parameterTypes().
        participants.addAll(List.of(counters, kernelLog, workloads, errors));
        if (cluster != null) {
            participants.addAll(ofCluster(cluster, description, lines, use, participants));
        }
        if (ownRuntime.isPresent()) {
            participants.add(new Leaks(ownRuntime.get(), settings, lines, suspicions));
        }
        if (prints != null) {
            participants.add(prints);
        }
        if (ownRuntime.isPresent()) {
            participants.add(ownRuntime.get());
        }
        participants.add(profiles);
        if (plan.isTest()) {
            participants.add(outputs);
        }
        participants.addAll(List.of(
                comparisons,
                new HeldCores(lines, testCores, UndecidedHandling.of(settings, UndecidedKind.COUNTERS)),
                interruptions));
        if (timeline != null) {
            participants.add(timeline);
        }
        if (platform.isOfThisJvm()) {
            participants.add(new BodyScripts(platform, userCode));
        }
        return new RunningTest(
                new TestLifecycle(
                        lines,
                        evidence,
                        testCores,
                        suspicions,
                        userCode,
                        (driven, code) -> host.openHost().health().abandon(driven, code::stillRunning),
                        participants,
                        enclosing == null ? null : enclosing.lifecycle()),
                description.id().name(),
                testCores,
                description.rules(),
                counters,
                kernelLog,
                use,
                ownRuntime,
                interruptions,
                Optional.ofNullable(cluster),
                enclosing);
    }

    /** Returns the participants of a test over several hosts: the measurements of each host, and the programs of all. */
    private List<Participant> ofCluster(
            ClusterLease cluster,
            TestDescription description,
            TestJournal lines,
            DeviceUse use,
            List<Participant> all) {
        List<Participant> participants = new ArrayList<>();
        List<TestCluster.Host> measured = new ArrayList<>();
        for (ClusterLease.Share share : cluster.shares()) {
            RemoteHost remote = share.host();
            TestJournal ofHost = lines.on(remote.name());
            TestCores cores = TestCores.of(remote.leases(), share.lease());
            Suspicions suspicions = new Suspicions(ofHost, cores);
            participants.add(new TestCounters(
                    remote.counters(),
                    remote.settling(),
                    new LeftProcesses(),
                    settings,
                    ofHost,
                    cores,
                    description.rules(),
                    suspicions,
                    use,
                    SnapshotListener.NONE,
                    true,
                    (diff, result) -> {}));
            participants.add(new TestKernelLog(remote.kernelLog(), ofHost, cores, suspicions, null));
            participants.add(new HeldCores(ofHost, cores, UndecidedHandling.of(settings, UndecidedKind.COUNTERS)));
            measured.add(new TestCluster.Host(remote.name(), cores, suspicions));
        }
        participants.add(new TestCluster(cluster, measured, lines, use, all));
        return participants;
    }

    private TestCores lease(TestDescription description) {
        TestPlan plan = description.plan();
        try {
            return supply.take(
                    new CoreRequirement(
                            description.id(),
                            plan.slots(),
                            plan.ofClass(),
                            plan.ofSession(),
                            description.target(),
                            description.avoided(),
                            plan.usesRuntime(),
                            description.enclosing() == null
                                    ? null
                                    : description.enclosing().cores()),
                    replay.isPresent() ? replay.get().avoided(description.id()) : Set.of());
        } catch (TooFewCoresException tooFew) {
            throw Misuse.of(tooFew.getMessage(), tooFew.getCause());
        }
    }

    /** Returns the prints of a test; null for none. A class has none, because only one reader can read a stream, and its tests do. */
    private @Nullable TestPrints prints(
            TestPlan plan,
            TestJournal lines,
            TestCores testCores,
            Optional<TestRuntime> anyRuntime,
            TestWorkloads workloads,
            @Nullable ClusterLease cluster) {
        if (!plan.isTest()) {
            return null;
        }
        PrintPlan prints = plan.prints();
        if (cluster != null) {
            List<NeuronCore> held = cluster.shares().stream()
                    .flatMap(share -> share.lease().cores().stream())
                    .toList();
            return prints.required() ? TestPrints.ofCluster(settings, lines, prints, testCores, held) : null;
        }
        if (anyRuntime.isPresent() && !testCores.all().isEmpty()) {
            return TestPrints.ofRuntime(settings, lines, prints, testCores, anyRuntime.get());
        }
        return prints.required() ? TestPrints.ofWorkloads(settings, lines, prints, testCores, workloads) : null;
    }

    /**
     * Returns the runs of a test or class that runs for each core or each device. If it uses the runtime in this JVM, only cores
     * of the runtime get a run. Devices are always those of the host.
     */
    public Stream<RunTarget> runs(AnnotatedElement element, boolean usesRuntime) {
        if (!usesRuntime) {
            return runs(element, host.platform().host().cores());
        }
        SessionRuntime.Cores runtimeCores = runtime.claim(List.of());
        try {
            return runs(element, runtimeCores.lease().lease().cores());
        } finally {
            runtime.unclaim();
        }
    }

    private Stream<RunTarget> runs(AnnotatedElement element, List<NeuronCore> served) {
        return isAnnotated(element, ForEachDevice.class)
                ? host.platform().host().devices().stream()
                        .map(device -> new RunTarget(CoreRequest.devices(device.index()), device.name()))
                : served.stream().map(core -> new RunTarget(CoreRequest.exactly(core.index()), core.name()));
    }

    /** Releases the resources that the tests of this session shared. */
    void release() {
        runtime.close();
        cores.close();
        hosts.close();
    }

    /** Records the final state of the host. */
    void recordEnd() {
        if (host.platform().absence().isPresent()) {
            return;
        }
        errors.readEnd();
        replay.ifPresent(recorded -> recorded.writeTo(runFile));
    }

    @Override
    public void close() {
        release();
        host.close();
    }
}
