package dev.neurontest.fake;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.neurontest.fake.internal.control.CommandSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of the files that the library writes for a native program with {@code NEURON_RT_INSPECT_*} variables. */
class RuntimeInspectIT {

    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path folder;

    private FakeNeuronHost host;

    private RuntimeProgramFixture program;

    @BeforeEach
    void start() {
        RuntimeProgramFixture.requireLibrary();
        host = FakeNeuronHost.builder().instance("trn2.3xlarge").start();
    }

    @AfterEach
    void stop() throws IOException {
        if (program != null) {
            program.close();
        }
        if (host != null) {
            host.close();
        }
    }

    /** Starts a program with the variables that are written without their common beginning. */
    private void run(String... variables) throws IOException {
        Map<String, String> environment = new HashMap<>();
        environment.put("NEURON_RT_INSPECT_ENABLE", "1");
        environment.put("NEURON_RT_INSPECT_OUTPUT_DIR", output().toString());
        environment.put("NEURON_RT_LOG_LEVEL", "INFO");
        environment.put("NEURON_RT_LOG_LOCATION", "console");
        for (String variable : variables) {
            String[] parts = variable.split("=", 2);
            environment.put("NEURON_RT_INSPECT_" + parts[0], parts[1]);
        }
        program = RuntimeProgramFixture.start(host, environment);
    }

    private Path output() {
        return folder.resolve("a/b");
    }

    private void execute(int times) throws IOException {
        Path neff = FakeNeff.builder().name("k").lnc(2).write(folder.resolve("k.neff"));
        program.succeed("init", "load " + neff + " 1 1");
        for (int i = 0; i < times; i++) {
            program.say("execute 0");
        }
    }

