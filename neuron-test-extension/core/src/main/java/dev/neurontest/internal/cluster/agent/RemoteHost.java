package dev.neurontest.internal.cluster.agent;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.lease.Leases;
import dev.neurontest.internal.open.OpenHost;
import dev.neurontest.internal.platform.Platform;
import org.apiguardian.api.API;

/**
 * A host of a cluster, as its agent shows it.
 *
 * @param agent the connection to its agent
 * @param host its devices
 * @param leases the leases of its cores
 * @param settling the options for counters to settle
 * @param counters the readable counters of its cores
 * @param kernelLog its kernel log
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RemoteHost(
        AgentConnection agent,
        NeuronHost host,
        Leases leases,
        SettleOptions settling,
        CounterScopes counters,
        KernelLog kernelLog) {

    /**
     * Discovers the devices of a host.
     *
     * @param settings the settings of this JVM
     */
    public static RemoteHost of(AgentConnection agent, Settings settings) {
        NeuronHost host = Platform.discover(agent.tree(), settings);
        return new RemoteHost(
                agent,
                host,
                new RemoteLeases(agent, host),
                OpenHost.settling(settings, SettleOptions.ON_FILES),
                new CounterScopes(host),
                KernelLog.of(host, agent.kernelMessages()));
    }

    /** Returns the name of the host in messages. */
    public String name() {
        return agent.host();
    }
}
