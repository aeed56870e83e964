package dev.neurontest.cluster;

import dev.neurontest.internal.cluster.rank.ClusterContext;
import dev.neurontest.internal.text.ListText;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The hosts of a test over several hosts, with leased cores on each of them. A test declares it as a parameter:
 *
 * <pre>{@code
 * @Test
 * void reduces(@Hosts(2) NeuronCluster cluster) {
 *     cluster.workloads().perCore("python", "all_reduce.py").run();
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronCluster implements AutoCloseable {

    private final List<ClusterHost> hosts;
    private final ClusterWorkloads workloads;

    /**
     * Creates the cluster of a test.
     *
     * @param context its hosts, and defaults of its workloads
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public NeuronCluster(ClusterContext context) {
        this.hosts = context.hosts().stream().map(ClusterHost::new).toList();
        this.workloads = new ClusterWorkloads(context);
    }

    /**
     * Returns the hosts.
     *
     * @return the hosts in the order of their ranks
     */
    public List<ClusterHost> hosts() {
        return hosts;
    }

    /**
     * Returns a host.
     *
     * @param name its name in the allocation
     * @return the host
     * @throws IllegalArgumentException if the test has no such host
     */
    public ClusterHost host(String name) {
        return hosts.stream()
                .filter(host -> host.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "The test has no host %s, only %s.".formatted(name, ListText.of(hosts))));
    }

    /**
     * Returns the launcher of workloads on all hosts.
     *
     * @return the same launcher at each call
     */
    public ClusterWorkloads workloads() {
        return workloads;
    }

    /** Stops the running workloads. This method can be called repeatedly. */
    @Override
    public void close() {
        workloads.close();
    }

    @Override
    public String toString() {
        return "cluster of " + ListText.of(hosts);
    }
}
