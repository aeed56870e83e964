package dev.neurontest.internal.samples;

import static dev.neurontest.internal.samples.FileUnit.COUNT;
import static dev.neurontest.internal.samples.FileUnit.MILLISECONDS;

import dev.neurontest.baseline.Samples.Clock;
import dev.neurontest.metric.Direction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The {@code BenchmarkResult} of nrtpy or nkipy as a JSON object, with the member {@code mode}: the times of the device and of the host
 * are different quantities.
 */
final class Nrtpy implements ResultFormat {

    private static final String DURATIONS = "durations_ms";
    private static final String MEAN = "mean_ms";
    private static final String ITERATIONS = "iterations";

    @Override
    public String name() {
        return "nrtpy BenchmarkResult";
    }

    @Override
    public boolean matches(Map<String, Object> entry) {
        return entry.keySet().containsAll(Set.of(MEAN, "min_ms", "max_ms"));
    }

    @Override
    public ResultContent read(List<Map<String, Object>> entries, Instant started) {
        ResultContent content = new ResultContent();
        Map<String, Object> result = ResultFormat.only(entries, content);
        Clock clock = switch (ResultJson.text(result.get("mode")).orElse("")) {
            case "device" -> Clock.DEVICE;
            case "host" -> Clock.HOST;
            default -> Clock.UNKNOWN;
        };
        if (clock == Clock.UNKNOWN) {
            content.incomplete(
                    "the member mode is not \"device\" or \"host\". Write the mode of benchmark() into the file: times of the two are never compared");
        }
        Series latency = ResultJson.list(result.get(DURATIONS))
                .map(durations -> Series.raw(DURATIONS, durations, MILLISECONDS, Direction.LOWER, clock)
                        .expecting(ITERATIONS, result.get(ITERATIONS))
                        .comparedWith(MEAN, result.get(MEAN), MILLISECONDS))
                .orElseGet(() -> Series.aggregate(MEAN, result.get(MEAN), MILLISECONDS, Direction.LOWER, clock)
                        .ofExecutions(ITERATIONS, result.get(ITERATIONS)));
        content.with("latency", () -> latency);
        for (String key : List.of(MEAN, "min_ms", "max_ms", "std_dev_ms")) {
            Direction better = key.equals("std_dev_ms") ? Direction.NEITHER : Direction.LOWER;
            content.with(
                    key,
                    () -> Series.aggregate(key, result.get(key), MILLISECONDS, better, clock)
                            .summarizing(latency));
        }
        for (String key : List.of(ITERATIONS, "warmup_iterations")) {
            content.with(key, () -> Series.aggregate(key, result.get(key), COUNT, Direction.NEITHER, clock));
        }
        return content;
    }
}
