package dev.neurontest.gate;

import dev.neurontest.text.NearestName;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Keys and values of gates as the user wrote them, understood one by one. */
final class GateWords {

    private final Map<Gate, GateLimit> limits = new EnumMap<>(Gate.class);
    private final Map<Gate, String> places = new HashMap<>();

    /**
     * @param where it stands, for what is wrong with it
     * @param source where the limit is from, for outcomes
     */
    void add(String where, String source, String key, String value) {
        String name = key.strip();
        Gate gate = Gate.of(name).orElseThrow(() -> new GateRulesException(where, unknown(name)));
        String before = places.putIfAbsent(gate, where);
        if (before != null) {
            throw new GateRulesException(
                    where, "%s has a value already, in %s. Remove one of the two.".formatted(name, before));
        }
        limits.put(gate, limit(gate, value.strip(), where, source));
    }

    private static GateLimit limit(Gate gate, String value, String where, String source) {
        try {
            return gate.limit(value, source);
        } catch (IllegalArgumentException e) {
            throw new GateRulesException(
                    where,
                    "%s is \"%s\": %s. Expected %s.".formatted(gate.key(), value, e.getMessage(), gate.accepts()),
                    e);
        }
    }

    private static String unknown(String name) {
        return "\"%s\" is no gate, %s"
                .formatted(
                        name,
                        NearestName.of(name, Gate.keys())
                                .map(nearest -> "did you mean " + nearest + "?")
                                .orElse("the gates are " + String.join(", ", Gate.keys()) + "."));
    }

    Map<Gate, GateLimit> limits() {
        return limits;
    }
}
