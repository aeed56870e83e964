package dev.neurontest.metric;

import org.apiguardian.api.API;

/**
 * What is measured.
 *
 * @param name as the tool writes it, such as {@code total_time}
 * @param unit what its number counts
 * @param better which way it gets better
 * @param noise how much it varies by itself
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Metric(String name, Unit unit, Direction better, Noise noise) {

    /**
     * Whether it is a time, which uses the slowest rank.
     *
     * @return true for seconds, nanoseconds and cycles
     */
    public boolean isTime() {
        return unit == Unit.SECONDS || unit == Unit.NANOSECONDS || unit == Unit.CYCLES;
    }
}
