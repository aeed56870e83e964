package dev.neurontest.internal.lifecycle.host;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Leases;
import dev.neurontest.internal.lease.UnreadableTopologyException;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.lifecycle.lease.LeaseJournal;
import dev.neurontest.internal.plan.CoreSlot;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.process.orphan.Orphans;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The host of a session and the services that belong to it.
 *
 * @param platform the open host
 * @param leases the lease table of its cores
 * @param health the health check of its cores
 * @param settling the options for counters to settle
 * @param counters the readable counters of its cores
 * @param kernelLog the kernel log of its devices
 * @param tool the profiler tool, which is searched for on first use
 * @param leftProcesses the processes that tests left on its devices
 * @param event the description of the host in the run file
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostServices(
        Platform platform,
        Leases leases,
        CoreHealth health,
        SettleOptions settling,
        CounterScopes counters,
        KernelLog kernelLog,
        ToolSearch tool,
        LeftProcesses leftProcesses,
        RunEvent.PlatformChosen event)
        implements AutoCloseable {

    /**
     * Opens the host.
     *
     * @throws RuntimeException if there is none
     */
    public static HostServices open(Settings settings, RunFile runFile) {
        Platform platform = Platform.openIfPresent(settings);
        try {
            SettleOptions settling = settling(settings);
            CounterScopes counters = new CounterScopes(platform.host());
            CoreHealth health = new CoreHealth(counters, settling, settings.value(Setting.QUARANTINE_RESET));
            LeaseTable.Builder leases = LeaseTable.builder(platform.host())
                    .otherOwners(settings.value(Setting.LEASE_OWNERS))
                    .healthCheck(health)
                    .observer(new LeaseJournal(runFile));
            if (!platform.isOfThisJvm()) {
                leases.directory(settings.value(Setting.LEASE_DIRECTORY).orElseGet(platform::leaseDirectory));
            }
            if (platform.kind() == Platform.Kind.REAL) {
                leases.onHardware();
            }
            endOrphans(runFile);
            Leases table = leases.open();
            return new HostServices(
                    platform,
                    table,
                    health,
                    settling,
                    counters,
                    KernelLog.of(platform.host()),
                    new ToolSearch(platform, settings, runFile),
                    new LeftProcesses(),
                    describe(platform));
        } catch (RuntimeException failed) {
            platform.close();
            throw failed;
        }
    }

    /** Ends orphaned processes. This happens before the lease table is read, because cores without processes need no quarantine. */
    private static void endOrphans(RunFile runFile) {
        Orphans.end().reports().forEach(report -> runFile.append(new RunEvent.Noticed(null, report)));
    }

    @Override
    public void close() {
        leases.close();
        platform.close();
    }

    private static SettleOptions settling(Settings settings) {
        Optional<Duration> interval = settings.value(Setting.SETTLE_INTERVAL);
        SettleOptions usual =
                settings.value(Setting.PLATFORM).inProcess() ? SettleOptions.IN_PROCESS : SettleOptions.ON_FILES;
        try {
            return new SettleOptions(
                    interval.orElse(usual.interval()), settings.value(Setting.SETTLE_TIMEOUT), interval.isPresent());
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

    /** Returns why the cores of these slots can never be identified on this host. A request that is merely too large is not a reason. */
    public Optional<String> unservable(Collection<CoreSlot> places) {
        for (CoreSlot place : places) {
            try {
                leases.check(place.request());
            } catch (UnreadableTopologyException unreadable) {
                return Optional.of(unreadable.getMessage());
            } catch (ImpossibleRequestException impossible) {
                return Optional.empty();
            }
        }
        return Optional.empty();
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
