package dev.neurontest.lease;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * A core that no test gets, for a reason.
 *
 * @param core the name of the core
 * @param reason why, for a person
 * @param holder who held it then
 * @param pid the process of that holder
 * @param since when it began, by the system's clock
 * @param ofHardware whether the hardware itself is suspect; otherwise a process may still be driving the core
 * @param untilProcessesEnd whether it ends by itself when the processes that outlived their holder have ended; otherwise only a
 *     {@link HealthCheck} ends it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Quarantine(
        String core,
        String reason,
        String holder,
        long pid,
        Instant since,
        boolean ofHardware,
        boolean untilProcessesEnd) {

    @Override
    public String toString() {
        return core + ": " + reason + " (" + holder + ", pid " + pid + ", since " + since + ")";
    }
}
