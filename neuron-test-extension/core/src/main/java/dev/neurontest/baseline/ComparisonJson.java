package dev.neurontest.baseline;

import dev.neurontest.baseline.Comparison.Accepted;
import dev.neurontest.baseline.Comparison.Ratio;
import dev.neurontest.json.Json;
import dev.neurontest.json.JsonValue;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apiguardian.api.API;
import tools.jackson.core.JsonGenerator;

/**
 * A comparison as JSON, as run files carry it.
 *
 * <p>Version 1: {@code testClass}, {@code test}, {@code metric} ({@code name}, {@code unit}, {@code better}, {@code noise}), {@code stack} (parts),
 * {@code outcome}, {@code reason}, {@code margin}, {@code baseline} and {@code sample} ({@code runs}, {@code iterationsPerRun}), {@code ratio} ({@code low},
 * {@code value}, {@code high}), {@code improved}, {@code looks}, {@code rejected}, {@code decides}, {@code file}, {@code nearest} (parts), {@code update},
 * {@code notes}, {@code accepted} ({@code median}, {@code recorded}, {@code note}), which older files lack. {@code baseline}, {@code ratio} and {@code nearest} are left out where there are none. Names of constants are in lower case, numbers in the
 * metric's unit and margins parts of one.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ComparisonJson {

    private static final int VERSION = 1;

    private final JsonGenerator json;

    private ComparisonJson(JsonGenerator json) {
        this.json = json;
    }

    /**
     * Writes a comparison.
     *
     * @param comparison what was compared
     * @return one JSON object
     */
    public static String write(Comparison comparison) {
        return Json.text(json -> new ComparisonJson(json).comparison(comparison));
    }

    private void comparison(Comparison comparison) {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("testClass", comparison.key().testClass());
        json.writeStringProperty("test", comparison.key().test());
        metric(comparison.metric());
        stack("stack", comparison.stack());
        json.writeStringProperty("outcome", name(comparison.outcome()));
        json.writeStringProperty("reason", comparison.reason());
        json.writeNumberProperty("margin", comparison.margin().value());
        comparison.baseline().ifPresent(sample -> sample("baseline", sample));
        sample("sample", comparison.sample());
        comparison.ratio().ifPresent(this::ratio);
        json.writeBooleanProperty("improved", comparison.improved());
        json.writeArrayPropertyStart("looks");
        comparison.looks().forEach(look -> json.writeNumber(look.intValue()));
        json.writeEndArray();
        Json.strings(json, "rejected", comparison.rejected());
        json.writeStringProperty("decides", comparison.decides());
        json.writeStringProperty("file", comparison.file());
        comparison.nearest().ifPresent(nearest -> stack("nearest", nearest));
        json.writeStringProperty("update", comparison.update());
        Json.strings(json, "notes", comparison.notes());
        json.writeArrayPropertyStart("accepted");
        comparison.accepted().forEach(this::accepted);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void accepted(Accepted accepted) {
        json.writeStartObject();
        json.writeNumberProperty("median", accepted.median());
        json.writeStringProperty("recorded", accepted.recorded().toString());
        json.writeStringProperty("note", accepted.note());
        json.writeEndObject();
    }

    private void metric(Metric metric) {
        json.writeObjectPropertyStart("metric");
        json.writeStringProperty("name", metric.name());
        json.writeStringProperty("unit", name(metric.unit()));
        json.writeStringProperty("better", name(metric.better()));
        json.writeStringProperty("noise", name(metric.noise()));
        json.writeEndObject();
    }

    private void stack(String name, Stack stack) {
        json.writeObjectPropertyStart(name);
        stack.parts().forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    private void sample(String name, Sample sample) {
        json.writeObjectPropertyStart(name);
        json.writeArrayPropertyStart("runs");
        sample.runs().forEach(run -> json.writeNumber(run.doubleValue()));
        json.writeEndArray();
        json.writeNumberProperty("iterationsPerRun", sample.iterationsPerRun());
        json.writeEndObject();
    }

    private void ratio(Ratio ratio) {
        json.writeObjectPropertyStart("ratio");
        json.writeNumberProperty("low", ratio.low());
        json.writeNumberProperty("value", ratio.value());
        json.writeNumberProperty("high", ratio.high());
        json.writeEndObject();
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a comparison. Members that it does not know are passed over.
     *
     * @param text one JSON object
     * @return the comparison
     * @throws IllegalArgumentException when it is no JSON, of another version, or lacks something; the message says what
     */
    public static Comparison read(String text) {
        return comparison(JsonValue.parse(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Comparison comparison(JsonValue json) {
        int version = json.get("version").whole();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "a comparison of version %s cannot be read, only of version %s".formatted(version, VERSION));
        }
        JsonValue metric = json.get("metric");
        return new Comparison(
                new BaselineKey(
                        json.get("testClass").text(),
                        json.get("test").text(),
                        metric.get("name").text()),
                new Metric(
                        metric.get("name").text(),
                        metric.get("unit").oneOf(Unit.values(), ComparisonJson::name),
                        metric.get("better").oneOf(Direction.values(), ComparisonJson::name),
                        metric.get("noise").oneOf(Noise.values(), ComparisonJson::name)),
                stack(json.get("stack")),
                json.get("outcome").oneOf(ComparisonOutcome.values(), ComparisonJson::name),
                json.get("reason").text(),
                new Fraction(json.get("margin").number()),
                json.find("baseline").map(ComparisonJson::sample),
                sample(json.get("sample")),
                json.find("ratio").map(ComparisonJson::ratio),
                json.get("improved").truth(),
                list(json.get("looks"), JsonValue::whole),
                list(json.get("rejected"), JsonValue::text),
                json.get("decides").text(),
                json.get("file").text(),
                json.find("nearest").map(ComparisonJson::stack),
                json.get("update").text(),
                list(json.get("notes"), JsonValue::text),
                json.find("accepted")
                        .map(all -> list(all, ComparisonJson::accepted))
                        .orElse(List.of()));
    }

    private static <T> List<T> list(JsonValue json, Function<JsonValue, T> element) {
        return json.array().stream().map(element).toList();
    }

    private static Stack stack(JsonValue json) {
        Map<String, String> parts = new LinkedHashMap<>();
        json.object().forEach((name, part) -> parts.put(name, part.text()));
        return Stack.of(parts);
    }

    private static Sample sample(JsonValue json) {
        return new Sample(
                list(json.get("runs"), JsonValue::number),
                json.get("iterationsPerRun").whole());
    }

    private static Accepted accepted(JsonValue json) {
        return new Accepted(
                json.get("median").number(),
                json.get("recorded").date(),
                json.get("note").text());
    }

    private static Ratio ratio(JsonValue json) {
        return new Ratio(
                json.get("low").number(),
                json.get("value").number(),
                json.get("high").number());
    }
}
