package dev.neurontest.internal.export;

import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.text.DurationText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Publisher of the numbers of a run to a collector, over OTLP/HTTP as JSON. It never throws and has a short time limit, because the result
 * of a run does not depend on it. OpenTelemetry's own exporter is not used, because it reads an answer without a limit and reports rejected
 * numbers only in a log.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OtlpPublisher {

    private static final String PATH = "/v1/metrics";
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration TOTAL = Duration.ofSeconds(10);
    private static final int READ = 4096;
    private static final int SHOWN = 300;

    /** Pattern of rejected numbers. A collector may accept a request and reject a part of it. */
    private static final Pattern REJECTED = Pattern.compile("\"rejectedDataPoints\"\\s*:\\s*\"?([1-9][0-9]*)");

    /** Minimum length of a masked secret. Without a minimum, masking a secret of one letter would make a text unreadable. */
    private static final int SHORTEST_SECRET = 4;

    private final URI uri;
    private final String credentials;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final Duration total;

    private record Answer(int status, String body) {}

    /**
     * Creates a publisher. A user and password in the URL are sent as basic authentication, and never shown.
     *
     * @param url the URL of the collector, with or without the path of metrics, such as {@code http://collector:4318}
     * @param headers headers in the form of OpenTelemetry's exporters: {@code name=value} with commas between, values URL-encoded
     * @throws IllegalArgumentException when the URL is wrong; the message is the reason, without the URL
     */
    public OtlpPublisher(String url, String headers) {
        this(url, headers, TOTAL);
    }

    OtlpPublisher(String url, String headers, Duration total) {
        URI given = parse(url);
        String path = Objects.requireNonNullElse(given.getRawPath(), "").replaceAll("/+$", "");
        this.uri = URI.create("%s://%s%s%s%s"
                .formatted(
                        given.getScheme(),
                        given.getHost(),
                        given.getPort() < 0 ? "" : ":" + given.getPort(),
                        path.endsWith(PATH) ? path : path + PATH,
                        given.getRawQuery() == null ? "" : "?" + given.getRawQuery()));
        this.credentials = Objects.requireNonNullElse(given.getUserInfo(), "");
        this.total = total;
        if (!credentials.isEmpty()) {
            byte[] plain = credentials.getBytes(StandardCharsets.UTF_8);
            this.headers.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(plain));
        }
        for (String header : headers.split(",")) {
            int equals = header.indexOf('=');
            if (equals > 0) {
                this.headers.put(
                        header.substring(0, equals).strip(),
                        decoded(header.substring(equals + 1).strip()));
            }
        }
    }

    /** Parses the URL. The message of an exception does not repeat it, because it may contain a password. */
    private static URI parse(String text) {
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the URL is malformed at character %s: %s".formatted(e.getIndex() + 1, e.getReason()));
        }
        if (uri.getHost() == null || !uri.getScheme().matches("(?i)https?")) {
            throw new IllegalArgumentException(
                    "it is not the URL of a server. Expected a URL such as http://collector:4318");
        }
        return uri;
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    /** Publishes the numbers of a run. */
    public PublishResult publish(RunPoints points) {
        int numbers = points.points().size();
        try {
            Answer answer = answer(request(OtlpJson.of(points)));
            if (answer.status() / 100 != 2) {
                return failed("the server answered %s%s".formatted(answer.status(), quoted(answer.body())));
            }
            Matcher rejected = REJECTED.matcher(answer.body());
            return rejected.find()
                    ? failed("the server rejected %s of %s numbers".formatted(rejected.group(1), numbers))
                    : new PublishResult(target(), true, numbers + " numbers");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("it was interrupted");
        } catch (TimeoutException e) {
            return failed(noAnswer());
        } catch (ExecutionException e) {
            return failed(words(e.getCause()));
        } catch (IllegalArgumentException e) {
            return failed("the request cannot be made, check the headers: " + hidden(String.valueOf(e.getMessage())));
        }
    }

    private PublishResult failed(String why) {
        return new PublishResult(target(), false, why);
    }

    /** Returns the URL without its query, which may contain a token. */
    private String target() {
        return "otlp " + uri.toString().split("\\?", 2)[0];
    }

    private HttpRequest request(String json) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(total)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json, StandardCharsets.UTF_8));
        headers.forEach(request::setHeader);
        return request.build();
    }

    /**
     * Sends the request. The time limit of the request ends with the first line of the answer, so a second limit covers the complete
     * answer.
     */
    private Answer answer(HttpRequest request) throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Answer> answer = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT.compareTo(total) < 0 ? CONNECT : total)
                .build()
                .sendAsync(request, BodyHandlers.ofInputStream())
                .thenApplyAsync(OtlpPublisher::beginning);
        return answer.get(total.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Reads the beginning of an answer, because an answer may be endless. */
    private static Answer beginning(HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            return new Answer(response.statusCode(), new String(body.readNBytes(READ), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private String words(@Nullable Throwable cause) {
        if (cause instanceof HttpTimeoutException) {
            return noAnswer();
        }
        if (cause instanceof ConnectException) {
            return "there is no server, or it cannot be reached";
        }
        return cause instanceof IOException || cause instanceof UncheckedIOException
                ? "the connection broke: " + hidden(cause.toString())
                : hidden(String.valueOf(cause));
    }

    private String noAnswer() {
        return "there was no answer within " + DurationText.limit(total);
    }

    private String quoted(String body) {
        String line = hidden(body.strip().replaceAll("\\s+", " "));
        return line.isEmpty() ? "" : ": " + (line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…");
    }

    /** Masks the secrets in a text, because a server may repeat the request. */
    private String hidden(String text) {
        String hidden = text;
        for (String secret : secrets()) {
            hidden = secret.length() < SHORTEST_SECRET ? hidden : hidden.replace(secret, "***");
        }
        return Redaction.mask(hidden);
    }

    private List<String> secrets() {
        return Stream.concat(
                        headers.values().stream().flatMap(value -> Stream.of(value.split("\\s+"))),
                        Stream.of(credentials.split(":", 2)))
                .toList();
    }
}
