package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A lease whose JVM ended without giving it back.
 *
 * @param pid the JVM
 * @param holder who held it
 * @param cores which of this host's cores it held
 * @param since when it was granted, by the system's clock
 * @param survivors processes that used the cores and may live on; while they do, the cores are in quarantine
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeadHolder(long pid, String holder, List<NeuronCore> cores, Instant since, List<Long> survivors) {

    /**
     * Keeps its own copies.
     *
     * @param pid the JVM
     * @param holder who held it
     * @param cores which of this host's cores it held
     * @param since when it was granted, by the system's clock
     * @param survivors processes that used the cores and may live on; while they do, the cores are in quarantine
     */
    public DeadHolder {
        cores = List.copyOf(cores);
        survivors = List.copyOf(survivors);
    }
}
