package dev.neurontest.fake.internal.profiler.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.profiler.ToolFixture;
import dev.neurontest.fake.internal.profiler.ToolFixture.Result;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of uploads to a server of {@code view}. */
class UploadCommandIT {

    @AutoClose
    private static FakeNeuronHost host;

    @TempDir
    private Path folder;

    private ToolFixture tools;
    private Process server;
    private String endpoint;

    @BeforeAll
    static void startHost() {
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
    }

    @BeforeEach
    void serveStore() throws Exception {
        tools = new ToolFixture(host, folder);
        FakeNeff.builder().write(folder.resolve("m.neff"));
        assertThat(tools.explorer("capture", "-n", "m.neff", "-s", "p.ntff").exitCode())
                .isZero();
        Path tool = host.directory().resolve("opt/aws/neuron/bin/neuron-explorer");
        ProcessBuilder builder = new ProcessBuilder(
                        tool.toString(), "view", "--data-path", "my store", "--port", "0", "--api-server-port", "0")
                .directory(folder.toFile());
        builder.environment().put("HOME", folder.toString());
        server = builder.start();
        String line;
        do {
            line = server.errorReader().readLine();
        } while (!line.contains("API server listens on "));
        endpoint = line.replaceAll(".* ", "");
    }

    @AfterEach
    void endServer() {
        server.destroyForcibly();
    }

    private Result upload(String... more) {
        return tools.explorer(Stream.concat(Stream.of("upload", "--endpoint", endpoint), Arrays.stream(more))
                .toArray(String[]::new));
    }

    private Path profile(String path) {
        return folder.resolve("my store/profiles").resolve(path);
    }

    @Test
    void addsTraceToTheProfilesOfTheServer() {
        Result result = upload(
                "--neff",
                "m.neff",
                "--ntff",
                "p.ntff",
                "--name",
                "banked",
                "--namespace",
                "team",
                "--uploader",
                "me",
                "--overwrite",
                "--wait");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(profile("team/banked@latest/Summary.parquet")).isNotEmptyFile();
        assertThat(host.profiler().calls()).last().asString().startsWith("neuron-explorer upload --endpoint ");
    }

    @Test
    void addsFolderOfARun() throws Exception {
        Path run = Files.createDirectories(folder.resolve("run"));
        Files.copy(folder.resolve("m.neff"), run.resolve("m.neff"));
        Files.copy(folder.resolve("p.ntff"), run.resolve("profile_nc_0_session_1.ntff"));

        Result result = upload("--profile-directory", "run", "--name", "all");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(profile("global/all_i-0123456789abcdef0_1_nc_0_session_1@latest/Summary.parquet"))
                .isNotEmptyFile();
    }

    @Test
    void keepsProfileOfTheSameNameUnlessToldToOverwrite() {
        String[] call = {"--neff", "m.neff", "--ntff", "p.ntff", "--name", "x"};
        assertThat(upload(call).exitCode()).isZero();

        Result second = upload(call);

        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err()).contains("profile x already exists").endsWith("Failed to upload NTFF (HTTP 400)\n");
        assertThat(upload(Stream.of(List.of(call), List.of("--overwrite"))
                                .flatMap(List::stream)
                                .toArray(String[]::new))
                        .exitCode())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "--neff m.neff --ntff none.ntff, Failed to upload NTFF (HTTP 400)",
        "--neff m.neff, 'name --neff and --ntff, or --profile-directory'",
        "--neff m.neff --ntff p.ntff --endpoint http://localhost:1, no neuron-explorer view of fake-sysfs answers at http://localhost:1",
        "--neff m.neff --ntff p.ntff --endpoint file:///etc, '--endpoint must begin with http://, not \"file:///etc\"'",
        "--neff m.neff --ntff p.ntff --endpoint localhost:3002, no neuron-explorer view of fake-sysfs answers at localhost:3002",
        "--nix, unknown flag `nix'"
    })
    void refusesWhatItCannotUpload(String words, String reason) {
        Result result = upload(words.split(" "));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains(reason);
        assertThat(folder.resolve("my store")).doesNotExist();
    }

    @Test
    void refusesServerOfAnotherProgram() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.start();
        try {
            endpoint = "http://localhost:" + other.getAddress().getPort();

            assertThat(upload("--neff", "m.neff", "--ntff", "p.ntff").err())
                    .contains("no neuron-explorer view of fake-sysfs answers at " + endpoint);
        } finally {
            other.stop(0);
        }
    }
}
