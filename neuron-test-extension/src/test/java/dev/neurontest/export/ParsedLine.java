package dev.neurontest.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A line of the line protocol, read strictly by its specification: fields are floats, a time is demanded. */
record ParsedLine(String measurement, Map<String, String> tags, Map<String, Double> fields, long time) {

    static ParsedLine of(String line) {
        List<String> parts = split(line, ' ');
        demand(parts.size() == 3, "three parts with spaces between", line);
        List<String> series = split(parts.get(0), ',');
        Map<String, String> tags = pairs(series.subList(1, series.size()), line);
        Map<String, Double> fields = pairs(split(parts.get(1), ','), line).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, field -> Double.valueOf(field.getValue())));
        String measurement = plain(series.get(0));
        demand(!measurement.isEmpty() && "_#".indexOf(measurement.charAt(0)) < 0, "a measurement", line);
        return new ParsedLine(measurement, tags, fields, Long.parseLong(parts.get(2)));
    }

    private static Map<String, String> pairs(List<String> pairs, String line) {
        Map<String, String> read = new TreeMap<>();
        for (String pair : pairs) {
            List<String> sides = split(pair, '=');
            demand(sides.size() == 2 && sides.stream().noneMatch(String::isEmpty), "name=value: " + pair, line);
            demand(read.put(plain(sides.get(0)), plain(sides.get(1))) == null, "a name once", line);
        }
        return read;
    }

    /** At every separator that no backslash is before. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>(List.of(""));
        for (int at = 0; at < text.length(); at++) {
            int last = parts.size() - 1;
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                parts.set(last, parts.get(last) + text.charAt(at) + text.charAt(++at));
            } else if (text.charAt(at) == separator) {
                parts.add("");
            } else {
                parts.set(last, parts.get(last) + text.charAt(at));
            }
        }
        return parts;
    }

    private static String plain(String escaped) {
        return escaped.replaceAll("\\\\([,= ])", "$1");
    }

    private static void demand(boolean met, String what, String line) {
        if (!met) {
            throw new IllegalArgumentException("expected " + what + " in " + line);
        }
    }
}
