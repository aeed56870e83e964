package dev.neurontest.export;

import dev.neurontest.process.Redaction;
import dev.neurontest.text.DurationText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/** One HTTP request that is bounded in time and in what is read of the answer, and that fails in words. */
final class HttpPost {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration TOTAL = Duration.ofSeconds(10);
    private static final int SHOWN = 300;

    /** Without it a word of one letter would leave nothing readable. */
    private static final int SHORTEST_SECRET = 4;

    private final Endpoint endpoint;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final Duration total;

    HttpPost(Endpoint endpoint) {
        this(endpoint, TOTAL);
    }

    HttpPost(Endpoint endpoint, Duration total) {
        this.endpoint = endpoint;
        this.total = total;
        endpoint.basicAuthentication().ifPresent(basic -> headers.put("Authorization", basic));
    }

    /** A header whose value is never shown. */
    HttpPost header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /**
     * Sends, once.
     *
     * @param told says what was sent, given the answer to it
     */
    Published send(String json, Function<String, Published> told) {
        try {
            HttpResponse<String> response = exchange(request(json));
            return response.statusCode() / 100 == 2
                    ? told.apply(response.body())
                    : failed("the server answered %s%s".formatted(response.statusCode(), quoted(response.body())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("it was interrupted");
        } catch (TimeoutException e) {
            return failed(noAnswer());
        } catch (ExecutionException e) {
            return failed(words(e.getCause()));
        } catch (IllegalArgumentException e) {
            return failed("the request cannot be made, look at the headers: " + hidden(String.valueOf(e.getMessage())));
        }
    }

    Published done(String what) {
        return new Published(target(), true, what);
    }

    Published failed(String why) {
        return new Published(target(), false, why);
    }

    private String target() {
        return "otlp " + endpoint;
    }

    private HttpRequest request(String json) {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.uri())
                .timeout(total)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json, StandardCharsets.UTF_8));
        headers.forEach(request::setHeader);
        return request.build();
    }

    /** The limit of the request itself ends with the first line of the answer, hence a second one around all of it. */
    private HttpResponse<String> exchange(HttpRequest request)
            throws InterruptedException, ExecutionException, TimeoutException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT.compareTo(total) < 0 ? CONNECT : total)
                .build();
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(request, info -> new BoundedText());
        try {
            return answer.get(total.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            answer.cancel(true);
        }
    }

    private String words(Throwable cause) {
        if (cause instanceof HttpTimeoutException) {
            return noAnswer();
        }
        if (cause instanceof ConnectException) {
            return "there is no server, or it cannot be reached";
        }
        return cause instanceof IOException
                ? "the connection broke: " + hidden(cause.toString())
                : hidden(cause.toString());
    }

    private String noAnswer() {
        return "there was no answer within " + DurationText.limit(total);
    }

    private String quoted(String body) {
        String line = hidden(body.strip().replaceAll("\\s+", " "));
        return line.isEmpty() ? "" : ": " + (line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…");
    }

    /** A server may repeat what it was sent. */
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
                        endpoint.credentials().stream().flatMap(both -> Stream.of(both.split(":", 2))))
                .toList();
    }
}
