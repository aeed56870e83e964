package dev.neurontest.export;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where to send over HTTP.
 *
 * @param uri without user and password
 * @param credentials {@code user:password}
 */
record Endpoint(URI uri, Optional<String> credentials) {

    static Endpoint of(String text) {
        URI given = parse(text);
        String scheme = given.getScheme();
        if (!("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme)) || given.getHost() == null) {
            throw new IllegalArgumentException("it is no URL of a server. Expected such as http://collector:4318");
        }
        return new Endpoint(
                URI.create("%s://%s%s%s%s"
                        .formatted(
                                scheme,
                                given.getHost(),
                                given.getPort() < 0 ? "" : ":" + given.getPort(),
                                text(given.getRawPath()),
                                given.getRawQuery() == null ? "" : "?" + given.getRawQuery())),
                Optional.ofNullable(given.getUserInfo()));
    }

    /** Does not repeat the text, which may hold a password. */
    private static URI parse(String text) {
        try {
            return new URI(text.strip());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the URL is malformed at character %s: %s".formatted(e.getIndex() + 1, e.getReason()));
        }
    }

    private static String text(@Nullable String part) {
        return part == null ? "" : part;
    }

    String query() {
        return text(uri.getRawQuery());
    }

    /** The same server with another path and query. */
    Endpoint with(String path, String query) {
        String server = uri.toString().substring(0, uri.getScheme().length() + "://".length()) + uri.getRawAuthority();
        return new Endpoint(URI.create(server + path + (query.isEmpty() ? "" : "?" + query)), credentials);
    }

    /** As a header wants them. */
    Optional<String> basicAuthentication() {
        return credentials.map(
                plain -> "Basic " + Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8)));
    }

    /** For messages: a query may hold a token, and is left out. */
    @Override
    public String toString() {
        return with(uri.getRawPath(), "").uri.toString();
    }
}
