package dev.neurontest.report.merge;

import dev.neurontest.json.Json;
import dev.neurontest.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The numbers in what the counter wing writes: the recording of a test, and the error counters of a host. */
final class CounterNumbers {

    /** The file that names the broken components of a device. */
    static final String UNHEALTHY = "unhealthy_components";

    private static final Set<String> ANSWERS = Set.of("violated", "allowed");

    private CounterNumbers() {}

    /** Gets how a counter moved; one that began again did so from 0. */
    interface Changes {
        void change(String counter, long before, long after);
    }

    static Map<String, Long> of(JsonObject counters) {
        Map<String, Long> numbers = new LinkedHashMap<>();
        try (JsonParser json = parser(counters)) {
            json.nextToken();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                if (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                    numbers.put(name, json.getNumberValue().longValue());
                } else {
                    json.skipChildren();
                }
            }
        }
        return numbers;
    }

    /** What could not be read. */
    static Set<String> unread(JsonObject counters) {
        Set<String> names = new LinkedHashSet<>();
        try (JsonParser json = parser(counters)) {
            json.nextToken();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                if (json.nextToken() == JsonToken.VALUE_NULL) {
                    names.add(name);
                } else {
                    json.skipChildren();
                }
            }
        }
        return names;
    }

    /** The texts of an object, by their names. */
    static Map<String, String> texts(JsonObject object) {
        Map<String, String> texts = new LinkedHashMap<>();
        try (JsonParser json = parser(object)) {
            json.nextToken();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                if (json.nextToken() == JsonToken.VALUE_STRING) {
                    texts.put(name, json.getString());
                } else {
                    json.skipChildren();
                }
            }
        }
        return texts;
    }

    /**
     * Passes on the error counters that a test answers for: those that moved on its own cores or devices and that it was failed
     * for, or allows.
     */
    static void answered(JsonObject recording, Changes changes) {
        try (JsonParser json = parser(recording)) {
            json.nextToken();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                JsonToken value = json.nextToken();
                if (name.equals("moved") && value == JsonToken.START_ARRAY) {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        change(json, changes);
                    }
                } else if (name.equals("health") && value == JsonToken.START_OBJECT) {
                    health(json, changes);
                } else {
                    json.skipChildren();
                }
            }
        }
    }

    private static void change(JsonParser json, Changes changes) {
        String place = "";
        String counter = "";
        String verdict = "";
        @Nullable Long before = null;
        @Nullable Long delta = null;
        boolean decreased = false;
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            JsonToken value = json.nextToken();
            switch (name) {
                case "place" -> place = json.getString();
                case "counter" -> counter = json.getString();
                case "verdict" -> verdict = json.getString();
                case "movement" -> decreased = json.getString().equals("decreased");
                case "before" -> before = number(json, value);
                case "delta" -> delta = number(json, value);
                default -> json.skipChildren();
            }
        }
        if (before != null && delta != null && ANSWERS.contains(verdict)) {
            long start = decreased ? 0 : before;
            changes.change(place + " " + counter, start, start + delta);
        }
    }

    private static void health(JsonParser json, Changes changes) {
        for (String device = json.nextName(); device != null; device = json.nextName()) {
            json.nextToken();
            String verdict = "";
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                json.nextToken();
                if (name.equals("verdict")) {
                    verdict = json.getString();
                }
            }
            if (ANSWERS.contains(verdict)) {
                changes.change(device + " " + UNHEALTHY, 0, 1);
            }
        }
    }

    private static @Nullable Long number(JsonParser json, JsonToken value) {
        return value == JsonToken.VALUE_NUMBER_INT ? json.getNumberValue().longValue() : null;
    }

    private static JsonParser parser(JsonObject object) {
        return Json.parser(object.text());
    }
}
