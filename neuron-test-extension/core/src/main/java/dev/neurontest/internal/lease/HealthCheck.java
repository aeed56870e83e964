package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import java.util.Optional;
import org.apiguardian.api.API;

/** A check whether a core in quarantine works again. */
@API(status = API.Status.INTERNAL, since = "0.1")
@FunctionalInterface
public interface HealthCheck {

    /**
     * Checks a core that no test holds. Only one JVM of the table checks a core at a time. The caller holds no lock. The check
     * runs on the thread of a holder that releases the core or of a waiter that needs it, and may take long.
     *
     * @param core the core in quarantine
     * @param why the quarantine of the core
     * @return the problem of the core; empty if the core works, and then it can be leased again
     */
    Optional<String> trouble(NeuronCore core, Quarantine why);

    /**
     * Checks whether this check can restore a core with suspect hardware. If it can, a test that needs such a core waits while
     * its device is in use. Otherwise the request fails at once.
     *
     * @return true by default
     */
    default boolean heals() {
        return true;
    }
}
