package dev.neurontest.internal.samples;

import static dev.neurontest.internal.samples.FileUnit.SECONDS;

import dev.neurontest.baseline.Samples.Clock;
import dev.neurontest.metric.Direction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The result of {@code vllm bench latency --output-json}: seconds, one value for each batch. */
final class VllmLatency implements ResultFormat {

    private static final String LATENCIES = "latencies";
    private static final String MEAN = "avg_latency";
    private static final String PERCENTILES = "percentiles";

    @Override
    public String name() {
        return "vllm bench latency";
    }

    @Override
    public boolean matches(Map<String, Object> entry) {
        return entry.keySet().containsAll(Set.of(MEAN, LATENCIES, PERCENTILES));
    }

    @Override
    public ResultContent read(List<Map<String, Object>> entries, Instant started) {
        ResultContent content = new ResultContent();
        Map<String, Object> result = ResultFormat.only(entries, content);
        Series latency = ResultJson.list(result.get(LATENCIES))
                .map(all -> Series.raw(LATENCIES, all, SECONDS, Direction.LOWER, Clock.HOST)
                        .comparedWith(MEAN, result.get(MEAN), SECONDS))
                .orElseGet(() -> aggregate(LATENCIES, result.get(LATENCIES)));
        content.with("latency", () -> latency);
        content.with(MEAN, () -> aggregate(MEAN, result.get(MEAN)).summarizing(latency));
        ResultJson.object(result.get(PERCENTILES))
                .ifPresent(percentiles -> percentiles.forEach((percent, value) -> {
                    String name = "%s.%s".formatted(PERCENTILES, percent);
                    content.with(name, () -> aggregate(name, value).summarizing(latency));
                }));
        return content;
    }

    private static Series aggregate(String key, Object value) {
        return Series.aggregate(key, value, SECONDS, Direction.LOWER, Clock.HOST);
    }
}
