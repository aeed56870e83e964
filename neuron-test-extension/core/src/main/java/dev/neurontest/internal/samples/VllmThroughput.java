package dev.neurontest.internal.samples;

import static dev.neurontest.internal.samples.FileUnit.COUNT;
import static dev.neurontest.internal.samples.FileUnit.PER_SECOND;
import static dev.neurontest.internal.samples.FileUnit.SECONDS;

import dev.neurontest.baseline.Samples.Clock;
import dev.neurontest.metric.Direction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The result of {@code vllm bench throughput --output-json}: rates of the whole run. */
final class VllmThroughput implements ResultFormat {

    private static final String REQUESTS = "num_requests";
    private static final String TOKENS = "total_num_tokens";

    @Override
    public String name() {
        return "vllm bench throughput";
    }

    @Override
    public boolean matches(Map<String, Object> entry) {
        return entry.keySet().containsAll(Set.of("elapsed_time", REQUESTS, "requests_per_second"));
    }

    @Override
    public ResultContent read(List<Map<String, Object>> entries, Instant started) {
        ResultContent content = new ResultContent();
        Map<String, Object> result = ResultFormat.only(entries, content);
        content.conditions(result, REQUESTS, TOKENS);
        for (String key : List.of("requests_per_second", "tokens_per_second")) {
            content.with(
                    key,
                    () -> Series.aggregate(key, result.get(key), PER_SECOND, Direction.HIGHER, Clock.HOST)
                            .ofExecutions(REQUESTS, result.get(REQUESTS)));
        }
        for (String key : List.of(REQUESTS, TOKENS)) {
            content.with(key, () -> Series.aggregate(key, result.get(key), COUNT, Direction.NEITHER, Clock.HOST));
        }
        String elapsed = "elapsed_time";
        return content.with(
                elapsed, () -> Series.aggregate(elapsed, result.get(elapsed), SECONDS, Direction.NEITHER, Clock.HOST));
    }
}
