package dev.neurontest.fake.internal.profiler.view;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.call.ProcessFaults;
import dev.neurontest.fake.internal.tool.GoFlags;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server of {@code view}, which starts when the profile was read: a page and an API for this machine only. The API only answers
 * that it is healthy, and where uploaded profiles belong; the page only has a title.
 */
final class ViewServer {

    /** The port of the API by default. */
    static final int API_PORT = 3002;

    /** The path with the folder of the profiles, for uploads. No genuine server has it. */
    static final String STORE = "/fake-sysfs/store";

    private static final int PAGE_PORT = 3001;
    private static final int OK = 200;

    private final Invocation invocation;
    private final GoFlags flags;
    private final List<HttpServer> servers = new ArrayList<>();

    ViewServer(Invocation invocation, GoFlags flags) {
        this.invocation = invocation;
        this.flags = flags;
    }

    /** Serves until a signal ends the process. */
    void serve() {
        try {
            HttpServer api = listen(
                    flags.number("api-server-port", API_PORT),
                    "/api/v1/health",
                    "application/json",
                    "{\"status\":\"healthy\"}\n");
            if (api != null) {
                String store =
                        Ingestion.store(invocation, flags).toAbsolutePath().toString();
                api.createContext(STORE, exchange -> answer(exchange, "text/plain", store));
                invocation
                        .err()
                        .println("INFO[0002] API server listens on http://localhost:"
                                + api.getAddress().getPort());
            }
            if (!flags.has("disable-ui")) {
                int port = flags.number("port", PAGE_PORT);
                HttpServer page = listen(port, "/", "text/html", "<!doctype html><title>Profiles</title>\n");
                invocation
                        .out()
                        .println("View a list of profiles at http://localhost:"
                                + (page == null ? port : page.getAddress().getPort()) + "/");
            }
            invocation.out().println("ctrl-c to exit");
            invocation.out().flush();
            ProcessFaults.waitForever();
        } finally {
            servers.forEach(server -> server.stop(0));
        }
    }

    /** Starts a server. Returns null if the port is in use; this is only logged, as in the genuine tool. */
    private @Nullable HttpServer listen(int port, String path, String type, String answer) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            server.createContext(path, exchange -> answer(exchange, type, answer));
            server.start();
            servers.add(server);
            return server;
        } catch (IOException | IllegalArgumentException taken) {
            invocation.log("ERRO", "listen tcp 127.0.0.1:" + port + ": bind: " + taken.getMessage());
            return null;
        }
    }

    private static void answer(HttpExchange exchange, String type, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(OK, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
