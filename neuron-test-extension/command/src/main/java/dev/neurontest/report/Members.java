package dev.neurontest.report;

import dev.neurontest.json.JsonObject;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Members of a JSON object that some JVM wrote, of whatever version: what is not there, or is something else than was asked for, is
 * empty.
 */
record Members(Map<?, ?> values) {

    static Members of(JsonObject object) {
        return new Members(object.members());
    }

    /** A string or a number as text. */
    String text(String name) {
        Object value = values.get(name);
        return value instanceof String || value instanceof Number ? value.toString() : "";
    }

    Optional<BigDecimal> number(String name) {
        return number(values.get(name));
    }

    boolean is(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    Members in(String name) {
        return values.get(name) instanceof Map<?, ?> members ? new Members(members) : new Members(Map.of());
    }

    List<Members> each(String name) {
        return elements(name)
                .filter(Map.class::isInstance)
                .map(members -> new Members((Map<?, ?>) members))
                .toList();
    }

    List<String> texts(String name) {
        return elements(name).map(String::valueOf).toList();
    }

    /** The members that are numbers. */
    Map<String, BigDecimal> numbers() {
        Map<String, BigDecimal> numbers = new LinkedHashMap<>();
        values.forEach((name, value) -> number(value).ifPresent(number -> numbers.put((String) name, number)));
        return numbers;
    }

    private Stream<?> elements(String name) {
        return values.get(name) instanceof List<?> list ? list.stream() : Stream.empty();
    }

    private static Optional<BigDecimal> number(Object value) {
        return value instanceof Number number ? Optional.of(new BigDecimal(number.toString())) : Optional.empty();
    }
}
