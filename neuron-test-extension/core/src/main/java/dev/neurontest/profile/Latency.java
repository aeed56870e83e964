package dev.neurontest.profile;

import org.apiguardian.api.API;

/**
 * The kinds of execution time. They are three different quantities. The same change of a kernel can shorten one and lengthen another,
 * therefore none replaces another.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Latency {
    /** The time from the start of the device to its end, with idle gaps ({@code total_time}). Every known tool writes it. */
    TOTAL(MetricNames.TOTAL_TIME),
    /**
     * The time from the first to the last working instruction or packet, without set-up ({@code total_exec_time}). Newer tools write it.
     */
    EXECUTION(MetricNames.TOTAL_EXEC_TIME),
    /** The time in which any unit works, without idle gaps ({@code total_active_time}). */
    ACTIVE(MetricNames.TOTAL_ACTIVE_TIME);

    private final String metric;

    Latency(String metric) {
        this.metric = metric;
    }

    /**
     * Returns the metric of this latency.
     *
     * @return the name in the tool, such as {@code total_time}
     */
    public String metric() {
        return metric;
    }
}
