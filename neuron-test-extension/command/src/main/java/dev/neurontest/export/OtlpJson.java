package dev.neurontest.export;

import dev.neurontest.json.Json;
import java.math.BigInteger;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * The numbers of a run as an {@code ExportMetricsServiceRequest} of OTLP in JSON. All are gauges: each run stands for itself, and
 * backends refuse sums over an interval now and then.
 */
final class OtlpJson {

    private static final String NAME = "neuron-test";

    private final JsonGenerator json;
    private final RunPoints points;

    private OtlpJson(JsonGenerator json, RunPoints points) {
        this.json = json;
        this.points = points;
    }

    static String of(RunPoints points) {
        return Json.text(json -> new OtlpJson(json, points).write());
    }

    private void write() {
        json.writeStartObject();
        json.writeArrayPropertyStart("resourceMetrics");
        json.writeStartObject();
        json.writeObjectPropertyStart("resource");
        Map<String, String> resource = new LinkedHashMap<>(Map.of("service.name", NAME));
        points.about().forEach((name, value) -> resource.put(attribute(name), value));
        attributes(resource);
        json.writeEndObject();
        json.writeArrayPropertyStart("scopeMetrics");
        json.writeStartObject();
        json.writeObjectPropertyStart("scope");
        json.writeStringProperty("name", "dev.neurontest");
        json.writeEndObject();
        json.writeArrayPropertyStart("metrics");
        points.points().stream()
                .collect(Collectors.groupingBy(Point::name, LinkedHashMap::new, Collectors.toList()))
                .forEach(this::metric);
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    /** The names that OpenTelemetry has for what is tested. */
    private static String attribute(String name) {
        return switch (name) {
            case "commit" -> "vcs.ref.head.revision";
            case "branch" -> "vcs.ref.head.name";
            default -> name;
        };
    }

    private void metric(String name, List<Point> ofName) {
        json.writeStartObject();
        json.writeStringProperty("name", name);
        json.writeStringProperty("unit", ofName.get(0).unit());
        json.writeObjectPropertyStart("gauge");
        json.writeArrayPropertyStart("dataPoints");
        ofName.forEach(this::dataPoint);
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private void dataPoint(Point point) {
        json.writeStartObject();
        attributes(point.labels());
        json.writeStringProperty("startTimeUnixNano", nanos(points.started()));
        json.writeStringProperty("timeUnixNano", nanos(points.ended()));
        json.writeNumberProperty("asDouble", point.value());
        json.writeEndObject();
    }

    private void attributes(Map<String, String> attributes) {
        json.writeArrayPropertyStart("attributes");
        attributes.forEach((name, value) -> {
            json.writeStartObject();
            json.writeStringProperty("key", name);
            json.writeObjectPropertyStart("value");
            json.writeStringProperty("stringValue", value);
            json.writeEndObject();
            json.writeEndObject();
        });
        json.writeEndArray();
    }

    /** Since 1970. A 64-bit integer is a string in the JSON of Protocol Buffers. */
    private static String nanos(Instant time) {
        return BigInteger.valueOf(time.getEpochSecond())
                .multiply(BigInteger.valueOf(1_000_000_000))
                .add(BigInteger.valueOf(time.getNano()))
                .toString();
    }
}
