package dev.neurontest.fake.command;

import static dev.neurontest.patience.Patience.await;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command, run as a user runs it: as a process of its own. */
class FakeSysfsCommandIT {

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
    }

    private Process run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                FakeSysfsCommand.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    @Nested
    class Serve {

        private Path root;

        @BeforeEach
        void chooseRoot() throws IOException {
            root = folder.toRealPath().resolve("host");
        }

        private Process serve(String... more) throws IOException {
            List<String> arguments =
                    new ArrayList<>(List.of("serve", "--instance", "inf2.24xlarge", "--root", root.toString()));
            arguments.addAll(List.of(more));
            Process process = run(arguments.toArray(String[]::new));
            assertThat(process.inputReader().readLine()).isEqualTo("ready " + root);
            return process;
        }

        private void ended(Process process) throws InterruptedException {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
            assertThat(root).doesNotExist();
        }

        @Test
        void showsEverythingWhenItIsReady() throws Exception {
            serve();

            Path devices = root.resolve("sys/devices/virtual/neuron_device");
            try (var entries = Files.list(devices)) {
                assertThat(entries).hasSize(6);
            }
            assertThat(root.resolve("sys/module/neuron/version")).content().startsWith("2.30.2");
            assertThat(root.resolve("sys/devices/virtual/dmi/id/product_name")).hasContent("inf2.24xlarge");
        }

        @Test
        void answersCommandsOnItsInput() throws Exception {
            Process process = serve("--layout", "driver-2.30");
            BufferedReader answers = process.inputReader();
            Writer commands = process.outputWriter();

            commands.write("open P neuron0/neuron_core1\nexecute P neuron0/neuron_core1 NRT_TIMEOUT 3\nnonsense\n");
            commands.flush();

            assertThat(answers.readLine()).startsWith("ok pid ");
            assertThat(answers.readLine()).isEqualTo("ok");
            assertThat(answers.readLine()).startsWith("error unknown command nonsense");
            Path timeouts =
                    root.resolve("sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/timeout/total");
            assertThat(timeouts).content().isEqualTo("3\n");
        }

        @Test
        void endsOnQuitAndLeavesNothingBehind() throws Exception {
            Process process = serve("--keep");

            process.outputWriter().append("quit\n").flush();

            assertThat(process.inputReader().readLine()).isEqualTo("ok");
            ended(process);
            assertThat(process.exitValue()).isZero();
        }

        @Test
        void endsWhenItsInputEnds() throws Exception {
            Process process = serve();

            process.outputWriter().close();

            ended(process);
        }

        @Test
        void endsOnTermAndLeavesNothingBehind() throws Exception {
            Process process = serve();

            process.destroy();

            ended(process);
        }

        @Test
        void staysWithoutInputWhenToldToKeep() throws Exception {
            Process process = serve("--keep");

            process.outputWriter().append("help\n").close();

            assertThat(process.inputReader().readLine()).startsWith("ok ");
            await().during(500, MILLISECONDS).until(() -> process.isAlive() && Files.exists(root));
            process.destroy();
            ended(process);
        }

        @Test
        void takesADirectoryThatIsThereAndEmptyAndLeavesItEmpty() throws Exception {
            Files.createDirectory(root);

            Process process = serve();
            process.destroy();

            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
            assertThat(root).isEmptyDirectory();
        }

        @Test
        void refusesADirectoryThatIsNotEmpty() throws Exception {
            Files.createDirectory(root);
            Path mine = Files.writeString(root.resolve("mine"), "precious");

            Process process = run("serve", "--instance", "inf2.24xlarge", "--root", root.toString());

            assertThat(process.inputReader().readLine())
                    .contains(root.toString())
                    .contains("not empty");
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
            assertThat(process.exitValue()).isNotZero();
            assertThat(mine).hasContent("precious");
        }

        @Test
        void saysTheReasonWithoutTheWholeUsageBelowIt() throws Exception {
            Process process = run("serve", "--instance", "trn9.huge", "--root", root.toString());

            assertThat(process.inputReader().lines()).hasSize(2).last().isEqualTo("See 'fake-sysfs serve --help'.");
        }

        @Test
        void refusesAnInstanceTypeThatItDoesNotKnow() throws Exception {
            Process process = run("serve", "--instance", "trn9.huge", "--root", root.toString());

            assertThat(process.inputReader().readLine()).contains("trn9.huge").contains("trn1.32xlarge");
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(2);
        }
    }

    @Test
    void neffWritesAModel() throws Exception {
        Path file = folder.resolve("a model.neff");

        Process process = run(
                "neff",
                "--name",
                "resnet",
                "--uuid",
                "e09e25ab-3c06-4ef9-8923-3737f9c6fa04",
                "--lnc",
                "2",
                "--profile",
                "vector",
                "--time",
                "250",
                "--input",
                "in:0:4096",
                "--workers",
                "2",
                file.toString());

        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        Path same = FakeNeff.builder()
                .name("resnet")
                .uuid(UUID.fromString("e09e25ab-3c06-4ef9-8923-3737f9c6fa04"))
                .lnc(2)
                .profile("vector")
                .time(Duration.ofNanos(250_000))
                .input("in:0", 4096)
                .workers(2)
                .write(folder.resolve("same.neff"));
        assertThat(file).hasSameBinaryContentAs(same);
    }

    @Test
    void neffRefusesWhatIsNoModel() throws Exception {
        Process process =
                run("neff", "--input", "x:many", folder.resolve("x.neff").toString());

        assertThat(process.inputReader().readLine()).contains("x:many is no NAME:BYTES");
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
    }

    @Test
    void listPrintsInstanceTypesAndLayouts() throws Exception {
        Process process = run("list");

        assertThat(process.inputReader().lines())
                .contains("  trn2.48xlarge", "  inf2.xlarge", "  docs-2023", "  driver-2.30");
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
