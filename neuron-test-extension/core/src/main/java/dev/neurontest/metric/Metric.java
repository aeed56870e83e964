package dev.neurontest.metric;

import org.apiguardian.api.API;

/**
 * A measured metric.
 *
 * @param name the name in the tool, such as {@code total_time}
 * @param unit the unit of its number
 * @param better the direction in which it improves
 * @param noise its variation between equal runs
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Metric(String name, Unit unit, Direction better, Noise noise) {

    /**
     * Returns whether the metric is a time. For a time, the slowest rank counts.
     *
     * @return true for seconds, nanoseconds and cycles
     */
    public boolean isTime() {
        return unit == Unit.SECONDS || unit == Unit.NANOSECONDS || unit == Unit.CYCLES;
    }
}
