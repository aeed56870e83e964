package dev.neurontest.export;

import dev.neurontest.configuration.NearestName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** Sends the numbers of a run somewhere. Never throws, never takes long: whether a run passes does not depend on it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Publisher {

    /** What can be written, for messages and documentation. */
    String EXPECTED = "otlp=<URL of a collector>, pushgateway=<URL>, influx=<URL>?org=<organisation>&bucket=<bucket>"
            + " or otava=<folder>";

    /**
     * Sends.
     *
     * @param points the numbers of the run
     * @return what became of it
     */
    Published publish(RunPoints points);

    /**
     * Reads where to send.
     *
     * <ul>
     *   <li>{@code otlp=http://collector:4318}: metrics as JSON to {@code /v1/metrics} below; headers from
     *       {@code OTEL_EXPORTER_OTLP_HEADERS}
     *   <li>{@code pushgateway=http://gateway:9091}: replaces the group of the job {@code neuron-test}; a URL with a path names
     *       another group, such as {@code http://gateway:9091/metrics/job/nightly}
     *   <li>{@code influx=http://influx:8086?org=acme&bucket=neuron}: line protocol to {@code /api/v2/write}, with the token in
     *       {@code INFLUX_TOKEN}; a URL with a path is used as it is
     *   <li>{@code otava=history}: appends to CSV files in that folder, which Apache Otava reads
     * </ul>
     *
     * A user and password in a URL are sent as basic authentication, and never shown.
     *
     * @param text as in {@link #EXPECTED}
     * @param environment variables by name, for what is secret
     * @return a publisher
     * @throws IllegalArgumentException saying what is wrong with the text
     */
    static Publisher of(String text, Map<String, String> environment) {
        int equals = text.indexOf('=');
        String kind = equals < 0 ? text : text.substring(0, equals);
        String target = equals < 0 ? "" : text.substring(equals + 1);
        return switch (kind) {
            case "otlp" ->
                new OtlpPublisher(Endpoint.of(target), environment.getOrDefault("OTEL_EXPORTER_OTLP_HEADERS", ""));
            case "pushgateway" -> new PushgatewayPublisher(Endpoint.of(target));
            case "influx" -> new InfluxPublisher(Endpoint.of(target), environment.getOrDefault("INFLUX_TOKEN", ""));
            case "otava" -> new OtavaCsv(folder(target));
            default ->
                throw new IllegalArgumentException("nothing can be published to %s, %s"
                        .formatted(
                                // A target without its kind may hold a password.
                                kind.matches("[A-Za-z0-9_-]+") ? "\"" + kind + "\"" : "that",
                                NearestName.of(kind, List.of("otlp", "pushgateway", "influx", "otava"))
                                        .map(nearest -> "did you mean " + nearest + "?")
                                        .orElse("expected " + EXPECTED)));
        };
    }

    private static Path folder(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("there is no folder. Expected such as otava=history");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("otava=%s: %s".formatted(text, e.getReason()), e);
        }
    }
}
