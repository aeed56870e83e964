package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import java.util.Optional;
import org.apiguardian.api.API;

/** Finds out whether a core in quarantine is well again. */
@API(status = API.Status.INTERNAL, since = "0.1")
@FunctionalInterface
public interface HealthCheck {

    /**
     * Looks at a core that no test holds. Of all who share the table only one looks at a core at a time. It is called without any
     * lock held, on the thread of a holder that gives the core back or of one that needs it, and may take long.
     *
     * @param core the core in quarantine
     * @param why what it is in quarantine for
     * @return what is wrong with it; empty when it is well, and then it is handed out again
     */
    Optional<String> trouble(NeuronCore core, Quarantine why);

    /**
     * Whether it can bring a core back whose hardware is suspect. A test that needs such a core waits, for as long as its device is in use,
     * when it can; otherwise it is told at once that the core is out.
     *
     * @return true unless it says otherwise
     */
    default boolean heals() {
        return true;
    }
}
