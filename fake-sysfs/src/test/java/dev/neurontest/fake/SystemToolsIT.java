package dev.neurontest.fake;

import static dev.neurontest.patience.Patience.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of {@code neuron-ls} and {@code neuron-monitor} as files of a host, run as processes. */
class SystemToolsIT {

    private static final int FAILED = 1;

    @TempDir
    private Path folder;

    private FakeNeuronHost host;
    private final List<Process> started = new ArrayList<>();

    private record Result(int code, String out, String err) {}

    @BeforeEach
    void start() throws IOException {
        // A shell would split or expand this name.
        Path root = folder.toRealPath().resolve("a host's $root");
        host = FakeNeuronHost.builder().instance("trn2.3xlarge").root(root).start();
        host.directory();
    }

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
        host.close();
    }

    private Process start(Map<String, String> variables, String tool, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                host.directory().resolve("opt/aws/neuron/bin").resolve(tool).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("NEURON_"));
        builder.environment().putAll(variables);
        builder.redirectError(folder.resolve("err").toFile());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Result run(Map<String, String> variables, String tool, String... arguments) throws Exception {
        Process process = start(variables, tool, arguments);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), out, Files.readString(folder.resolve("err")));
    }

    private Result ls(String... arguments) throws Exception {
        return run(Map.of(), "neuron-ls", arguments);
    }

    @Nested
    class NeuronLs {

        @ParameterizedTest
        @ValueSource(strings = {"-j", "--json-output"})
        void printsJsonWithoutANewlineAtItsEnd(String option) throws Exception {
            Result result = ls(option);

            assertThat(result.out()).startsWith("[\n    {\n").endsWith("\n]").contains("\"nc_count\": 4");
            assertThat(result.err()).isEmpty();
            assertThat(result.code()).isZero();
        }

        @Test
        void takesTheLogicalCoreSizeOfItsEnvironment() throws Exception {
            Result result = run(Map.of("NEURON_LOGICAL_NC_CONFIG", "1"), "neuron-ls", "-j");

            assertThat(result.out()).contains("\"nc_count\": 8", "\"logical_neuroncore_config\": 1");
            assertThat(run(Map.of("NEURON_LOGICAL_NC_CONFIG", "3"), "neuron-ls"))
                    .isEqualTo(
                            new Result(FAILED, "", "neuron-ls: NEURON_LOGICAL_NC_CONFIG must be 1 or 2, not \"3\"\n"));
        }

        @Test
        void showsTheCommandLineOfAProgram() throws Exception {
            Process program = new ProcessBuilder("sleep", "3600").start();
            started.add(program);
            host.process("sleep").pid(program.pid()).open(host.device(0).core(0));

            assertThat(ls("-w").out()).containsPattern("\\| " + program.pid() + " +\\| \\S*sleep 3600 +\\|");
        }

        @Test
        void listsItselfWithAllPrograms() throws Exception {
            assertThat(ls("-a").out()).contains("| neuron-ls -a |").containsPattern("\\| NA +\\|");
        }

        @Test
        void drawsTheTopology() throws Exception {
            assertThat(ls("-t").out()).endsWith("Neuron Device Topology\n[ 0 ]\n");
        }

        @ParameterizedTest
        @CsvSource({"--badflag, badflag", "--json, json", "-x, x", "--version, version"})
        void printsUnknownFlagOnStandardOutput(String option, String name) throws Exception {
            assertThat(ls(option)).isEqualTo(new Result(FAILED, "unknown flag `" + name + "'\n", ""));
        }

        @Test
        void withoutDevicesPrintsOneLineOnStandardError() throws Exception {
            host.device(0).remove();

            assertMissing(ls("-j"));
        }

        @Test
        void withoutAHostPrintsOneLineOnStandardError() throws Exception {
            assertMissing(run(Map.of("NEURON_FAKE_ROOT", folder.resolve("none").toString()), "neuron-ls", "-j"));
        }

        private static void assertMissing(Result result) {
            assertThat(result.code()).isEqualTo(FAILED);
            assertThat(result.out()).isEmpty();
            assertThat(result.err())
                    .matches("time=\"[0-9T:Z-]{20}\" level=fatal msg=\"Failed to load MLA system information\" "
                            + "error=\"failed to discover Neuron devices\"\n");
        }

        @Test
        void refusesJsonFromVersion234On() throws Exception {
            host.systemTools().tool("neuron-ls", "working 2.34.7.0");

            assertThat(ls("-j")).isEqualTo(new Result(FAILED, "unknown flag `j'\n", ""));
            assertThat(ls("--json-output")).isEqualTo(new Result(FAILED, "unknown flag `json-output'\n", ""));
            assertThat(ls("--output-format", "json").err()).contains("layout of this version is not known");
            assertThat(ls().out()).contains("instance-type: trn2.3xlarge");
            assertThat(ls("--help").out()).contains("--output-format=").doesNotContain("--json-output");
        }

        @Test
        void explainsItsOptions() throws Exception {
            assertThat(ls("--help").out())
                    .contains("-w, --wide", "-a, --show-all-procs", "-t, --topology", "-j, --json-output");
        }
    }

    @Nested
    class NeuronMonitor {

        private Process monitor() throws IOException {
            return monitor("0.01s");
        }

        private Process monitor(String period) throws IOException {
            Path configuration = Files.writeString(folder.resolve("monitor.conf"), """
                    {
                      "period": "%s",
                      "neuron_runtimes": [{"tag_filter": "42|job", "metrics": [{"type": "execution_stats"}]}]
                    }
                    """.formatted(period));
            return start(Map.of(), "neuron-monitor", "-c", configuration.toString());
        }

        private JsonNode line(BufferedReader out) throws IOException {
            return JsonMapper.shared().readTree(out.readLine());
        }

        @Test
        void printsAnObjectPerLineAtItsPeriod() throws Exception {
            Process monitor = monitor();
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(monitor.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(line(out).get("neuron_runtime_data")).isEmpty();

                FakeCore core = host.device(0).core(0);
                FakeProcess process = host.process("trainer").pid(4242).open(core);
                process.execute(core, 1000);
                long completed = 0;
                while (completed < 1000) {
                    JsonNode summary = line(out).at("/neuron_runtime_data/0/report/execution_stats/execution_summary");
                    completed += summary.path("completed").asLong(0);
                }
                assertThat(completed).isEqualTo(1000);
            }
            // Nobody reads its output any more.
            assertThat(monitor.waitFor(60, SECONDS)).isTrue();
            await().until(() -> !run(Map.of(), "neuron-ls", "-a").out().contains("neuron-monitor"));
        }

        @Test
        void namesAProcessByItsTag() throws Exception {
            ProcessBuilder tagged = new ProcessBuilder("sleep", "3600");
            tagged.environment().put("NEURON_PROCESS_TAG", "training job");
            Process program = tagged.start();
            started.add(program);
            Process monitor = monitor();
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(monitor.getInputStream(), StandardCharsets.UTF_8))) {
                line(out);
                host.process("sleep").pid(program.pid()).open(host.device(0).core(0));

                JsonNode runtime;
                do {
                    runtime = line(out).at("/neuron_runtime_data/0");
                } while (runtime.isMissingNode());

                assertThat(runtime.get("neuron_runtime_tag").stringValue()).isEqualTo("training job");
                assertThat(runtime.get("pid").longValue()).isEqualTo(program.pid());
            }
        }

        @Test
        void printsItsUsageForAnUnknownFlag() throws Exception {
            Result result = run(Map.of(), "neuron-monitor", "--json-config", "x");

            assertThat(result.out()).startsWith("unknown flag `json-config'\nUsage:\n  neuron-monitor [OPTIONS]\n");
            assertThat(result.err()).isEmpty();
            assertThat(result.code()).isEqualTo(FAILED);
        }

        @Test
        void explainsMistakesOfItsConfiguration() throws Exception {
            String missing = folder.resolve("none").toString();
            assertThat(run(Map.of(), "neuron-monitor", "-c", missing).err())
                    .isEqualTo("neuron-monitor: open " + missing + ": no such file or directory\n");

            String wrong = Files.writeString(folder.resolve("wrong.conf"), "{\n \"period\": 1s\n}")
                    .toString();
            assertThat(run(Map.of(), "neuron-monitor", "--config-file", wrong).err())
                    .startsWith("neuron-monitor: " + wrong + ": line 2, column ");

            String large = Files.writeString(folder.resolve("large.conf"), " ".repeat(4097))
                    .toString();
            assertThat(run(Map.of(), "neuron-monitor", "-c", large).err())
                    .isEqualTo("neuron-monitor: " + large + " is longer than 4096 bytes\n");
        }

        @ParameterizedTest
        @CsvSource({"C", "ar_EG.UTF-8"})
        void readsAFileWithAnyNameInAnyLocale(String locale) throws Exception {
            Process tool = new ProcessBuilder(
                            "sh",
                            "-c",
                            """
                            name=$(printf 'gr\\303\\266\\303\\237e')
                            printf '{"period": "soon"}' > "$name"
                            LC_ALL=%s "$0" -c "$name"
                            """.formatted(locale),
                            host.directory()
                                    .resolve("opt/aws/neuron/bin/neuron-monitor")
                                    .toString())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String printed = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(printed)
                    .isEqualTo(
                            "neuron-monitor: gr\u00f6\u00dfe: period \"soon\" is not a duration such as 500ms, 1s or 1m30s\n");
        }

        @Test
        void refusesAFileWithoutEnd() throws Exception {
            assertThat(run(Map.of(), "neuron-monitor", "-c", "/dev/zero").err())
                    .isEqualTo("neuron-monitor: /dev/zero is longer than 4096 bytes\n");
            assertThat(run(Map.of(), "neuron-monitor", "-c", "/").err())
                    .isEqualTo("neuron-monitor: / cannot be read: Is a directory\n");
        }

        @ParameterizedTest
        @ValueSource(strings = {"0.01s", "1h"})
        void endsWithItsHost(String period) throws Exception {
            Process monitor = monitor(period);
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(monitor.getInputStream(), StandardCharsets.UTF_8))) {
                line(out);
                // A monitor with a full pipe would wait for its reader, and not notice its host.
                CompletableFuture.runAsync(() -> out.lines().forEach(report -> {}));
                // Until this ends, the monitor waits for its next report.
                assertThat(ls("-a").out()).contains("neuron-monitor");
                host.close();

                assertThat(monitor.waitFor(60, SECONDS)).isTrue();
                assertThat(monitor.exitValue()).isEqualTo(FAILED);
                assertThat(Files.readString(folder.resolve("err"))).isEqualTo("neuron-monitor: the host has gone\n");
            }
        }
    }

    @Nested
    class States {

        @Test
        void haveTheVersionOfTheDriversSdk() {
            try (FakeNeuronHost old = HostFixture.host("trn1.2xlarge", "driver-2.x")) {
                assertThat(old.systemTools().tool("neuron-ls")).isEqualTo("working 2.26.0.0");
            }
            assertThat(host.systemTools().tool("neuron-monitor")).isEqualTo("working 2.32.0.0");
        }

        @Test
        void areSetByACommand() throws Exception {
            Path tool = host.directory().resolve("opt/aws/neuron/bin/neuron-ls");
            try (var session = host.openSession()) {
                assertThat(session.answer("tool neuron-ls absent")).isEqualTo("ok");
                assertThat(tool).doesNotExist();
                assertThat(session.answer("tool neuron-ls working 2.28.23.0")).isEqualTo("ok");
            }
            assertThat(tool).isExecutable();
            assertThat(ls("-j").out()).doesNotContain("instance_type");
        }

        @Test
        void otherThanTheseAreRefused() {
            FakeSystemTools tools = host.systemTools();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tools.tool("neuron-ls", "stub"))
                    .withMessage("the state of neuron-ls must be absent or working VERSION, not \"stub\"");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tools.tool("neuron-top", "absent"))
                    .withMessage("no tool \"neuron-top\" here; there are: nccom-test, neuron-ls, neuron-monitor");
        }
    }
}
