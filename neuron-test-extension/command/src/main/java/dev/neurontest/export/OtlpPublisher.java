package dev.neurontest.export;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Sends to a collector over OTLP/HTTP. */
final class OtlpPublisher implements Publisher {

    private static final JsonFactory JSON = new JsonFactory();
    private static final String PATH = "/v1/metrics";

    private final Delivery delivery;

    /**
     * @param endpoint with or without the path of metrics
     * @param headers as OpenTelemetry's exporters want them: {@code name=value} with commas between, values URL-encoded
     */
    OtlpPublisher(Endpoint endpoint, String headers) {
        String path = endpoint.uri().getRawPath().replaceAll("/+$", "");
        delivery = new Delivery("otlp", path.endsWith(PATH) ? endpoint : endpoint.with(path + PATH, endpoint.query()));
        for (String header : headers.split(",")) {
            int equals = header.indexOf('=');
            if (equals > 0) {
                delivery.header(
                        header.substring(0, equals).strip(),
                        decoded(header.substring(equals + 1).strip()));
            }
        }
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    @Override
    public Published publish(RunPoints points) {
        int numbers = points.points().size();
        return delivery.send("POST", "application/json", OtlpJson.of(points), answer -> {
            String rejected = rejected(answer);
            return rejected.equals("0")
                    ? delivery.done(numbers + " numbers")
                    : delivery.failed("the server rejected %s of %d numbers".formatted(rejected, numbers));
        });
    }

    /** A collector may accept a request and reject a part of it. */
    private static String rejected(String answer) {
        if (answer.isBlank()) {
            return "0";
        }
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), answer)) {
            while (json.nextToken() != null) {
                if ("rejectedDataPoints".equals(json.currentName())) {
                    json.nextToken();
                    return json.getString();
                }
            }
            return "0";
        } catch (JacksonException e) {
            return "0";
        }
    }
}
