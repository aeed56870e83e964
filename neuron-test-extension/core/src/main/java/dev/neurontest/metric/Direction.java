package dev.neurontest.metric;

import org.apiguardian.api.API;

/** The direction in which a metric improves. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Direction {
    /** Lower is better, as for time and spilled bytes. */
    LOWER,
    /** Higher is better, as for utilization. */
    HIGHER,
    /** Dependent on the purpose of the model, as for the share of time in which an engine works. */
    DEPENDS,
    /** A descriptive value without a direction, such as the flops of the source graph. */
    NEITHER
}
