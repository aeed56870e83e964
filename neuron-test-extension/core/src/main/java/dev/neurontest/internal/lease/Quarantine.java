package dev.neurontest.internal.lease;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * A core that cannot be leased, with the reason.
 *
 * @param core the name of the core
 * @param reason the reason and the remedy, for people
 * @param holder the holder of the core at that time
 * @param pid the process of that holder
 * @param since the start, by the system's clock
 * @param until the condition that ends the quarantine
 * @param device the reading of the device at the start, see {@link DeviceReading}
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Quarantine(
        String core, String reason, String holder, long pid, Instant since, Until until, DeviceReading device) {

    /**
     * The conditions that end a quarantine. All except the first require a {@link HealthCheck} that finds the core idle and its
     * device healthy.
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Until {
        /** The end of the processes that outlived their holder. */
        PROCESSES_END,
        /** The end of all activity on the core, which only the JVM of its holder can detect. */
        IDLE,
        /** Unchanged health and error counts of the device. The core is only suspect and needs no reset. */
        WELL,
        /** A reset of the device. Loading the driver also resets it. */
        RESET,
        /** A restart of the driver. */
        RELOAD,
        /** A replacement of the device. */
        REPLACED;

        /**
         * Checks whether the core is only suspect.
         *
         * @return false if a fault of the core is known
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
