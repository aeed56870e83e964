package dev.neurontest.metric;

import org.apiguardian.api.API;

/** Which way a metric gets better. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Direction {
    /** Less is better, such as time and spilled bytes. */
    LOWER,
    /** More is better, such as utilisation. */
    HIGHER,
    /** Depends on what the model is meant to do, such as the share of time in which an engine works. */
    DEPENDS,
    /** Neither: it describes, such as the flops of the source graph. */
    NEITHER
}
