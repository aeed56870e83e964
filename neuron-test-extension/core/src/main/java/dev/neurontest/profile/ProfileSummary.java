package dev.neurontest.profile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apiguardian.api.API;

/**
 * The summary of one graph from {@code view --output-format summary-json}. Every field is optional; unknown fields are kept.
 *
 * @param key the tool's name of the graph: {@code n_} and a hash
 * @param values numbers as {@link Double}, texts as {@link String}, in the order of the tool
 * @param oddities values that cannot be kept as a number, such as {@code total_time: NaN}: the metric, a colon, the value
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProfileSummary(String key, Map<String, Object> values, List<String> oddities) {

    /**
     * The summary of a trace without one.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static final ProfileSummary NONE = new ProfileSummary("", Map.of(), List.of());

    /**
     * Creates a summary with its own copies.
     *
     * @param key the tool's name of the graph
     * @param values values by metric
     * @param oddities values that cannot be kept as a number
     */
    public ProfileSummary {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        oddities = List.copyOf(oddities);
    }

    /**
     * Returns a number in the tool's unit: seconds, bytes, a fraction of 1.
     *
     * @param metric the name in the tool, such as {@code total_time}
     * @return empty when the value is absent, not a number, or negative; the tools write negative numbers for "not available"
     */
    public OptionalDouble number(String metric) {
        return values.get(metric) instanceof Double number && number >= 0 && Double.isFinite(number)
                ? OptionalDouble.of(number)
                : OptionalDouble.empty();
    }

    /**
     * Returns a text from the tool.
     *
     * @param metric the name in the tool, such as {@code profiler_version}
     * @return empty when the value is absent or a number
     */
    public Optional<String> text(String metric) {
        return values.get(metric) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /**
     * Returns the unusable value of a metric.
     *
     * @param metric the name in the tool
     * @return a value such as {@code NaN}; empty when there is none
     */
    public Optional<String> oddity(String metric) {
        String head = metric + ": ";
        return oddities.stream()
                .filter(oddity -> oddity.startsWith(head))
                .map(oddity -> oddity.substring(head.length()))
                .findFirst();
    }
}
