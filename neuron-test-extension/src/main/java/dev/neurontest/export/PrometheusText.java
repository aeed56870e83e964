package dev.neurontest.export;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The numbers of a run in Prometheus' text format 0.0.4, without times, which a Pushgateway refuses. */
final class PrometheusText {

    /** Labels that Prometheus and the Pushgateway set themselves. */
    private static final Set<String> TAKEN = Set.of("job", "instance", "le", "quantile");

    /** Lines by what comes before the value: the same series twice is refused. */
    private final Map<String, Map<String, Double>> families = new LinkedHashMap<>();

    private PrometheusText() {}

    static String of(RunPoints points) {
        PrometheusText text = new PrometheusText();
        // what changes with every run is a label of one series only
        text.add(new Point("neuron.test.info", "1", points.about(), 1));
        points.points().forEach(text::add);
        return text.toString();
    }

    private void add(Point point) {
        String name = name(point.name());
        families.computeIfAbsent(name, absent -> new LinkedHashMap<>())
                .put(name + labels(point.labels()), point.value());
    }

    private static String labels(SortedMap<String, String> labels) {
        SortedMap<String, String> named = new TreeMap<>();
        labels.forEach((name, value) -> named.put(label(name), escaped(value)));
        return named.isEmpty()
                ? ""
                : named.entrySet().stream()
                        .map(label -> "%s=\"%s\"".formatted(label.getKey(), label.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
    }

    private static String label(String name) {
        String label = name(name);
        return TAKEN.contains(label) || label.startsWith("_") ? "neuron_" + label : label;
    }

    private static String name(String name) {
        String plain = name.replaceAll("[^a-zA-Z0-9_]", "_");
        return plain.isEmpty() || Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        families.forEach((name, lines) -> {
            text.append("# TYPE ").append(name).append(" gauge\n");
            lines.forEach((series, value) ->
                    text.append(series).append(' ').append(value).append('\n'));
        });
        return text.toString();
    }
}
