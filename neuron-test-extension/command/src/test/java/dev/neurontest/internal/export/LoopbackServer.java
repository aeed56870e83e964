package dev.neurontest.internal.export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that stores requests and returns scripted answers. */
final class LoopbackServer implements AutoCloseable {

    /** An answer to a request. */
    interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    /** A received request. */
    record Received(String method, String target, Map<String, List<String>> headers, String content) {

        String header(String name) {
            return String.join(",", headers.getOrDefault(name, List.of()));
        }
    }

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    LoopbackServer(Answer answer) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            received.add(new Received(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            answer.to(exchange);
        });
        server.start();
    }

    static Answer status(int status, String content) {
        return exchange -> {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    Received received() {
        return received.get(0);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
