package dev.neurontest.export;

import dev.neurontest.json.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * Sends the numbers of a run to a collector, over OTLP/HTTP as JSON. Never throws, never takes long: whether a run passes does not
 * depend on it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OtlpPublisher {

    private static final String PATH = "/v1/metrics";

    private final HttpPost post;

    /**
     * Reads where to send. A user and password in the URL are sent as basic authentication, and never shown.
     *
     * @param url of the collector, with or without the path of metrics, such as {@code http://collector:4318}
     * @param headers as OpenTelemetry's exporters want them: {@code name=value} with commas between, values URL-encoded
     * @throws IllegalArgumentException saying what is wrong with the URL, without repeating it
     */
    public OtlpPublisher(String url, String headers) {
        Endpoint endpoint = Endpoint.of(url);
        String path = endpoint.uri().getRawPath().replaceAll("/+$", "");
        post = new HttpPost(path.endsWith(PATH) ? endpoint : endpoint.with(path + PATH, endpoint.query()));
        for (String header : headers.split(",")) {
            int equals = header.indexOf('=');
            if (equals > 0) {
                post.header(
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

    /**
     * Sends.
     *
     * @param points the numbers of the run
     * @return what became of it
     */
    public Published publish(RunPoints points) {
        int numbers = points.points().size();
        return post.send(OtlpJson.of(points), answer -> {
            String rejected = rejected(answer);
            return rejected.equals("0")
                    ? post.done(numbers + " numbers")
                    : post.failed("the server rejected %s of %s numbers".formatted(rejected, numbers));
        });
    }

    /** A collector may accept a request and reject a part of it. */
    private static String rejected(String answer) {
        if (answer.isBlank()) {
            return "0";
        }
        try (JsonParser json = Json.parser(answer)) {
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
