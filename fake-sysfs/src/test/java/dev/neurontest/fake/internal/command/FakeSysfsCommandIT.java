package dev.neurontest.fake.internal.command;

import static dev.neurontest.patience.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.RecordingFixture;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
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
import picocli.CommandLine;

/** Tests of the command as a separate process, as a user runs it. */
class FakeSysfsCommandIT {

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
    }

    private Process run(String... arguments) throws IOException {
        // JDK 24 and later warn of native access without the option, and these tests compare all output.
        Process process = new ProcessBuilder(JvmCommand.program(
                        List.of("--enable-native-access=ALL-UNNAMED"), FakeSysfsCommand.class, arguments))
                .redirectErrorStream(true)
                .start();
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
        void filesAreCompleteWhenReadyIsPrinted() throws Exception {
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
        void showsTheNodesOfAContainer() throws Exception {
            serve("--container", "2,5");

            try (var nodes = Files.list(root.resolve("dev"))) {
                assertThat(nodes.map(node -> node.getFileName().toString()))
                        .containsExactlyInAnyOrder("neuron0", "neuron1", "kmsg");
            }
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
        void answersInvalidInputWithErrors() throws Exception {
            Process process = serve();
            BufferedReader answers = process.inputReader();
            OutputStream commands = process.getOutputStream();

            commands.write("acc float32 65536x65536 arange\n".getBytes(UTF_8));
            commands.write("neff acc print=\"acc float32 65536x65536 arange\"\n".getBytes(UTF_8));
            commands.write("neff acc print=\"acc int32 1 zeros times=2147483647 sequence\"\n".getBytes(UTF_8));
            commands.write(new byte[] {0, (byte) 0xff, (byte) 0xfe, '\n'});
            commands.write(("x".repeat(1 << 20) + "\n").getBytes(UTF_8));
            commands.write("executions\n".getBytes(UTF_8));
            commands.flush();

            for (int line = 0; line < 5; line++) {
                assertThat(answers.readLine()).startsWith("error ");
            }
            assertThat(answers.readLine()).isEqualTo("ok");
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
        void keepOptionContinuesAfterEndOfInput() throws Exception {
            Process process = serve("--keep");

            process.outputWriter().append("help\n").close();

            assertThat(process.inputReader().readLine()).startsWith("ok ");
            await().during(500, MILLISECONDS).until(() -> process.isAlive() && Files.exists(root));
            process.destroy();
            ended(process);
        }

        @Test
        void acceptsEmptyDirectoryAndLeavesItEmpty() throws Exception {
            Files.createDirectory(root);

            Process process = serve();
            process.destroy();

            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
            assertThat(root).isEmptyDirectory();
        }

        @Test
        void refusesNonEmptyDirectory() throws Exception {
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
        void printsReasonWithoutFullUsage() throws Exception {
            Process process = run("serve", "--instance", "trn9.huge", "--root", root.toString());

            assertThat(process.inputReader().lines()).hasSize(2).last().isEqualTo("See 'fake-sysfs serve --help'.");
        }

        @Test
        void refusesUnknownInstanceType() throws Exception {
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
    void neffRefusesInvalidInputSize() throws Exception {
        Process process =
                run("neff", "--input", "x:many", folder.resolve("x.neff").toString());

        assertThat(process.inputReader().readLine()).contains("x:many is neither NAME:BYTES nor NAME:DTYPE:SHAPE");
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
    }

    @Test
    void listPrintsInstanceTypesAndLayouts() throws Exception {
        Process process = run("list");

        assertThat(process.inputReader().lines())
                .contains("  trn2.48xlarge", "  inf2.xlarge", "  docs-2023", "  driver-2.30")
                .containsSubsequence(
                        "  driver-2.30",
                        "invented layouts, for tests of programs that must not depend on" + " the paths of files:",
                        "  moved",
                        "  moved-deeper",
                        "  moved-beside");
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Nested
    class ServeRecording {

        private Path recording;

        @BeforeEach
        void chooseFile() throws IOException {
            recording = folder.toRealPath().resolve("host.neuron-archive.txt");
        }

        /** Runs a refused command, which needs no separate process, and returns its output. */
        private String refused(String... arguments) {
            StringWriter output = new StringWriter();
            CommandLine command = new CommandLine(new FakeSysfsCommand())
                    .setOut(new PrintWriter(output))
                    .setErr(new PrintWriter(output));
            assertThat(command.execute(arguments)).isEqualTo(2);
            return output.toString();
        }

        @Test
        void recordingIsServed() throws Exception {
            // given
            try (FakeNeuronHost host = FakeNeuronHost.builder()
                    .instance("inf2.xlarge")
                    .layout("driver-2.29")
                    .start()) {
                host.device(0).ecc("mem_uncorrected", 4);
                RecordingFixture.record(host, recording);
            }

            // when
            Path root = folder.toRealPath().resolve("root");
            Process serving = run("serve", "--from", recording.toString(), "--root", root.toString(), "--keep");
            assertThat(serving.inputReader().readLine()).isEqualTo("ready " + root);

            // then
            assertThat(root.resolve("sys/devices/virtual/dmi/id/product_name")).hasContent("inf2.xlarge\n");
            assertThat(root.resolve("sys/module/neuron/version")).hasContent("2.29.0.0\n");
            assertThat(root.resolve("sys/devices/virtual/neuron_device/neuron0/stats/hardware/mem_ecc_uncorrected"))
                    .hasContent("4\n");
        }

        @Test
        void unknownInstanceTypeIsReported() throws Exception {
            // given
            Files.writeString(recording, """
                    neuron-archive 1
                    recorded 2026-11-22T02:13:20.000Z
                    writer by hand
                    directory 0755 sys/devices/virtual/dmi/id
                     product_name 0444 = m7i.large\\n
                    end
                    """);

            // when
            Process serving = run(
                    "serve",
                    "--from",
                    recording.toString(),
                    "--root",
                    folder.resolve("host").toString());

            // then
            assertThat(serving.inputReader().readLine())
                    .isEqualTo("unknown instance type \"m7i.large\": treated as one without devices");
        }

        @Test
        void invalidRecordingIsRefusedInOneLine() throws Exception {
            // given
            Files.writeString(recording, "neuron-archive 1\nwriter me\n total 0644 = 1\\n\nend\n");

            // when
            String output = refused(
                    "serve",
                    "--from",
                    recording.toString(),
                    "--root",
                    folder.resolve("host").toString());

            // then
            assertThat(output.lines().findFirst())
                    .contains(
                            "cannot replay " + recording + ":3: read \" total 0644 = 1\\n\", expected \"directory MODE"
                                    + " PATH\" before its entries; add the directory of this entry");
            assertThat(folder.resolve("host")).doesNotExist();
        }

        @Test
        void instanceTypeAndRecordingExcludeEachOther() throws Exception {
            assertThat(refused("serve", "--from", "a", "--instance", "b", "--root", "c"))
                    .contains("mutually exclusive");
            assertThat(refused("serve", "--root", "c")).contains("--instance");
        }

        @Test
        void playWithoutARecordingIsRefused() {
            assertThat(refused("serve", "--instance", "trn1.2xlarge", "--play", "--root", "c"))
                    .startsWith("--play needs --from: only an archive can be played");
        }
    }
}
