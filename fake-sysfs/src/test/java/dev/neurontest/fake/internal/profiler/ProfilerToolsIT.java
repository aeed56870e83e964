package dev.neurontest.fake.internal.profiler;

import static dev.neurontest.patience.Patience.await;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the commands as files of a host, run as processes. */
class ProfilerToolsIT {

    private static final int SIGKILLED = 128 + 9;
    private static final int SIGTERMED = 128 + 15;

    @TempDir
    private static Path hosts;

    @AutoClose
    private static FakeNeuronHost host;

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        // A shell would split or expand this name.
        Path root = hosts.toRealPath().resolve("a host's $root");
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").root(root).start();
        host.directory();
    }

    @BeforeEach
    void prepare() throws IOException {
        host.profiler().reset().tool("neuron-profile", "stub").tool("neuron-explorer", "working 2.32.9.0");
        FakeNeff.builder().write(folder.resolve("m.neff"));
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private static Path tool(String name) {
        return host.directory().resolve("opt/aws/neuron/bin").resolve(name);
    }

    private Process run(String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("NEURON_"));
        builder.environment().put("HOME", folder.toString());
        builder.redirectError(folder.resolve("err").toFile());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Process explorer(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(tool("neuron-explorer").toString()));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    private static String out(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    @Test
    void printsItsVersion() throws Exception {
        Process process = explorer("--version");

        assertThat(out(process)).isEqualTo("neuron-explorer 2.32.9.0\n");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void stubFailsAndNamesTheExplorer() throws Exception {
        Process process = run(tool("neuron-profile").toString(), "--version");

        assertThat(out(process)).isEmpty();
        assertThat(process.waitFor()).isNotZero();
        assertThat(err()).contains("neuron-explorer");
    }

    @Test
    void fileFollowsTheToolState() {
        host.profiler().tool("neuron-explorer", "absent");

        assertThat(tool("neuron-explorer")).doesNotExist();
        host.profiler().tool("neuron-explorer", "working 2.31.0");
        assertThat(tool("neuron-explorer")).isExecutable().content().contains("2.31.0");
    }

    @Test
    void worksFromAShell() throws Exception {
        Process shell = run("sh", "-c", """
                set -eu
                . "$1/env.sh"
                neuron-explorer capture -n m.neff -s out/p.ntff --num-exec 2 --profile-nth-exec 2
                neuron-explorer view -n m.neff -s out/p_exec_2.ntff --output-format summary-json
                """, "sh", host.directory().toString());

        assertThat(out(shell)).startsWith("{\"n_").contains("\"total_time\": 0.05378");
        assertThat(shell.waitFor()).isZero();
    }

    @Test
    void findsItsHostThroughALinkWithoutEnvironment() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("explorer"), tool("neuron-explorer"));
        ProcessBuilder builder = new ProcessBuilder(link.toString(), "capture", "-n", "m.neff")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin"));
        Process process = builder.start();
        started.add(process);

        assertThat(out(process)).isEmpty();
        assertThat(process.waitFor()).isZero();
        assertThat(folder.resolve("profile.ntff")).isNotEmptyFile();
    }

    @Test
    void holdsCoresUnderItsPidUntilKilled() throws Exception {
        host.profiler().script("hang", "capture");

        Process process = explorer("capture", "-n", "m.neff");

        await().until(() -> host.processes().stream().anyMatch(each -> each.pid() == process.pid()));
        await().during(200, MILLISECONDS).until(process::isAlive);
        process.destroyForcibly();
        assertThat(process.waitFor()).isEqualTo(SIGKILLED);
        await().until(() -> host.processes().isEmpty());
    }

    @Test
    void viewServesPagesUntilTerminated() throws Exception {
        explorer("capture", "-n", "m.neff").waitFor();

        Process process = explorer("view", "-n", "m.neff", "-s", "profile.ntff", "--port", "0", "--api-server-port=0");

        assertThat(process.inputReader().readLine()).startsWith("Processing for n_");
        String page = process.inputReader().readLine();
        assertThat(page).matches("View a list of profiles at http://localhost:[1-9][0-9]*/");
        assertThat(get(page.substring(page.indexOf("http")))).contains("<title>");
        assertThat(get(api() + "/api/v1/health")).contains("healthy");
        assertThat(process.inputReader().readLine()).isEqualTo("ctrl-c to exit");
        await().during(200, MILLISECONDS).until(process::isAlive);
        process.destroy();
        assertThat(process.waitFor()).isEqualTo(SIGTERMED);
    }

    private String api() throws IOException {
        await().until(() -> err().contains("API server listens on "));
        return err().lines()
                .filter(line -> line.contains("API server listens on "))
                .findFirst()
                .orElseThrow()
                .replaceAll(".* ", "");
    }

    private static String get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void viewServesOnlyTheApiWithDisableUi() throws Exception {
        explorer("capture", "-n", "m.neff").waitFor();

        Process process =
                explorer("view", "-n", "m.neff", "-s", "profile.ntff", "--disable-ui", "--api-server-port", "0");

        assertThat(get(api() + "/api/v1/health")).contains("healthy");
        assertThat(process.inputReader().readLine()).startsWith("Processing for n_");
        assertThat(process.inputReader().readLine()).isEqualTo("ctrl-c to exit");
    }

    @Test
    void viewContinuesWhenItsPortsAreTaken() throws Exception {
        explorer("capture", "-n", "m.neff").waitFor();
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());

            Process process =
                    explorer("view", "-n", "m.neff", "-s", "profile.ntff", "--port", port, "--api-server-port", port);

            assertThat(process.inputReader().readLine()).startsWith("Processing for n_");
            assertThat(process.inputReader().readLine()).endsWith("http://localhost:" + port + "/");
            assertThat(process.inputReader().readLine()).isEqualTo("ctrl-c to exit");
            assertThat(err())
                    .contains("ERRO[0000] listen tcp 127.0.0.1:" + port + ": bind: ")
                    .doesNotContain("API server listens");
        }
    }

    @Test
    void killedScriptKillsTheCapture() throws Exception {
        host.profiler().script("killed", "capture");

        Process process = explorer("capture", "-n", "m.neff");

        assertThat(process.waitFor()).isEqualTo(SIGKILLED);
        assertThat(folder.resolve("profile.ntff")).doesNotExist();
    }

    @Test
    void inspectRunsAProgramWithTheVariablesOfTheRuntime() throws Exception {
        Process process = explorer(
                "inspect",
                "-o",
                "there",
                "--",
                host.directory().resolve("bin/run-neff").toString(),
                "m.neff");

        assertThat(process.waitFor()).isZero();
        assertThat(folder.resolve("there")).isDirectoryRecursivelyContaining("glob:**.ntff");
    }
}
