package dev.neurontest.export;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The numbers of a run in InfluxDB's line protocol, with nanoseconds. */
final class LineProtocol {

    private LineProtocol() {}

    static String of(RunPoints points) {
        StringBuilder text = new StringBuilder();
        points.points().forEach(point -> line(text, point, points));
        return text.toString();
    }

    private static void line(StringBuilder text, Point point, RunPoints points) {
        SortedMap<String, String> tags = new TreeMap<>(points.about());
        tags.putAll(point.labels());
        text.append(escaped(point.name()));
        for (Map.Entry<String, String> tag : tags.entrySet()) {
            // a tag without a value is an error
            if (!tag.getValue().isBlank()) {
                text.append(',').append(escaped(tag.getKey())).append('=').append(escaped(tag.getValue()));
            }
        }
        text.append(" value=")
                .append(point.value())
                .append(' ')
                .append(Nanos.of(points.ended()))
                .append('\n');
    }

    /** A line break or a backslash in a tag has no form that every version reads back. */
    private static String escaped(String word) {
        return word.strip().replaceAll("\\p{Cntrl}+", " ").replace('\\', '/').replaceAll("([,= ])", "\\\\$1");
    }
}
