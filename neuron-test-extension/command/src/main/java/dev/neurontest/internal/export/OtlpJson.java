package dev.neurontest.internal.export;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.RecordWriter;
import java.math.BigInteger;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The numbers of a run as an {@code ExportMetricsServiceRequest} of OTLP in JSON. All of them are gauges, because each run is independent
 * of the others. In addition, backends sometimes refuse sums over an interval.
 */
final class OtlpJson {

    private static final String NAME = "neuron-test";

    private OtlpJson() {}

    static String of(RunPoints points) {
        Map<String, String> resource = new LinkedHashMap<>(Map.of("service.name", NAME));
        points.about().forEach((name, value) -> resource.put(attribute(name), value));
        Map<String, List<OtlpPoint>> metrics = points.points().stream()
                .collect(Collectors.groupingBy(OtlpPoint::name, LinkedHashMap::new, Collectors.toList()));
        Map<String, Object> scope = Map.of(
                "scope",
                Map.of("name", "dev.neurontest"),
                "metrics",
                metrics.values().stream().map(each -> metric(points, each)).toList());
        Map<String, Object> metricsOfRun = Map.of(
                "resourceMetrics", List.of(Map.of("resource", attributes(resource), "scopeMetrics", List.of(scope))));
        return Json.text(json -> new RecordWriter(json).value(metricsOfRun));
    }

    /** Returns the OpenTelemetry name of a property of the tested source. */
    private static String attribute(String name) {
        return switch (name) {
            case "commit" -> "vcs.ref.head.revision";
            case "branch" -> "vcs.ref.head.name";
            default -> name;
        };
    }

    private static Map<String, Object> metric(RunPoints points, List<OtlpPoint> ofName) {
        OtlpPoint first = ofName.get(0);
        List<?> data = ofName.stream().map(point -> dataPoint(points, point)).toList();
        return Map.of("name", first.name(), "unit", first.unit(), "gauge", Map.of("dataPoints", data));
    }

    private static Map<String, Object> dataPoint(RunPoints points, OtlpPoint point) {
        Map<String, Object> members = new LinkedHashMap<>(attributes(point.labels()));
        members.put("startTimeUnixNano", nanos(points.started()));
        members.put("timeUnixNano", nanos(points.ended()));
        members.put("asDouble", point.value());
        return members;
    }

    private static Map<String, Object> attributes(Map<String, String> attributes) {
        return Map.of(
                "attributes",
                attributes.entrySet().stream()
                        .map(each -> Map.of("key", each.getKey(), "value", Map.of("stringValue", each.getValue())))
                        .toList());
    }

    /** Returns the nanoseconds since 1970. In the JSON of Protocol Buffers, a 64-bit integer is a string. */
    private static String nanos(Instant time) {
        return BigInteger.valueOf(time.getEpochSecond())
                .multiply(BigInteger.valueOf(1_000_000_000))
                .add(BigInteger.valueOf(time.getNano()))
                .toString();
    }
}
