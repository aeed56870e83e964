package dev.neurontest.profile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apiguardian.api.API;

/**
 * What {@code view --output-format summary-json} says about one graph. Every field is optional; unknown ones are kept.
 *
 * @param key what the tool calls it: {@code n_} and a hash
 * @param values numbers as {@link Double}, texts as {@link String}, in the order in which the tool wrote them
 * @param oddities what was written and is not kept as a number, such as {@code total_time: NaN}: the metric, a colon, the rest
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProfileSummary(String key, Map<String, Object> values, List<String> oddities) {

    /** For a trace of which there is no summary. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static final ProfileSummary NONE = new ProfileSummary("", Map.of(), List.of());

    /**
     * Keeps its own copies.
     *
     * @param key what the tool calls it
     * @param values by metric
     * @param oddities what is not kept as a number
     */
    public ProfileSummary {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        oddities = List.copyOf(oddities);
    }

    /**
     * Returns a number as the tool wrote it: seconds, bytes, a fraction of 1.
     *
     * @param metric as the tool names it, such as {@code total_time}
     * @return empty when it is absent, no number, or a negative one, which the tools write for "not available"
     */
    public OptionalDouble number(String metric) {
        return values.get(metric) instanceof Double number && number >= 0 && Double.isFinite(number)
                ? OptionalDouble.of(number)
                : OptionalDouble.empty();
    }

    /**
     * Returns a text as the tool wrote it.
     *
     * @param metric as the tool names it, such as {@code profiler_version}
     * @return empty when it is absent or a number
     */
    public Optional<String> text(String metric) {
        return values.get(metric) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /**
     * What is odd about a metric.
     *
     * @param metric as the tool names it
     * @return such as {@code NaN}; empty when nothing is
     */
    public Optional<String> oddity(String metric) {
        String head = metric + ": ";
        return oddities.stream()
                .filter(oddity -> oddity.startsWith(head))
                .map(oddity -> oddity.substring(head.length()))
                .findFirst();
    }
}
