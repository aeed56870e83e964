package dev.neurontest.cluster;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.cluster.rank.ClusterContext.LeasedHost;
import java.util.List;
import org.apiguardian.api.API;

/** A host of a test over several hosts. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterHost {

    private final LeasedHost leased;

    ClusterHost(LeasedHost leased) {
        this.leased = leased;
    }

    /**
     * Returns the name of the host.
     *
     * @return the name in the allocation
     */
    public String name() {
        return leased.name();
    }

    /**
     * Returns the devices of the host.
     *
     * @return the devices, read by the agent of the host
     */
    public NeuronHost host() {
        return leased.host().host();
    }

    /**
     * Returns the cores that the test leases on the host.
     *
     * @return the cores ordered by index
     */
    public List<NeuronCore> cores() {
        return leased.lease().cores();
    }

    @Override
    public String toString() {
        return name();
    }
}
