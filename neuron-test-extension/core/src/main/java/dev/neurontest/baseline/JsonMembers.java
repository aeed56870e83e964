package dev.neurontest.baseline;

import dev.neurontest.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The members of a JSON object, each with what is expected of it.
 *
 * @param place of the object, such as {@code /metric}
 * @param members by name
 */
record JsonMembers(String place, Map<String, @Nullable Object> members) {

    static JsonMembers parse(String text) {
        try (JsonParser parser = Json.parser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("a JSON object is expected");
            }
            Map<String, @Nullable Object> members = object(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("only one JSON object is expected");
            }
            return new JsonMembers("", members);
        }
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            parser.nextToken();
            object.put(name, value(parser));
        }
        return object;
    }

    private static @Nullable Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_NULL -> null;
            default -> parser.getString();
        };
    }

    String text(String name) {
        return string(at(name), members.get(name));
    }

    double number(String name) {
        return realNumber(at(name), members.get(name));
    }

    int whole(String name) {
        return wholeNumber(at(name), members.get(name));
    }

    boolean truth(String name) {
        return expected(Boolean.class, "true or false", at(name), members.get(name));
    }

    <E extends Enum<E>> E constant(String name, Class<E> type) {
        String written = text(name);
        return Stream.of(type.getEnumConstants())
                .filter(constant -> lower(constant).equals(written))
                .findFirst()
                .orElseThrow(() -> unexpected(
                        Stream.of(type.getEnumConstants())
                                .map(JsonMembers::lower)
                                .collect(Collectors.joining(", ")),
                        at(name),
                        written));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    JsonMembers object(String name) {
        return optionalObject(name).orElseThrow(() -> unexpected("an object", at(name), null));
    }

    Optional<JsonMembers> optionalObject(String name) {
        Object value = members.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw unexpected("an object", at(name), value);
        }
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        map.forEach((key, each) -> object.put((String) key, each));
        return Optional.of(new JsonMembers(at(name), object));
    }

    /** All members, each a text. */
    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        members.keySet().forEach(name -> texts.put(name, text(name)));
        return texts;
    }

    /** Each element with its place. */
    <T> List<T> list(String name, BiFunction<String, @Nullable Object, T> element) {
        if (!(members.get(name) instanceof List<?> values)) {
            throw unexpected("a list", at(name), members.get(name));
        }
        List<T> list = new ArrayList<>();
        for (Object value : values) {
            list.add(element.apply(at(name) + "/" + list.size(), value));
        }
        return list;
    }

    static String string(String place, @Nullable Object value) {
        return expected(String.class, "a text", place, value);
    }

    static double realNumber(String place, @Nullable Object value) {
        double number = expected(Double.class, "a number", place, value);
        if (!Double.isFinite(number)) {
            throw unexpected("a finite number", place, value);
        }
        return number;
    }

    static int wholeNumber(String place, @Nullable Object value) {
        double number = realNumber(place, value);
        if (number != Math.rint(number) || Math.abs(number) > Integer.MAX_VALUE) {
            throw unexpected("a whole number", place, value);
        }
        return (int) number;
    }

    private String at(String name) {
        return place + "/" + name;
    }

    private static <T> T expected(Class<T> type, String what, String place, @Nullable Object value) {
        if (!type.isInstance(value)) {
            throw unexpected(what, place, value);
        }
        return type.cast(value);
    }

    private static IllegalArgumentException unexpected(String what, String place, @Nullable Object value) {
        return new IllegalArgumentException(
                "%s: expected %s and not %s".formatted(place, what, value == null ? "nothing" : value));
    }
}
