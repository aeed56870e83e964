package dev.neurontest.internal.lifecycle.host;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.UnreadableTopologyException;
import dev.neurontest.internal.lifecycle.lease.LeaseJournal;
import dev.neurontest.internal.open.OpenHost;
import dev.neurontest.internal.plan.CoreSlot;
import dev.neurontest.internal.platform.Platform;
import java.util.Collection;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The host of a session and the services that belong to it.
 *
 * @param openHost the host
 * @param tool the profiler tool, which is searched for on first use
 * @param leftProcesses the processes that tests left on its devices
 * @param event the description of the host in the run file
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostServices(
        OpenHost openHost, ToolSearch tool, LeftProcesses leftProcesses, RunEvent.PlatformChosen event)
        implements AutoCloseable {

    /**
     * Opens the host.
     *
     * @throws RuntimeException if there is none
     */
    public static HostServices open(Settings settings, RunFile runFile) {
        OpenHost opened = OpenHost.open(
                settings, new LeaseJournal(runFile), notice -> runFile.append(new RunEvent.Noticed(null, notice)));
        try {
            Platform platform = opened.platform();
            return new HostServices(
                    opened, new ToolSearch(platform, settings, runFile), new LeftProcesses(), describe(platform));
        } catch (RuntimeException failed) {
            opened.close();
            throw failed;
        }
    }

    public Platform platform() {
        return openHost.platform();
    }

    @Override
    public void close() {
        openHost.close();
    }

    /** Returns why the cores of these slots can never be identified on this host. A request that is merely too large is not a reason. */
    public Optional<String> unservable(Collection<CoreSlot> places) {
        for (CoreSlot place : places) {
            try {
                openHost.leases().check(place.request());
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
