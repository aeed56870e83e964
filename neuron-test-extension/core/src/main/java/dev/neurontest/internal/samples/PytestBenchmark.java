package dev.neurontest.internal.samples;

import static dev.neurontest.internal.samples.FileUnit.SECONDS;

import dev.neurontest.baseline.Samples.Clock;
import dev.neurontest.metric.Direction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The result of {@code pytest --benchmark-json}: seconds, by the full name of each test. A value is the mean of {@code iterations} calls.
 * A test is absent if its benchmark raised an exception. It is there if it failed later; then only the exit code of pytest shows that.
 */
final class PytestBenchmark implements ResultFormat {

    private static final String BENCHMARKS = "benchmarks";
    private static final String MEDIAN = "median";

    @Override
    public String name() {
        return "pytest-benchmark";
    }

    @Override
    public boolean matches(Map<String, Object> entry) {
        return entry.keySet().containsAll(Set.of("machine_info", BENCHMARKS));
    }

    @Override
    public ResultContent read(List<Map<String, Object>> entries, Instant started) {
        ResultContent content = new ResultContent();
        List<Object> benchmarks = ResultJson.list(
                        ResultFormat.only(entries, content).get(BENCHMARKS))
                .orElse(List.of());
        for (Object each : benchmarks) {
            Map<String, Object> benchmark = ResultJson.object(each).orElse(Map.of());
            Map<String, Object> stats =
                    ResultJson.object(benchmark.get("stats")).orElse(Map.of());
            ResultJson.text(benchmark.get("fullname")).ifPresent(name -> content.with(name, () -> series(stats)));
        }
        return content;
    }

    private static Series series(Map<String, Object> stats) {
        Optional<List<Object>> data = ResultJson.list(stats.get("data"));
        if (data.isEmpty()) {
            return Series.aggregate(MEDIAN, stats.get(MEDIAN), SECONDS, Direction.LOWER, Clock.HOST)
                    .ofExecutions("rounds", stats.get("rounds"))
                    .ofExecutions("iterations", stats.get("iterations"));
        }
        Series series = Series.raw("data", data.get(), SECONDS, Direction.LOWER, Clock.HOST)
                .expecting("rounds", stats.get("rounds"))
                .comparedWith(MEDIAN, stats.get(MEDIAN), SECONDS)
                .ofExecutions("iterations", stats.get("iterations"));
        return stats.get("iterations") instanceof Double iterations && iterations == 1
                ? series
                : series.aggregated("means of several calls");
    }
}
