package dev.neurontest.profile;

import java.util.Optional;
import java.util.OptionalDouble;
import org.apiguardian.api.API;

/** The values of metrics by their names, known or not. What a tool did not write is absent, which is not zero. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface MetricValues {

    /**
     * A number as the tool wrote it: seconds, bytes, a fraction of 1.
     *
     * @param metric as the tool names it, such as {@code total_time}
     * @return empty when it is absent, no number, or a negative one, which the tools write for "not available"
     */
    OptionalDouble number(String metric);

    /**
     * A text as the tool wrote it.
     *
     * @param metric as the tool names it, such as {@code profiler_version}
     * @return empty when it is absent or a number
     */
    Optional<String> text(String metric);
}
