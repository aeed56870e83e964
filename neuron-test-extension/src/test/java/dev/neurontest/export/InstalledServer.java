package dev.neurontest.export;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/** A real server of this machine, where it is installed, on a port of its own. */
final class InstalledServer implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final int port;

    /**
     * Starts it and waits until it answers.
     *
     * @param ready a path that it answers when it is ready
     */
    InstalledServer(Path log, int port, String ready, List<String> command) throws IOException {
        this.port = port;
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            await().ignoreExceptions().until(() -> get(ready).statusCode() / 100 == 2);
        } catch (ConditionTimeoutException late) {
            close();
            throw late;
        }
    }

    /** The program; the test is skipped where it is not installed. */
    static String program(String name, String install) {
        Optional<Path> program = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeThat(program).as("%s on the PATH (%s)", name, install).isPresent();
        return program.orElseThrow().toString();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url() + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url() + path))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
