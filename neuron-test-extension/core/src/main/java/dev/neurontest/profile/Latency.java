package dev.neurontest.profile;

import org.apiguardian.api.API;

/**
 * Which time of an execution is meant by its latency. They are three quantities, not three names: the same change of a kernel can make
 * one shorter and another longer, so that none stands for another.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Latency {
    /** From the device's start to its end, idle gaps included ({@code total_time}); every known tool writes it. */
    TOTAL(MetricNames.TOTAL_TIME),
    /** From the first to the last working instruction or packet, without set-up ({@code total_exec_time}); newer tools write it. */
    EXECUTION(MetricNames.TOTAL_EXEC_TIME),
    /** The time in which anything works, without idle gaps ({@code total_active_time}). */
    ACTIVE(MetricNames.TOTAL_ACTIVE_TIME);

    private final String metric;

    Latency(String metric) {
        this.metric = metric;
    }

    /**
     * The metric that says it.
     *
     * @return as the tool names it, such as {@code total_time}
     */
    public String metric() {
        return metric;
    }
}
