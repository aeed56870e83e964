package dev.neurontest.fake.internal.profiler;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the output of a workload under {@code NEURON_RT_INSPECT_*}. */
class InlineProfileIT {

    private static final String MODEL = "1311768467463790320";
    private static final String HELPER = "81985529216486895";

    @AutoClose
    private static FakeNeuronHost host;

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @BeforeAll
    static void start() {
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
        host.directory();
    }

    @BeforeEach
    void prepare() throws IOException {
        host.profiler().reset();
        FakeNeff.builder()
                .uuid(new UUID(0x123456789abcdef0L, 1))
                .time(Duration.ofMillis(17))
                .write(folder.resolve("m.neff"));
        FakeNeff.builder()
                .uuid(new UUID(0x0123456789abcdefL, 1))
                .time(Duration.ofNanos(20_000))
                .write(folder.resolve("helper.neff"));
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private String warmUp = "";

    private Process run(String deviceProfile, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(host.directory().resolve("bin/run-neff").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("NEURON_"));
        if (!deviceProfile.isEmpty()) {
            builder.environment().put("NEURON_RT_INSPECT_ENABLE", "1");
            builder.environment().put("NEURON_RT_INSPECT_OUTPUT_DIR", "out");
            builder.environment().put("NEURON_RT_INSPECT_DEVICE_PROFILE", deviceProfile);
        }
        builder.environment().put("NEURON_RT_INSPECT_DEVICE_PROFILE_NUM_WARMUP", warmUp);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Path output(Process process) {
        return folder.resolve("out/i-0123456789abcdef0_pid_" + process.pid());
    }

    private List<String> files(Process process) throws IOException {
        try (Stream<Path> files = Files.list(output(process))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void runNeffPrintsItsUsage() throws Exception {
        Process process = run("", "--help");

        assertThat(process.inputReader().lines())
                .startsWith(
                        "usage: run-neff [--times N] [--status NRT_STATUS] [--each-core] [--hold] NEFF [HELPER_NEFF ...]")
                .contains(
                        "      --times=", "      How often it is executed.", "      Keeps its cores until it is ended.")
                .allMatch(line -> line.length() <= 100, "is at most 100 wide");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void hasOneTracePerNeffInModelMode() throws Exception {
        Process process = run("1", "--times", "5", "m.neff", "helper.neff");

        assertThat(process.waitFor()).isZero();
        assertThat(files(process))
                .containsExactlyInAnyOrder(
                        "neff_" + MODEL + "_vnc_0.neff",
                        MODEL + "_vnc_0.ntff",
                        "neff_" + HELPER + "_vnc_0.neff",
                        HELPER + "_vnc_0.ntff",
                        "ntrace.pb",
                        "trace_info.pb");
        Ntff first = Ntff.read(output(process).resolve(MODEL + "_vnc_0.ntff"));
        assertThat(first.picoseconds()).as("the first execution").isEqualTo(19_080_000_000L);
        assertThat(first.isOf(Neff.read(output(process).resolve("neff_" + MODEL + "_vnc_0.neff"))))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"2.35.30.0, 17000000000, false", "2.34.10.0, 19080000000, true"})
    void tracesExecutionAfterWarmUpSinceRuntime235(String runtime, long picoseconds, boolean helper) throws Exception {
        String usual = host.runtime().version();
        host.runtime().release(runtime);
        try {
            warmUp = "2";
            Process process = run("model", "--times", "3", "m.neff", "helper.neff");

            assertThat(process.waitFor()).isZero();
            assertThat(Ntff.read(output(process).resolve(MODEL + "_vnc_0.ntff")).picoseconds())
                    .isEqualTo(picoseconds);
            assertThat(files(process).contains(HELPER + "_vnc_0.ntff"))
                    .as("what was executed once")
                    .isEqualTo(helper);
        } finally {
            host.runtime().release(usual);
        }
    }

    @Test
    void hasOneTracePerCoreInSessionMode() throws Exception {
        Process process = run("session", "m.neff");

        assertThat(process.waitFor()).isZero();
        assertThat(output(process).resolve("profile_nc_0_session_1.ntff")).isNotEmptyFile();
        assertThat(output(process).resolve("profile_nc_1_session_1.ntff"))
                .as("a core that executed nothing")
                .isEmptyFile();
        assertThat(files(process)).contains("neff_" + MODEL + ".neff");
    }

    @Test
    void hasNoDeviceTraceWhenDeviceProfileIsZero() throws Exception {
        Process process = run("0", "m.neff");

        assertThat(process.waitFor()).isZero();
        assertThat(files(process)).containsExactlyInAnyOrder("ntrace.pb", "trace_info.pb");
    }

    @Test
    void isNotWrittenByDefault() throws Exception {
        Process process = run("", "m.neff");

        assertThat(process.waitFor()).isZero();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void followsScripts() throws Exception {
        host.profiler().script("ntff-bytes", 0);

        Process process = run("1", "m.neff");

        assertThat(process.waitFor()).isZero();
        assertThat(output(process).resolve(MODEL + "_vnc_0.ntff")).isEmptyFile();
    }

    @Test
    void isWrittenOnSigterm() throws Exception {
        Process process = run("1", "--hold", "m.neff");
        assertThat(process.inputReader().readLine()).isEqualTo("executed 1");

        process.destroy();

        process.waitFor();
        assertThat(output(process).resolve(MODEL + "_vnc_0.ntff")).isNotEmptyFile();
        await().until(() -> host.processes().isEmpty());
    }

    @Test
    void isLostOnSigkill() throws Exception {
        Process process = run("1", "--hold", "m.neff");
        assertThat(process.inputReader().readLine()).isEqualTo("executed 1");

        process.destroyForcibly();

        process.waitFor();
        assertThat(folder.resolve("out")).doesNotExist();
        await().until(() -> host.processes().isEmpty());
    }
}
