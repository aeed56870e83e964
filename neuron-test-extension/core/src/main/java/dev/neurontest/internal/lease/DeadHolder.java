package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A lease held by a JVM that ended without releasing it.
 *
 * @param pid the JVM
 * @param holder the holder of the lease
 * @param cores the leased cores of this host
 * @param since the time of the grant, by the system's clock
 * @param survivors processes that used the cores and might still run; until they end, the cores are in quarantine
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeadHolder(long pid, String holder, List<NeuronCore> cores, Instant since, List<Long> survivors) {

    /** Creates the record with copies of the lists. */
    public DeadHolder {
        cores = List.copyOf(cores);
        survivors = List.copyOf(survivors);
    }
}
