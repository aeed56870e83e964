package dev.neurontest.internal.samples;

import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.baseline.Samples.Clock;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.text.NearestName;
import dev.neurontest.metric.Direction;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The format of this project, which any program can print or write: one object for each name. {@code docs/baselines.md} documents its
 * members. A misspelt member is an error, because a wrong number of failures would pass.
 */
final class OwnSamples implements ResultFormat {

    /** The member that marks the format; its value is the version. */
    static final String MARK = "neuron_test_samples";

    private static final double VERSION = 1;

    private static final Set<String> MEMBERS = Set.of(
            MARK,
            "name",
            "unit",
            "better",
            "clock",
            "values",
            "aggregate",
            "asked",
            "completed",
            "failed",
            "conditions");

    @Override
    public String name() {
        return MARK;
    }

    @Override
    public boolean matches(Map<String, Object> entry) {
        return entry.containsKey(MARK);
    }

    @Override
    public ResultContent read(List<Map<String, Object>> entries, Instant started) {
        ResultContent content = new ResultContent();
        Map<String, String> conditions = new TreeMap<>();
        for (Map<String, Object> entry : entries) {
            check(entry);
            String name = required(entry, "name");
            Optional<Map<String, Object>> ofEntry = ResultJson.object(entry.get("conditions"));
            ofEntry.ifPresent(members -> members.forEach((key, value) -> {
                String text = ResultJson.text(value)
                        .orElseThrow(() -> new JsonException(
                                "the condition %s of %s is not a text, number or boolean".formatted(key, name)));
                String former = conditions.put(key, text);
                if (former != null && !former.equals(text)) {
                    content.incomplete("two entries have different conditions: %s is %s and %s. Write a file for each"
                            .formatted(key, former, text));
                }
            }));
            content.with(name, () -> series(entry, name));
        }
        conditions.forEach(content::condition);
        return content;
    }

    private static void check(Map<String, Object> entry) {
        if (!Double.valueOf(VERSION).equals(entry.get(MARK))) {
            throw new JsonException("%s is %s, but this version reads 1"
                    .formatted(MARK, ResultJson.shortened(String.valueOf(entry.get(MARK)))));
        }
        for (String member : entry.keySet()) {
            if (!MEMBERS.contains(member)) {
                throw new JsonException("has the unknown member \"%s\"%s"
                        .formatted(
                                member,
                                NearestName.of(member, MEMBERS)
                                        .map(", did you mean \"%s\"?"::formatted)
                                        .orElse("")));
            }
        }
        unit(entry);
        better(entry);
        clock(entry);
        if (entry.containsKey("aggregate")) {
            required(entry, "aggregate");
        }
        if (!(entry.get("values") instanceof List)) {
            throw new JsonException("needs a list \"values\"");
        }
        if (entry.containsKey("conditions")
                && ResultJson.object(entry.get("conditions")).isEmpty()) {
            throw new JsonException("needs an object \"conditions\"");
        }
        for (String count : List.of("asked", "completed", "failed")) {
            Object value = entry.get(count);
            if (value != null && ResultJson.count(value).isEmpty()) {
                throw new JsonException("\"%s\" is %s, expected a whole number"
                        .formatted(count, ResultJson.shortened(value.toString())));
            }
        }
    }

    private static String required(Map<String, Object> entry, String member) {
        return Optional.ofNullable(entry.get(member))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> new JsonException("needs a text \"%s\"".formatted(member)));
    }

    private static FileUnit unit(Map<String, Object> entry) {
        String unit = required(entry, "unit");
        return FileUnit.of(unit).orElseThrow(() -> unknown("unit", unit, FileUnit.symbols()));
    }

    private static Direction better(Map<String, Object> entry) {
        String better = required(entry, "better");
        return switch (better) {
            case "lower" -> Direction.LOWER;
            case "higher" -> Direction.HIGHER;
            case "neither" -> Direction.NEITHER;
            default -> throw unknown("better", better, List.of("lower", "higher", "neither"));
        };
    }

    private static Clock clock(Map<String, Object> entry) {
        String clock = required(entry, "clock");
        return switch (clock) {
            case "device", "host", "client" -> Clock.valueOf(clock.toUpperCase(Locale.ROOT));
            default -> throw unknown("clock", clock, List.of("device", "host", "client"));
        };
    }

    private static JsonException unknown(String member, String value, Collection<String> known) {
        return new JsonException("\"%s\" is \"%s\", expected one of %s"
                .formatted(member, ResultJson.shortened(value), String.join(", ", known)));
    }

    private static Series series(Map<String, Object> entry, String name) {
        List<Object> values = ResultJson.list(entry.get("values")).orElseThrow();
        Series series = Series.raw("values", values, unit(entry), better(entry), clock(entry));
        Optional<String> aggregate = ResultJson.text(entry.get("aggregate"));
        aggregate.ifPresent(series::aggregated);
        if (entry.get("failed") instanceof Double failed && failed > 0) {
            series.doubt(
                    SampleDoubt.Kind.FAILED, "%s of the executions of %s failed".formatted(Math.round(failed), name));
        }
        @Nullable Object asked = entry.get("asked");
        @Nullable Object completed = entry.get("completed");
        if (aggregate.isEmpty()) {
            series.expecting("completed", completed);
        }
        Optional<Double> done = aggregate.isEmpty() && completed == null
                ? Optional.of((double) values.size())
                : ResultJson.count(completed);
        if (asked != null && done.isEmpty()) {
            series.incomplete(
                    "asked is %s, but completed is absent, so the number of completed executions of %s is unknown"
                            .formatted(ResultJson.shown(asked), name));
        } else if (asked != null && !done.equals(ResultJson.count(asked))) {
            series.incomplete("%s of %s executions of %s completed"
                    .formatted(ResultJson.shown(done.orElseThrow()), ResultJson.shown(asked), name));
        } else if (completed != null && done.orElse(0.0) == 0) {
            series.incomplete("no execution of %s completed".formatted(name));
        }
        return series;
    }
}
