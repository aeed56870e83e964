package dev.neurontest.baseline;

import dev.neurontest.json.Json;
import dev.neurontest.text.NearestName;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A value of a baseline file that knows where it is, so that whoever expected another one can say so.
 *
 * @param value a map, a list, a string, a number, a truth or null
 * @param pointer its JSON pointer
 */
record JsonValue(@Nullable Object value, Path file, int line, String pointer) {

    /** Reads a file that is one value to its end. */
    static JsonValue parse(byte[] content, Path file) {
        try (JsonParser parser = Json.parserWithoutDuplicates(content)) {
            if (parser.nextToken() == null) {
                throw BaselineException.unexpected(file, 1, "", "is empty", "a JSON object");
            }
            JsonValue value = value(parser, file, "");
            if (parser.nextToken() != null) {
                throw BaselineException.unexpected(
                        file, line(parser), "", "something follows the JSON object", "the end of the file");
            }
            return value;
        } catch (JacksonException broken) {
            throw BaselineException.broken(
                    file,
                    Math.max(1, broken.getLocation().getLineNr()),
                    broken.getOriginalMessage().lines().findFirst().orElse("is not JSON"),
                    broken);
        }
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    private static JsonValue value(JsonParser parser, Path file, String pointer) {
        int line = line(parser);
        Object value = switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                    parser.nextToken();
                    String escaped = name.replace("~", "~0").replace("/", "~1");
                    members.put(name, value(parser, file, pointer + "/" + escaped));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<JsonValue> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(value(parser, file, pointer + "/" + elements.size()));
                }
                yield elements;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_NULL -> null;
            default -> parser.getString();
        };
        return new JsonValue(value, file, line, pointer);
    }

    BaselineException unexpected(String expected) {
        return unexpected("is " + shown(), expected);
    }

    BaselineException unexpected(String found, String expected) {
        return BaselineException.unexpected(file, line, pointer, found, expected);
    }

    private String shown() {
        if (value instanceof Map<?, ?>) {
            return "an object";
        }
        if (value instanceof List<?>) {
            return "an array";
        }
        return value instanceof String text ? "\"" + text + "\"" : String.valueOf(value);
    }

    /** Refuses members that nobody knows: a typing error would be lost otherwise. */
    JsonValue onlyWith(Collection<String> known) {
        object().forEach((name, member) -> {
            if (!known.contains(name)) {
                throw member.unexpected("is unknown", nearest(name, known));
            }
        });
        return this;
    }

    private static String nearest(String written, Collection<String> known) {
        return NearestName.of(written, known)
                .map(name -> "\"" + name + "\"")
                .orElse("one of " + String.join(", ", known));
    }

    Optional<JsonValue> find(String name) {
        return Optional.ofNullable(object().get(name));
    }

    JsonValue get(String name) {
        return find(name).orElseThrow(() -> unexpected("has no \"" + name + "\"", "an object with that member"));
    }

    String textOrEmpty(String name) {
        return find(name).map(JsonValue::text).orElse("");
    }

    @SuppressWarnings("unchecked")
    Map<String, JsonValue> object() {
        if (value instanceof Map<?, ?>) {
            return (Map<String, JsonValue>) value;
        }
        throw unexpected("an object");
    }

    @SuppressWarnings("unchecked")
    List<JsonValue> array() {
        if (value instanceof List<?>) {
            return (List<JsonValue>) value;
        }
        throw unexpected("an array");
    }

    String text() {
        if (value instanceof String text) {
            return text;
        }
        throw unexpected("a text");
    }

    /** No metric is negative. */
    double number() {
        if (value instanceof BigDecimal number && number.signum() >= 0 && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw unexpected("a number that is not negative");
    }

    int positive() {
        double number = number();
        if (number >= 1 && number <= Integer.MAX_VALUE && number == Math.rint(number)) {
            return (int) number;
        }
        throw unexpected("a whole number above 0");
    }

    /** A text that stands for one of these. */
    <T> T oneOf(T[] values, Function<T, String> naming) {
        String written = text();
        return Arrays.stream(values)
                .filter(each -> naming.apply(each).equals(written))
                .findFirst()
                .orElseThrow(() -> unexpected(
                        nearest(written, Arrays.stream(values).map(naming).toList())));
    }
}
