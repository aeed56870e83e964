package dev.neurontest.internal.profile;

import dev.neurontest.metric.Metric;
import org.apiguardian.api.API;

/**
 * A metric that the tools write.
 *
 * @param since the version of the tools that introduced it, such as {@code 2.25}; {@code explorer} when only the newer
 *     {@code neuron-explorer} writes it
 * @param inSchema true if the schema that {@code neuron-explorer} 2.32 prints contains it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfileMetric(Metric metric, String since, boolean inSchema) {

    /** Returns the name in the tool, such as {@code total_time}. */
    public String name() {
        return metric.name();
    }
}
