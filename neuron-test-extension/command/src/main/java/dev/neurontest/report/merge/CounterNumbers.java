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

    private CounterNumbers() {}

    /** Gets how a counter moved. */
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

    /** What a recording says about totals, be it the test's own doing or that of others. A counter that was cleared began at zero. */
    static void changes(JsonObject recording, Changes changes) {
        try (JsonParser json = parser(recording)) {
            json.nextToken();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                boolean wanted = name.equals("moved") || name.equals("foreign");
                if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        change(json, changes);
                    }
                } else {
                    json.skipChildren();
                }
            }
        }
    }

    private static void change(JsonParser json, Changes changes) {
        String place = "";
        String counter = "";
        @Nullable Long before = null;
        @Nullable Long after = null;
        boolean peak = false;
        boolean cleared = false;
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            JsonToken value = json.nextToken();
            switch (name) {
                case "place" -> place = json.getString();
                case "counter" -> counter = json.getString();
                case "field" -> peak = json.getString().equals("peak");
                case "movement" -> cleared = json.getString().equals("cleared");
                case "before" ->
                    before = value == JsonToken.VALUE_NUMBER_INT
                            ? json.getNumberValue().longValue()
                            : null;
                case "after" ->
                    after = value == JsonToken.VALUE_NUMBER_INT
                            ? json.getNumberValue().longValue()
                            : null;
                default -> json.skipChildren();
            }
        }
        if (before != null && after != null && !peak) {
            changes.change(place + " " + counter, cleared ? 0 : before, after);
        }
    }

    private static JsonParser parser(JsonObject object) {
        return Json.parser(object.text());
    }
}
