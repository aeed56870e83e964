package dev.neurontest.internal.report.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.patience.Patience;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A Chromium without a window, driven over its debugging protocol on the loopback. */
final class ChromiumFixture implements AutoCloseable {

    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final long SECONDS = Patience.LIMIT.toSeconds();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile String session = "";

    /** Starts the browser of this machine. */
    static ChromiumFixture start(Path folder) throws Exception {
        Optional<Path> installed = Stream.of(
                        System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator)))
                .filter(each -> !each.isEmpty())
                .flatMap(each -> NAMES.stream().map(Path.of(each)::resolve))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(installed.isPresent(), "no Chromium on PATH: apt-get install chromium");
        return new ChromiumFixture(installed.get(), folder);
    }

    private ChromiumFixture(Path browser, Path folder) throws Exception {
        Path log = folder.resolve("chromium.log");
        ProcessBuilder command = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--remote-debugging-address=127.0.0.1",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder.resolve("chromium"),
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        command.environment().put("TMPDIR", folder.toString());
        process = command.start();
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address(log)), new Listener())
                .get(SECONDS, TimeUnit.SECONDS);
        String target = call("Target.createTarget", Map.of("url", "about:blank"))
                .get("targetId")
                .asString();
        session = call("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId")
                .asString();
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
    }

    private String address(Path log) {
        return Awaitility.await("the browser listens")
                .atMost(SECONDS, TimeUnit.SECONDS)
                .failFast("the browser ended", () -> !process.isAlive())
                .until(
                        () -> LISTENING
                                .matcher(Files.readString(log))
                                .results()
                                .map(found -> found.group(1))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private final class Listener implements WebSocket.Listener {

        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            message.append(text);
            if (last) {
                receive(JSON.readTree(message.toString()));
                message.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void receive(JsonNode message) {
        if (message.has("id")) {
            answers.remove(message.get("id").asInt()).complete(message);
            return;
        }
        String method = message.get("method").asString();
        JsonNode parameters = message.get("params");
        switch (method) {
            case "Runtime.exceptionThrown", "Log.entryAdded" -> complaints.add(parameters.toString());
            case "Runtime.consoleAPICalled" ->
                complaints.add(parameters.get("args").toString());
            case "Network.requestWillBeSent" ->
                requests.add(parameters.get("request").get("url").asString());
            default -> {
                CompletableFuture<JsonNode> waiting = awaited.get(method);
                if (waiting != null) {
                    waiting.complete(parameters);
                }
            }
        }
    }

    JsonNode call(String method, Map<String, ?> parameters) throws Exception {
        int id = calls.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        Map<String, Object> message = new LinkedHashMap<>(Map.of("id", id, "method", method, "params", parameters));
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        socket.sendText(JSON.writeValueAsString(message), true);
        JsonNode received = answer.get(SECONDS, TimeUnit.SECONDS);
        if (received.has("error")) {
            throw new IllegalStateException(method + ": " + received.get("error"));
        }
        return received.get("result");
    }

    /** Opens a page and waits until it is loaded. */
    ChromiumFixture open(Path page) throws Exception {
        complaints.clear();
        requests.clear();
        CompletableFuture<JsonNode> loaded = new CompletableFuture<>();
        awaited.put("Page.loadEventFired", loaded);
        call("Page.navigate", Map.of("url", page.toUri().toString()));
        loaded.get(SECONDS, TimeUnit.SECONDS);
        return this;
    }

    /** Emulates a screen. */
    ChromiumFixture screen(int width, int height, String scheme) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return this;
    }

    /** Emulates the media {@code screen} or {@code print}. */
    void media(String media) throws Exception {
        call("Emulation.setEmulatedMedia", Map.of("media", media));
    }

    ChromiumFixture scripts(boolean enabled) throws Exception {
        call("Emulation.setScriptExecutionDisabled", Map.of("value", !enabled));
        return this;
    }

    /** Returns the value of an expression. */
    JsonNode evaluate(String expression) throws Exception {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(result.get("exceptionDetails").toString());
        }
        JsonNode value = result.get("result").get("value");
        return value == null ? JSON.nullNode() : value;
    }

    /** Presses a key like a person. */
    void press(String key, int code) throws Exception {
        for (String type : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type",
                            type,
                            "key",
                            key,
                            "code",
                            key,
                            "windowsVirtualKeyCode",
                            code,
                            "text",
                            key.equals("Enter") ? "\r" : ""));
        }
    }

    byte[] print() throws Exception {
        return Base64.getDecoder()
                .decode(call("Page.printToPDF", Map.of("printBackground", true))
                        .get("data")
                        .asString());
    }

    /** Returns errors, warnings and other output to the console. */
    List<String> complaints() {
        return complaints;
    }

    /** Returns the addresses that the page requested, starting with its own. */
    List<String> requests() {
        return requests;
    }

    @Override
    public void close() {
        List<ProcessHandle> started = process.descendants().toList();
        session = "";
        try {
            call("Browser.close", Map.of());
            process.waitFor(SECONDS, TimeUnit.SECONDS);
        } catch (Exception gone) {
            // The browser is forced to end below.
        }
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
        // A child process may still write into the folder of the test.
        started.forEach(
                each -> each.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join());
        process.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }
}
