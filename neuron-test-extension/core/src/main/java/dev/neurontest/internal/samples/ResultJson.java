package dev.neurontest.internal.samples;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.VisibleText;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A parser of result files. Objects become maps, arrays lists, numbers doubles, and {@code null} becomes {@link Null}. NaN and infinite
 * numbers are allowed, because Python writes them.
 */
final class ResultJson {

    /** Maximum number of values, which limits the memory. A value takes some 24 bytes. */
    private static final int MOST_VALUES = 4_000_000;

    private static final int LONGEST_TEXT = 200;

    private static final double SMALLEST_PLAIN = 1e-12;
    private static final double LARGEST_PLAIN = 1e15;

    /** The value {@code null}, which differs from an absent member. */
    enum Null {
        NULL;

        @Override
        public String toString() {
            return "null";
        }
    }

    private final JsonParser parser;
    private int values;

    private ResultJson(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * Parses all values of a file, which may follow each other.
     *
     * @throws JsonException when the text is not JSON, breaks off, repeats a member, or has too many values
     */
    static List<Object> parse(String text) {
        try (JsonParser parser = Json.lenient(new StringReader(text))) {
            ResultJson json = new ResultJson(parser);
            List<Object> all = new ArrayList<>();
            while (parser.nextToken() != null) {
                all.add(json.value());
            }
            return all;
        } catch (JacksonException broken) {
            throw JsonException.of(broken);
        }
    }

    private Object value() {
        if (++values > MOST_VALUES) {
            throw new JsonException(
                    "has more than %s values, which no result of one run has".formatted(CountText.of(MOST_VALUES)));
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> Null.NULL;
            default -> parser.getString();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            if (members.put(name, value()) != null) {
                throw new JsonException("has the member \"%s\" twice, so its value is unknown".formatted(name));
            }
        }
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value());
        }
        return elements;
    }

    /** Returns the beginning of a text from a file, for messages and conditions. */
    static String shortened(String text) {
        return VisibleText.line(text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…");
    }

    /** Returns a value as an object. */
    @SuppressWarnings("unchecked")
    static Optional<Map<String, Object>> object(@Nullable Object value) {
        return value instanceof Map<?, ?> members ? Optional.of((Map<String, Object>) members) : Optional.empty();
    }

    /** Returns a value as a list; empty for other values. */
    @SuppressWarnings("unchecked")
    static Optional<List<Object>> list(@Nullable Object value) {
        return value instanceof List<?> elements ? Optional.of((List<Object>) elements) : Optional.empty();
    }

    /** Returns a number of executions, at least 0; empty for any other value. */
    static Optional<Double> count(@Nullable Object value) {
        return value instanceof Double number && number >= 0 && Double.isFinite(number) && number == Math.rint(number)
                ? Optional.of(number)
                : Optional.empty();
    }

    /** Returns the value of the last digit of a number, such as 0.001 for 3.142; at most 1. */
    static double lastDigit(double number) {
        return Double.isFinite(number)
                ? Math.pow(
                        10,
                        -Math.max(
                                0,
                                BigDecimal.valueOf(number).stripTrailingZeros().scale()))
                : 0;
    }

    /** Returns a value of a file for messages. */
    static String shown(@Nullable Object value) {
        return value == null
                ? "absent"
                : text(value).map(ResultJson::shortened).orElseGet(() -> shortened(value.toString()));
    }

    /** Returns a scalar as text, such as {@code 8} or {@code inf}; empty for absent values, null, objects and arrays. */
    static Optional<String> text(@Nullable Object value) {
        if (value instanceof Double number) {
            return Optional.of(
                    isPlain(number)
                            ? new BigDecimal(number.toString())
                                    .stripTrailingZeros()
                                    .toPlainString()
                            : number.toString());
        }
        return value instanceof String || value instanceof Boolean ? Optional.of(value.toString()) : Optional.empty();
    }

    /** Returns whether a number has few digits without an exponent. */
    private static boolean isPlain(double number) {
        return number == 0 || Math.abs(number) >= SMALLEST_PLAIN && Math.abs(number) <= LARGEST_PLAIN;
    }
}
