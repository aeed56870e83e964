package dev.neurontest.internal.cluster;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of programs that ssh starts on two names of this machine. */
class SshEngineIT {

    @TempDir
    private Path folder;

    private SshFixture hosts;
    private HostEngine engine;

    @BeforeEach
    void start() throws Exception {
        String missing = SshFixture.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        hosts = SshFixture.start(
                Files.createDirectories(folder.resolve("ssh")),
                Map.of(
                        "north", Map.of("NEURON_TEST_PLATFORM", "root:/north"),
                        "south", Map.of("NEURON_TEST_PLATFORM", "root:/south")));
        Path file = Files.writeString(folder.resolve("hostfile"), "north slots=8\nsouth slots=8\n");
        engine = new SshEngine(file.toString(), HostFile.read(file));
    }

    @AfterEach
    void stop() {
        if (hosts != null) {
            hosts.close();
        }
    }

    private LaunchedFixture launch(String host, String... words) throws IOException {
        return LaunchedFixture.start(folder, engine, hosts.located(engine.command(host, List.of(words))), Map.of());
    }

    @Test
    void inputReachesProgramLineByLineUntilItsEnd() throws Exception {
        try (LaunchedFixture cat = launch("north", "cat", "-")) {
            // when, then
            assertThat(cat.exchange("größe")).isEqualTo("größe");
            assertThat(cat.exchange("$(id) 'a")).isEqualTo("$(id) 'a");
            assertThat(cat.rest()).isEmpty();
            assertThat(cat.exitCode()).isZero();
        }
    }

    @Test
    void megabytesPassUnchanged() throws Exception {
        // given
        String line = "x".repeat(4 << 20);

        try (LaunchedFixture cat = launch("north", "cat")) {
            // when
            Thread writer = new Thread(() -> {
                try {
                    cat.process().getOutputStream().write(line.getBytes());
                    cat.process().getOutputStream().close();
                } catch (IOException ended) {
                    throw new IllegalStateException(ended);
                }
            });
            writer.start();
            String output = new String(cat.process().getInputStream().readAllBytes());
            writer.join();

            // then
            assertThat(output.equals(line)).as("%s characters", output.length()).isTrue();
        }
    }

    @Test
    void exitCodeAndErrorsAreThoseOfProgram() throws Exception {
        try (LaunchedFixture ls = launch("south", "ls", "/none")) {
            assertThat(ls.rest()).isEmpty();
            assertThat(ls.exitCode()).isEqualTo(2);
            assertThat(ls.errors()).contains("/none");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"north", "south"})
    void hostHasItsOwnEnvironment(String host) throws Exception {
        try (LaunchedFixture printenv = launch(host, "printenv", "NEURON_TEST_PLATFORM")) {
            assertThat(printenv.rest()).isEqualTo("root:/" + host + "\n");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void programEndsWithItsLauncher(boolean forcibly) throws Exception {
        try (LaunchedFixture cat = launch("north", "cat")) {
            // given
            cat.exchange("runs");
            assertThat(hosts.running("north", "cat")).hasSize(1);

            // when
            if (forcibly) {
                cat.process().destroyForcibly();
            } else {
                cat.process().destroy();
            }

            // then
            await().until(() -> hosts.running("north", "cat").isEmpty());
        }
    }

    @Test
    void hostThatVanishesEndsItsLauncher() throws Exception {
        try (LaunchedFixture cat = launch("north", "cat");
                LaunchedFixture other = launch("south", "cat")) {
            // given
            cat.exchange("runs");

            // when
            hosts.kill("north");

            // then
            assertThat(cat.exitCode()).isEqualTo(255);
            assertThat(other.exchange("still runs")).isEqualTo("still runs");
        }
    }

    @Test
    void unreachableHostIsNamed() throws Exception {
        // given
        hosts.kill("south");

        try (LaunchedFixture cat = launch("south", "cat")) {
            assertThat(cat.rest()).isEmpty();
            assertThat(cat.exitCode()).isEqualTo(255);
            assertThat(cat.errors()).contains("Connection refused");
        }
    }

    @Test
    void wrongHostKeyIsRefusedAndNothingStarted() throws Exception {
        // given
        hosts.trust("south", "north");

        try (LaunchedFixture touch = launch("south", "touch", folder + "/started")) {
            assertThat(touch.exitCode()).isEqualTo(255);
            assertThat(touch.errors()).contains("REMOTE HOST IDENTIFICATION HAS CHANGED");
            assertThat(folder.resolve("started")).doesNotExist();
        }
    }

    @Test
    void unknownHostKeyIsRefusedWithoutQuestion() throws Exception {
        // given
        try (Stream<Path> known = Files.list(folder.resolve("ssh"))) {
            for (Path file :
                    known.filter(each -> each.toString().endsWith(".known")).toList()) {
                Files.delete(file);
            }
        }

        try (LaunchedFixture cat = launch("south", "cat")) {
            assertThat(cat.exitCode()).isEqualTo(255);
            assertThat(cat.errors()).contains("Host key verification failed");
        }
    }
}
