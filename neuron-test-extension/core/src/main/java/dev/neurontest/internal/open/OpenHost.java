package dev.neurontest.internal.open;

import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.Leases;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.process.orphan.Orphans;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * A host that is open for tests.
 *
 * @param platform the host
 * @param leases the lease table of its cores
 * @param health the health check of its cores
 * @param settling the options for counters to settle
 * @param counters the readable counters of its cores
 * @param kernelLog the kernel log of its devices
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OpenHost(
        Platform platform,
        Leases leases,
        CoreHealth health,
        SettleOptions settling,
        CounterScopes counters,
        KernelLog kernelLog)
        implements AutoCloseable {

    /**
     * Opens the host, and ends the processes of dead JVMs.
     *
     * @param observer the observer of its lease table
     * @param notices receives a sentence for people about each such process
     * @throws RuntimeException if there is no host, or its lease table cannot be used
     */
    public static OpenHost open(Settings settings, LeaseObserver observer, Consumer<String> notices) {
        Platform platform = Platform.openIfPresent(settings);
        try {
            SettleOptions settling = settling(
                    settings,
                    settings.value(Setting.PLATFORM).inProcess() ? SettleOptions.IN_PROCESS : SettleOptions.ON_FILES);
            CounterScopes counters = new CounterScopes(platform.host());
            CoreHealth health = new CoreHealth(counters, settling, settings.value(Setting.QUARANTINE_RESET));
            LeaseTable.Builder leases = LeaseTable.builder(platform.host())
                    .otherOwners(settings.value(Setting.LEASE_OWNERS))
                    .healthCheck(health)
                    .observer(observer);
            if (!platform.isOfThisJvm()) {
                Optional<Path> chosen = settings.value(Setting.LEASE_DIRECTORY);
                leases.directory(chosen.isPresent() ? chosen.get() : platform.leaseDirectory());
            }
            if (platform.kind() == Platform.Kind.REAL) {
                leases.onHardware();
            }
            // This precedes the lease table, because cores without processes need no quarantine.
            Orphans.end().reports().forEach(notices);
            return new OpenHost(platform, leases.open(), health, settling, counters, KernelLog.of(platform.host()));
        } catch (RuntimeException failed) {
            platform.close();
            throw failed;
        }
    }

    /**
     * Returns the options for counters to settle.
     *
     * @param usual the options without settings, which depend on the way that the host is read
     * @throws IllegalArgumentException if the settings contradict each other
     */
    public static SettleOptions settling(Settings settings, SettleOptions usual) {
        Optional<Duration> interval = settings.value(Setting.SETTLE_INTERVAL);
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

    @Override
    public void close() {
        leases.close();
        platform.close();
    }
}
