package dev.neurontest.internal.samples;

import dev.neurontest.baseline.Samples.Clock;
import dev.neurontest.metric.Direction;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The {@code benchmark_report.json} of NeuronX Distributed Inference: aggregates for each part of the model, by the clock of the host. A
 * part that was never called is null.
 */
final class Nxdi implements ResultFormat {

    private static final String LATENCY = "latency_ms_";
    private static final String THROUGHPUT = "throughput";

    /** The members of each part. They are requested from a part that is null, too. */
    private static final List<String> MEMBERS = List.of(
            LATENCY + "p50",
            LATENCY + "p90",
            LATENCY + "p95",
            LATENCY + "p99",
            LATENCY + "p100",
            LATENCY + "avg",
            THROUGHPUT);

    @Override
    public String name() {
        return "NxDI benchmark_report.json";
    }

    @Override
    public boolean matches(Map<String, Object> entry) {
        return !entry.isEmpty()
                && entry.entrySet().stream()
                        .allMatch(part -> part.getKey().endsWith("_model")
                                && (part.getValue() == ResultJson.Null.NULL
                                        || ResultJson.object(part.getValue())
                                                .filter(members -> members.keySet().stream()
                                                        .anyMatch(key -> key.startsWith(LATENCY)))
                                                .isPresent()));
    }

    @Override
    public ResultContent read(List<Map<String, Object>> entries, Instant started) {
        ResultContent content = new ResultContent();
        ResultFormat.only(entries, content).forEach((part, value) -> {
            Map<String, Object> members = ResultJson.object(value).orElse(Map.of());
            Set<String> names = new LinkedHashSet<>(members.isEmpty() ? MEMBERS : members.keySet());
            for (String name : names) {
                if (name.startsWith(LATENCY)) {
                    series(content, part, name, members, FileUnit.MILLISECONDS, Direction.LOWER);
                } else if (name.equals(THROUGHPUT)) {
                    series(content, part, name, members, FileUnit.PER_SECOND, Direction.HIGHER);
                }
            }
        });
        return content;
    }

    private static void series(
            ResultContent content,
            String part,
            String member,
            Map<String, Object> members,
            FileUnit fileUnit,
            Direction better) {
        String key = part + "." + member;
        content.with(
                key,
                () -> members.isEmpty()
                        ? Series.absent(
                                key,
                                fileUnit,
                                better,
                                Clock.HOST,
                                "%s is null: it was never called. Run the benchmark of this part, or request another one"
                                        .formatted(part))
                        : Series.aggregate(key, members.get(member), fileUnit, better, Clock.HOST));
    }
}
