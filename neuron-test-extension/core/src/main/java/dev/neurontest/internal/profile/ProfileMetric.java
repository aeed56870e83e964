package dev.neurontest.internal.profile;

import dev.neurontest.metric.Metric;
import org.apiguardian.api.API;

/**
 * A metric that the tools are known to write.
 *
 * @param metric name, unit, direction and noise
 * @param since the version of the tools that first showed it, such as {@code 2.25}; {@code explorer} when only the newer
 *     {@code neuron-explorer} has it
 * @param inSchema whether the schema that {@code neuron-explorer} 2.32 prints has it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfileMetric(Metric metric, String since, boolean inSchema) {

    /**
     * As the tool writes it.
     *
     * @return such as {@code total_time}
     */
    public String name() {
        return metric.name();
    }
}