    private List<String> files() throws IOException {
        if (!Files.exists(output())) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(output())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> output().relativize(file)
                            .toString()
                            .replaceAll("[0-9]{10,}(?=_)|(?<=neff_)[0-9]{10,}", "H"))
                    .map(name -> name.replace("pid_" + program.pid(), "pid_P"))
                    .sorted()
                    .toList();
        }
    }

    private static String in(String name) {
        return "i-0123456789abcdef0_pid_P/" + name;
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "model"})
    void modelModeWritesATraceOfEachNeffAndCore(String mode) throws Exception {
        run("DEVICE_PROFILE=" + mode);
        execute(3);
        assertThat(files()).isEmpty();

        program.say("close");

        assertThat(files())
                .containsExactly(in("H_vnc_1.ntff"), in("neff_H_vnc_1.neff"), in("ntrace.pb"), in("trace_info.pb"));
        assertThat(program.err()).contains("wrote 4 files into " + output() + "/i-0123456789abcdef0_pid_");
    }

    @Test
    void sessionModeWritesATraceOfEachCore() throws Exception {
        run("DEVICE_PROFILE=session");
        execute(1);
        program.say("close");

        assertThat(files())
                .containsExactly(
                        in("neff_H.neff"),
                        in("ntrace.pb"),
                        in("profile_nc_0_session_1.ntff"),
                        in("profile_nc_1_session_1.ntff"),
                        in("profile_nc_2_session_1.ntff"),
                        in("profile_nc_3_session_1.ntff"),
                        in("trace_info.pb"));
        Path of = outputOfProgram();
        assertThat(of.resolve("profile_nc_0_session_1.ntff")).isEmptyFile();
        assertThat(of.resolve("profile_nc_1_session_1.ntff")).isNotEmptyFile();
    }

    @ParameterizedTest
    @CsvSource({
        "DEVICE_PROFILE=0, 'ntrace.pb trace_info.pb'",
        "SYSTEM_PROFILE=1, 'ntrace.pb trace_info.pb'",
        "SYSTEM_PROFILE=0, ''",
        "CPU_UTIL=1, 'cpu_util.pb ntrace.pb trace_info.pb'",
        "HOST_MEMORY=1, 'host_mem.pb ntrace.pb trace_info.pb'",
    })
    void writesOnlyWhatTheVariablesAskFor(String variable, String names) throws Exception {
        run(variable);
        execute(1);
        program.say("close");

        assertThat(files())
                .containsExactlyElementsOf(Stream.of(names.split(" "))
                        .filter(name -> !name.isEmpty())
                        .map(RuntimeInspectIT::in)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"model", "session"})
    void scriptedLackOfATraceHoldsInEachMode(String mode) throws Exception {
        try (CommandSession session = host.openSession()) {
            assertThat(session.answer("profiler no-trace")).isEqualTo("ok");
        }
        run("DEVICE_PROFILE=" + mode);
        execute(1);
        program.say("close");

        assertThat(files()).isNotEmpty().noneMatch(name -> name.endsWith("_1.ntff"));
    }

    @Test
    void withoutTheSwitchWritesNothing() throws Exception {
        run("ENABLE=0", "DEVICE_PROFILE=1");
        execute(1);
        program.say("close");

        assertThat(files()).isEmpty();
    }

    @Test
    void programThatEndsWithoutACloseWritesItsFiles() throws Exception {
        run("DEVICE_PROFILE=1");
        execute(1);

        program.endInput();

        assertThat(program.exitCode()).isZero();
        assertThat(files()).contains(in("H_vnc_1.ntff"));
    }

    @ParameterizedTest
    @CsvSource({"TERM, 2.34.10.0, true", "TERM, 2.31.24.0, true", "TERM, 2.31.22.0, false", "KILL, 2.34.10.0, false"})
    void signalsWriteFilesSinceRuntime23124(String signal, String runtime, boolean written) throws Exception {
        host.runtime().release(runtime);
        run("DEVICE_PROFILE=1");
        execute(1);

        new ProcessBuilder("kill", "-" + signal, String.valueOf(program.pid()))
                .start()
                .waitFor();

        assertThat(program.exitCode()).isGreaterThan(128);
        assertThat(files().contains(in("H_vnc_1.ntff"))).isEqualTo(written);
        await().until(() -> host.processes().isEmpty());
    }

    private void terminate() throws Exception {
        new ProcessBuilder("kill", "-TERM", String.valueOf(program.pid()))
                .start()
                .waitFor();
    }

    @Test
    void signalEndsASleepingProgramBeforeItGoesOn() throws Exception {
        run("DEVICE_PROFILE=1");
        execute(1);
        assertThat(program.say("sleep")).isEqualTo("sleeping");

        terminate();

        assertThat(program.exitCode()).isEqualTo(TERMINATED);
        assertThat(files()).contains(in("H_vnc_1.ntff"));
    }

    @Test
    void signalThatTheProgramBlocksIsLeftToIt() throws Exception {
        run("DEVICE_PROFILE=1");
        execute(1);
        program.succeed("block-term");

        terminate();

        program.succeed("read-term", "close");
        assertThat(files()).contains(in("H_vnc_1.ntff"));
    }

    @Test
    void programThatExitsInItsSignalHandlerEnds() throws Exception {
        run("DEVICE_PROFILE=1");
        execute(1);
        program.succeed("exit-on-term");
        program.begin("repeat 0 1000000");
        await().until(() -> host.runtime().executions().size() > 100);

        terminate();

        await().until(() -> host.processes().isEmpty());
        assertThat(program.exitCode()).isEqualTo(7);
    }

    @Test
    void signalAfterTheLibraryIsUnloadedEndsTheProgram() throws Exception {
        ProcessBuilder python = new ProcessBuilder(
                "python3",
                "-c",
                """
                        import _ctypes, ctypes, os, signal, sys
                        library = ctypes.CDLL(sys.argv[1])
                        assert library.nrt_init(1, b"", b"") == 0
                        library.nrt_close()
                        _ctypes.dlclose(library._handle)
                        os.kill(os.getpid(), signal.SIGTERM)
                        signal.pause()
                        """,
                host.directory().resolve("opt/aws/neuron/lib/libnrt.so.1").toString());
        python.environment().put("NEURON_RT_INSPECT_ENABLE", "1");
        python.environment().put("NEURON_RT_INSPECT_OUTPUT_DIR", output().toString());

        assertThat(python.start().waitFor()).isEqualTo(TERMINATED);
    }

    @ParameterizedTest
    @CsvSource({"2.35.30.0, 2, 3, true", "2.35.30.0, 3, 3, false", "2.34.10.0, 3, 3, true"})
    void warmUpSkipsExecutionsFromRuntime235On(String runtime, String warmUp, int executions, boolean traced)
            throws Exception {
        host.runtime().release(runtime);
        run("DEVICE_PROFILE=1", "DEVICE_PROFILE_NUM_WARMUP=" + warmUp);
        execute(executions);
        program.say("close");

        assertThat(files().contains(in("H_vnc_1.ntff"))).isEqualTo(traced);
    }

    @Test
    void failureIsTracedOnRequest() throws Exception {
        host.runtime().neff("k").status(NrtStatus.NRT_EXEC_OOB);
        run("ON_FAIL=1");
        execute(1);
        program.say("close");

        assertThat(files()).contains(in("H_vnc_1.ntff"));
    }

    @Test
    void successIsNotTracedAsAFailure() throws Exception {
        run("ON_FAIL=1");
        execute(1);
        program.say("close");

        assertThat(files()).containsExactly(in("ntrace.pb"), in("trace_info.pb"));
    }

    @Test
    void sessionWithoutASuccessIsAnEmptyFile() throws Exception {
        host.runtime().neff("k").status(NrtStatus.NRT_EXEC_OOB);
        run("DEVICE_PROFILE=session");
        execute(1);
        program.say("close");

        assertThat(outputOfProgram().resolve("profile_nc_1_session_1.ntff")).isEmptyFile();
    }

    @Test
    void scriptLeavesOutTheTrace() throws Exception {
        host.profiler().script("no-trace");
        run("DEVICE_PROFILE=1");
        execute(1);
        program.say("close");

        assertThat(files()).containsExactly(in("neff_H_vnc_1.neff"), in("ntrace.pb"), in("trace_info.pb"));
    }

    @Test
    void systemTraceHasTheDurationOfEachExecution() throws Exception {
        run();
        execute(0);
        host.runtime().neff("k").latency(Duration.ofMillis(7));
        program.succeed("execute 0");
        host.runtime().neff("k").reset().latency(Duration.ofMillis(20));
        program.succeed("execute 0");
        program.say("close");

        assertThat(Files.readAllLines(outputOfProgram().resolve("ntrace.pb")))
                .filteredOn(line -> line.startsWith("nc_exec_running "))
                .map(line ->
                        Duration.ofNanos(Long.parseLong(line.split(" ")[2])).toMillis())
                .containsExactlyInAnyOrder(7L, 7L, 20L, 20L);
    }

    @Test
    void signalReachesTheHandlerOfTheProgram() throws Exception {
        run("DEVICE_PROFILE=1");
        program.succeed("handle-term");
        execute(1);

        new ProcessBuilder("kill", "-TERM", String.valueOf(program.pid()))
                .start()
                .waitFor();

        assertThat(program.exitCode()).isEqualTo(7);
        assertThat(files()).isEmpty();
    }

    @Test
    void secondInspectionIsRefused() throws Exception {
        run();
        program.succeed("init");

        assertThat(program.say("inspect " + folder)).startsWith("2 all ");

        assertThat(program.err()).contains("it has begun already");
    }

    @Test
    void variablesMayHaveAnyCharacters() throws Exception {
        run("EVENT_FILTER_TYPE=^100% a+b");
        execute(1);
        program.say("close");

        assertThat(files()).containsExactly(in("ntrace.pb"), in("trace_info.pb"));
    }

    @Test
    void signalEndsAChildWithoutItsParent() throws Exception {
        run("DEVICE_PROFILE=1");
        execute(1);
        long child = Long.parseLong(program.say("fork").substring(2));

        new ProcessBuilder("kill", "-TERM", String.valueOf(child)).start().waitFor();

        // The program does not wait for its child, which remains as a zombie.
        await().until(() ->
                Files.readString(Path.of("/proc/" + child + "/stat")).contains(") Z "));
        program.succeed("execute 0");
        assertThat(files()).isEmpty();
    }

    private Path outputOfProgram() {
        return output().resolve("i-0123456789abcdef0_pid_" + program.pid());
    }

    @Test
    void folderThatCannotBeCreatedIsLogged() throws Exception {
        Files.writeString(folder.resolve("a"), "a file");
        run("DEVICE_PROFILE=1");
        execute(1);

        program.say("close");

        assertThat(program.err())
                .contains(output() + "/i-0123456789abcdef0_pid_")
                .contains(" cannot be created: Not a directory");
        assertThat(program.say("counts")).isNotNull();
        assertThat(host.directory().resolve(".runtime")).isEmptyDirectory();
    }

    @Test
    void folderWithATooLongNameIsLogged() throws Exception {
        String folders = "/abcdefghi".repeat(420);
        run("OUTPUT_DIR=" + folder + folders);
        execute(1);

        program.say("close");

        assertThat(program.err()).contains(" cannot be created: File name too long");
        assertThat(host.directory().resolve(".runtime")).isEmptyDirectory();
    }

    @Test
    void traceHasTheScriptedDurationAndTheCoresOfTheProgram() throws Exception {
        host.runtime().neff("k").latency(Duration.ofMillis(7));
        run("DEVICE_PROFILE=1");
        execute(2);
        program.say("close");
        Path of = outputOfProgram();

        Process view = new ProcessBuilder(
                        host.directory()
                                .resolve("opt/aws/neuron/bin/neuron-explorer")
                                .toString(),
                        "view",
                        "--output-format",
                        "summary-json",
                        "-n",
                        named(of, ".neff"),
                        "-s",
                        named(of, ".ntff"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String summary = new String(view.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(view.waitFor()).isZero();
        JsonNode metrics =
                JsonMapper.shared().readTree(summary).values().iterator().next();
        assertThat(metrics.get("total_time").doubleValue()).isCloseTo(0.007, withinPercentage(5));
        String events = Files.readString(of.resolve("ntrace.pb"));
        assertThat(events.lines().filter(line -> line.startsWith("nc_exec_running ")))
                .hasSize(4);
        assertThat(events).startsWith("i-0123456789abcdef0 " + program.pid() + " ");
    }

    private static String named(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(end))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void toolThatRunsAProgramFindsItsFiles() throws Exception {
        Path neff =
                FakeNeff.builder().name("acc").lnc(2).output("c", "float32", 4).write(folder.resolve("acc.neff"));
        Process inspect = new ProcessBuilder(
                        host.directory()
                                .resolve("opt/aws/neuron/bin/neuron-explorer")
                                .toString(),
                        "inspect",
                        "-o",
                        output().toString(),
                        "python3",
                        Path.of("src", "test", "python", "runtime_calls.py")
                                .toAbsolutePath()
                                .toString(),
                        host.directory()
                                .resolve("opt/aws/neuron/lib/libnrt.so.1")
                                .toString(),
                        neff.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(inspect.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(inspect.waitFor()).as(printed).isZero();
        try (Stream<Path> files = Files.walk(output())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .anyMatch(name -> name.endsWith("_vnc_0.ntff"))
                    .contains("ntrace.pb");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "C", "ar_EG.UTF-8"})
    void toolThatRunsAProgramLeavesItsLocale(String locale) throws Exception {
        ProcessBuilder inspect = new ProcessBuilder(
                host.directory().resolve("opt/aws/neuron/bin/neuron-explorer").toString(),
                "inspect",
                "-o",
                output().toString(),
                "sh",
                "-c",
                "echo \"locale ${LC_ALL-none}\"");
        inspect.environment().put("LC_ALL", locale);
        if (locale.isEmpty()) {
            inspect.environment().remove("LC_ALL");
        }
        Process started = inspect.redirectErrorStream(true).start();

        assertThat(new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("locale " + (locale.isEmpty() ? "none" : locale) + "\n");
        assertThat(started.waitFor()).isZero();
    }
}
