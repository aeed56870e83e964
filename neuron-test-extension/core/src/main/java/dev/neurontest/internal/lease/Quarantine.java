package dev.neurontest.internal.lease;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * A core that no test gets, for a reason.
 *
 * @param core the name of the core
 * @param reason why, for a person, with the remedy
 * @param holder who held it then
 * @param pid the process of that holder
 * @param since when it began, by the system's clock
 * @param until what ends it
 * @param device what was read of its device when it began, see {@link DeviceReading}
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Quarantine(
        String core, String reason, String holder, long pid, Instant since, Until until, DeviceReading device) {

    /** The end of a quarantine. All but the first need a {@link HealthCheck}, which finds the core idle and its device well. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Until {
        /** The end of the processes that outlived their holder. */
        PROCESSES_END,
        /** The end of what may still drive the core, which only the JVM of its holder knows. */
        IDLE,
        /** Health and error counts of the device as before: the core is suspect, but nothing is proved. No reset is needed. */
        WELL,
        /** A reset of the device. Loading the driver resets it too. */
        RESET,
        /** A new start of the driver. */
        RELOAD,
        /** Another device in the place of this one. */
        REPLACED;

        /**
         * Whether the core is only suspect.
         *
         * @return false where something is known against it
         */
        public boolean isSuspect() {
            return this == WELL;
        }
    }

    @Override
    public String toString() {
        return core + ": " + reason + " (" + holder + ", pid " + pid + ", since " + since + ")";
    }
}
