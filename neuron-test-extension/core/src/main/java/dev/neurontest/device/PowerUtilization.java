package dev.neurontest.device;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * Power of a device over the last full minute, from {@code stats/power/utilization}. The driver changes it once per wall-clock
 * minute, so a short test does not see its own power.
 *
 * @param status whether the numbers mean anything
 * @param at when the minute ended; the epoch before the first one has
 * @param min smallest sample, in percent of the maximum power
 * @param max largest sample, in percent of the maximum power
 * @param average mean of the samples, in percent of the maximum power
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PowerUtilization(Status status, Instant at, double min, double max, double average) {

    /** Whether the driver stands by its numbers. */
    public enum Status {
        /** Enough samples were taken. */
        VALID,
        /** Not enough samples, or firmware that cannot tell: the numbers are 0 and mean nothing. */
        NO_DATA,
        /** The driver calls its own data invalid. */
        INVALID,
        /** {@code POWER_STATUS_MAX} of the driver, which is the end of its list of states. */
        MAX
    }
}
