package dev.neurontest.baseline;

import dev.neurontest.baseline.Comparison.Ratio;
import dev.neurontest.json.Json;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.io.StringWriter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;

/**
 * A comparison as JSON, as run files carry it.
 *
 * <p>Version 1: {@code testClass}, {@code test}, {@code metric} ({@code name}, {@code unit}, {@code better}, {@code noise}), {@code stack} (parts),
 * {@code outcome}, {@code reason}, {@code margin}, {@code baseline} and {@code sample} ({@code runs}, {@code iterationsPerRun}), {@code ratio} ({@code low},
 * {@code value}, {@code high}), {@code improved}, {@code looks}, {@code rejected}, {@code decides}, {@code file}, {@code nearest} (parts), {@code update},
 * {@code notes}. {@code baseline}, {@code ratio} and {@code nearest} are left out where there are none. Names of constants are in lower case, numbers in the
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
        StringWriter text = new StringWriter();
        try (JsonGenerator json = Json.generator(text)) {
            new ComparisonJson(json).comparison(comparison);
        }
        return text.toString();
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
        strings("rejected", comparison.rejected());
        json.writeStringProperty("decides", comparison.decides());
        json.writeStringProperty("file", comparison.file());
        comparison.nearest().ifPresent(nearest -> stack("nearest", nearest));
        json.writeStringProperty("update", comparison.update());
        strings("notes", comparison.notes());
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

    private void strings(String name, Collection<String> values) {
        json.writeArrayPropertyStart(name);
        values.forEach(json::writeString);
        json.writeEndArray();
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
        try {
            return comparison(JsonMembers.parse(text));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("a comparison is no JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static Comparison comparison(JsonMembers members) {
        int version = members.whole("version");
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "a comparison of version %d cannot be read, only of version %d".formatted(version, VERSION));
        }
        JsonMembers metric = members.object("metric");
        return new Comparison(
                new BaselineKey(members.text("testClass"), members.text("test"), metric.text("name")),
                new Metric(
                        metric.text("name"),
                        metric.constant("unit", Unit.class),
                        metric.constant("better", Direction.class),
                        metric.constant("noise", Noise.class)),
                Stack.of(members.object("stack").texts()),
                members.constant("outcome", ComparisonOutcome.class),
                members.text("reason"),
                new Fraction(members.number("margin")),
                members.optionalObject("baseline").map(ComparisonJson::sample),
                sample(members.object("sample")),
                members.optionalObject("ratio").map(ComparisonJson::ratio),
                members.truth("improved"),
                members.list("looks", JsonMembers::wholeNumber),
                members.list("rejected", JsonMembers::string),
                members.text("decides"),
                members.text("file"),
                members.optionalObject("nearest").map(nearest -> Stack.of(nearest.texts())),
                members.text("update"),
                members.list("notes", JsonMembers::string));
    }

    private static Sample sample(JsonMembers members) {
        List<Double> runs = members.list("runs", JsonMembers::realNumber);
        return new Sample(runs, members.whole("iterationsPerRun"));
    }

    private static Ratio ratio(JsonMembers members) {
        return new Ratio(members.number("low"), members.number("value"), members.number("high"));
    }
}
