package dev.neurontest.baseline.history;

import dev.neurontest.baseline.BaselineEntry;
import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.json.Json;
import dev.neurontest.json.JsonException;
import dev.neurontest.json.JsonValue;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.core.io.NumberOutput;

/**
 * The text of a baseline file. The same baselines always give the same text, and each has lines of its own, so that a
 * review shows what changed and nothing else.
 */
final class BaselineJson {

    static final int SCHEMA = 1;

    private static final int LONGEST_PLAIN_NUMBER = 25;

    private static final Unit[] UNITS =
            Arrays.stream(Unit.values()).filter(unit -> unit != Unit.TEXT).toArray(Unit[]::new);

    private static final List<String> FILE_MEMBERS = List.of("schema", "class", "entries");
    private static final List<String> ENTRY_MEMBERS = List.of(
            "test",
            "metric",
            "unit",
            "better",
            "noise",
            "stack",
            "neff",
            "iterationsPerRun",
            "runs",
            "recorded",
            "commit",
            "note",
            "history");
    private static final List<String> FORMER_MEMBERS = List.of("median", "recorded", "commit", "note");

    private BaselineJson() {}

    static BaselineFile read(byte[] content, Path file) {
        try {
            return read(JsonValue.parse(content), file);
        } catch (JsonException wrong) {
            throw BaselineException.unreadable(file, wrong);
        }
    }

    private static BaselineFile read(JsonValue whole, Path file) {
        requireKnownSchema(whole, file);
        whole.onlyWith(FILE_MEMBERS);
        String testClass = whole.get("class").text();
        BaselineFile read = BaselineFile.empty(testClass);
        for (JsonValue element : whole.get("entries").array()) {
            BaselineEntry entry = entry(testClass, element);
            if (read.find(entry.key(), entry.stack()).isPresent()) {
                throw element.unexpected(
                        "is a second baseline of %s on %s".formatted(entry.key(), entry.stack()), "one for each stack");
            }
            read = read.with(entry);
        }
        return read;
    }

    /** Before anything else: what a newer version added is not to be called a mistake. */
    private static void requireKnownSchema(JsonValue whole, Path file) {
        int schema = whole.get("schema").positive();
        if (schema > SCHEMA) {
            throw BaselineException.newer(file, schema, SCHEMA);
        }
    }

    private static BaselineEntry entry(String testClass, JsonValue json) {
        json.onlyWith(ENTRY_MEMBERS);
        Metric metric = new Metric(
                json.get("metric").text(),
                json.get("unit").oneOf(UNITS, Unit::symbol),
                json.get("better").oneOf(Direction.values(), BaselineJson::word),
                json.get("noise").oneOf(Noise.values(), BaselineJson::word));
        Map<String, String> stack = new TreeMap<>();
        json.get("stack").object().forEach((name, value) -> stack.put(name, value.text()));
        List<Double> runs =
                json.get("runs").array().stream().map(JsonValue::amount).toList();
        if (runs.isEmpty()) {
            throw json.get("runs").unexpected("is empty", "at least one number");
        }
        return new BaselineEntry(
                new BaselineKey(testClass, json.get("test").text(), metric.name()),
                metric,
                Stack.of(stack),
                new Sample(runs, json.get("iterationsPerRun").positive()),
                json.find("neff").map(JsonValue::text),
                json.get("recorded").date(),
                textOrEmpty(json, "commit"),
                textOrEmpty(json, "note"),
                json.find("history").map(JsonValue::array).orElse(List.of()).stream()
                        .map(BaselineJson::former)
                        .toList());
    }

    private static BaselineEntry.Former former(JsonValue json) {
        json.onlyWith(FORMER_MEMBERS);
        return new BaselineEntry.Former(
                json.get("median").amount(),
                json.get("recorded").date(),
                textOrEmpty(json, "commit"),
                textOrEmpty(json, "note"));
    }

    private static String textOrEmpty(JsonValue json, String name) {
        return json.find(name).map(JsonValue::text).orElse("");
    }

    static String write(BaselineFile file) {
        StringJoiner entries = new StringJoiner(",\n", "[\n", "\n  ]").setEmptyValue("[]");
        file.entries().forEach(entry -> entries.add(text(entry)));
        return "{\n  \"schema\": %s,\n  \"class\": %s,\n  \"entries\": %s\n}\n"
                .formatted(SCHEMA, quoted(file.testClass()), entries);
    }

    private static String text(BaselineEntry entry) {
        StringJoiner members = new StringJoiner(",\n      ", "    {\n      ", "\n    }");
        Metric metric = entry.metric();
        members.add(member("test", quoted(entry.key().test())));
        members.add(member("metric", quoted(metric.name())));
        members.add(member("unit", quoted(metric.unit().symbol())));
        members.add(member("better", quoted(word(metric.better()))));
        members.add(member("noise", quoted(word(metric.noise()))));
        members.add(member(
                "stack",
                entry.stack().parts().entrySet().stream()
                        .map(part -> member(part.getKey(), quoted(part.getValue())))
                        .collect(Collectors.joining(", ", "{", "}"))));
        entry.neff().ifPresent(neff -> members.add(member("neff", quoted(neff))));
        members.add(member("iterationsPerRun", Integer.toString(entry.sample().iterationsPerRun())));
        members.add(member(
                "runs",
                entry.sample().runs().stream().map(BaselineJson::number).collect(Collectors.joining(", ", "[", "]"))));
        members.add(member("recorded", quoted(entry.recorded().toString())));
        optional("commit", entry.commit()).ifPresent(members::add);
        optional("note", entry.note()).ifPresent(members::add);
        if (!entry.history().isEmpty()) {
            members.add(member(
                    "history",
                    entry.history().stream()
                            .map(BaselineJson::text)
                            .collect(Collectors.joining(",\n        ", "[\n        ", "\n      ]"))));
        }
        return members.toString();
    }

    private static String text(BaselineEntry.Former former) {
        StringJoiner members = new StringJoiner(", ", "{", "}");
        members.add(member("median", number(former.median())));
        members.add(member("recorded", quoted(former.recorded().toString())));
        optional("commit", former.commit()).ifPresent(members::add);
        optional("note", former.note()).ifPresent(members::add);
        return members.toString();
    }

    private static Optional<String> optional(String name, String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(member(name, quoted(text)));
    }

    private static String member(String name, String value) {
        return quoted(name) + ": " + value;
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The fewest digits that give the same number again. What the JDK gives is another text before and after JDK 19. */
    private static String number(double value) {
        String shortest = NumberOutput.toString(value, true);
        String plain = new BigDecimal(shortest).stripTrailingZeros().toPlainString();
        return plain.length() <= LONGEST_PLAIN_NUMBER ? plain : shortest;
    }

    private static String quoted(String text) {
        return Json.text(json -> json.writeString(text));
    }
}
