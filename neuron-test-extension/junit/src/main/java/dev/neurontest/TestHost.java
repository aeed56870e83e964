package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.Settings;
import dev.neurontest.counter.CounterScopes;
import dev.neurontest.counter.Settling;
import dev.neurontest.counter.Waiting;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunFile;
import dev.neurontest.evidence.TestId;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.ImpossibleRequestException;
import dev.neurontest.lease.LeaseTable;
import dev.neurontest.lease.UnreadableTopologyException;
import dev.neurontest.platform.Platform;
import dev.neurontest.profile.capture.Profiler;
import dev.neurontest.workload.Workloads;
import java.lang.reflect.AnnotatedElement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The host of a session with what belongs to it.
 *
 * @param platform the open host
 * @param leases who has which of its cores
 * @param health whether a core is well
 * @param settling how its counters are waited for
 * @param waiting how its tests wait for counters
 * @param counters what there is to read on its cores
 * @param tool the profiler tool, looked for when it is first needed
 * @param event how the run file describes it
 */
record TestHost(
        Platform platform,
        LeaseTable leases,
        CoreHealth health,
        Settling settling,
        Waiting waiting,
        CounterScopes counters,
        ToolSearch tool,
        RunEvent.PlatformChosen event)
        implements AutoCloseable {

    static TestHost open(Settings settings, RunFile runFile) {
        Platform platform = Platform.open(settings);
        try {
            Settling settling = settling(settings);
            CounterScopes counters = new CounterScopes(platform.host());
            CoreHealth health = new CoreHealth(counters, settling, settings.value(Setting.QUARANTINE_RESET));
            LeaseTable.Builder leases = LeaseTable.builder(platform.host())
                    .otherOwners(settings.value(Setting.LEASE_OWNERS))
                    .healthCheck(health)
                    .observer(new LeaseJournal(runFile));
            if (!platform.isOfThisJvm()) {
                leases.directory(settings.value(Setting.LEASE_DIRECTORY).orElseGet(platform::leaseDirectory));
            }
            LeaseTable table = leases.open();
            return new TestHost(
                    platform,
                    table,
                    health,
                    settling,
                    new Waiting(
                            Waiting.EVERY,
                            settings.value(Setting.AWAIT_NOTIFICATIONS),
                            table.notifications(),
                            notice -> runFile.append(new RunEvent.Noticed(null, notice))),
                    counters,
                    new ToolSearch(platform, settings, runFile),
                    describe(platform));
        } catch (RuntimeException failed) {
            platform.close();
            throw failed;
        }
    }

    /** What the profiles of a test are made with. */
    Profiler.Context profiler(Session session, TestId test, TestCores cores, Suspicions suspicions) {
        ProfileJournal journal = new ProfileJournal(session.runFile(), test, cores, suspicions);
        return new Profiler.Context(
                tool,
                platform.host(),
                withoutThoseOfRuntime(session, cores),
                () -> session.runFile().folder(test),
                platform.environment(),
                session.settings().value(Setting.PROFILE_THROTTLE),
                session.settings().value(Setting.PROFILE_RECAPTURES),
                session.settings().value(Setting.PROFILE_DEADLINE),
                pid -> !isRuntime(session, pid)
                        && ProcessHandle.of(pid).filter(TestHost::isOurs).isPresent(),
                journal);
    }

    /** What the child processes of a test are started with. */
    Workloads.Context workloads(Session session, TestId test, TestCores cores, Map<String, String> environment) {
        Map<String, String> all = new LinkedHashMap<>(platform.environment());
        all.putAll(environment);
        return new Workloads.Context(
                platform.host(),
                cores.all(),
                () -> session.runFile().folder(test),
                test.name(),
                all,
                new WorkloadJournal(session.runFile(), test, cores));
    }

    /** The tool cannot execute anything on what this JVM owns. */
    private static List<NeuronCore> withoutThoseOfRuntime(Session session, TestCores cores) {
        List<NeuronCore> held = session.runtime().held();
        return cores.all().stream().filter(core -> !held.contains(core)).toList();
    }

    /** The runtime in this JVM keeps its devices open; its cores are others than those of who does not use it. */
    private static boolean isRuntime(Session session, long pid) {
        return pid == ProcessHandle.current().pid() && !session.runtime().held().isEmpty();
    }

    /** Whether a process is this JVM or descends from it. */
    private static boolean isOurs(ProcessHandle process) {
        return Stream.iterate(Optional.of(process), Optional::isPresent, each -> each.flatMap(ProcessHandle::parent))
                .anyMatch(each -> each.get().equals(ProcessHandle.current()));
    }

    @Override
    public void close() {
        leases.close();
        platform.close();
    }

    private static Settling settling(Settings settings) {
        try {
            return new Settling(settings.value(Setting.SETTLE_INTERVAL), settings.value(Setting.SETTLE_TIMEOUT));
        } catch (IllegalArgumentException impossible) {
            throw new IllegalArgumentException(
                    "%s is %s and %s is %s: %s"
                            .formatted(
                                    Setting.SETTLE_INTERVAL,
                                    settings.get(Setting.SETTLE_INTERVAL),
                                    Setting.SETTLE_TIMEOUT,
                                    settings.get(Setting.SETTLE_TIMEOUT),
                                    impossible.getMessage()),
                    impossible);
        }
    }

    /** Why cores for these slots can never be told apart here; a request that is merely too large is not among these. */
    Optional<String> unservable(Set<Slot> slots) {
        for (Slot slot : slots) {
            try {
                leases.check(slot.request());
            } catch (UnreadableTopologyException unreadable) {
                return Optional.of(unreadable.getMessage());
            } catch (ImpossibleRequestException impossible) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /**
     * The runs of a test or class that runs for each core or each device.
     *
     * @param served cores that it can get
     */
    Stream<Assigned> runs(AnnotatedElement element, List<NeuronCore> served) {
        NeuronHost host = platform.host();
        return isAnnotated(element, ForEachDevice.class)
                ? host.devices().stream()
                        .map(device -> new Assigned(CoreRequest.devices(device.index()), device.name()))
                : served.stream().map(core -> new Assigned(CoreRequest.exactly(core.index()), core.name()));
    }

    private static RunEvent.PlatformChosen describe(Platform platform) {
        NeuronHost host = platform.host();
        return new RunEvent.PlatformChosen(
                platform.kind().toString(),
                host.tree().name(),
                platform.choice().value().toString(),
                platform.choice().source(),
                host.instanceType().orElse(null),
                platform.layout().orElse(null),
                host.driverVersion().map(Object::toString).orElse(null),
                host.devices().size(),
                host.cores().size(),
                host.logicalCoreSize());
    }
}
