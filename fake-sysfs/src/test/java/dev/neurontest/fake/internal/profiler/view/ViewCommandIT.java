package dev.neurontest.fake.internal.profiler.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.SampleFixture;
import dev.neurontest.fake.internal.profiler.ToolFixture;
import dev.neurontest.fake.internal.profiler.ToolFixture.Result;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import dev.neurontest.fake.internal.profiler.ntff.TraceProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Tests of {@code view} with a trace of 17 ms. */
class ViewCommandIT {

    @TempDir
    private Path folder;

    @AutoClose
    private static FakeNeuronHost host;

    private ToolFixture tools;

    @BeforeAll
    static void startHost() {
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
    }

    @BeforeEach
    void capture() throws IOException {
        tools = new ToolFixture(host, folder);
        FakeNeff.builder().name("resnet50").time(Duration.ofMillis(17)).write(folder.resolve("m.neff"));
        tools.explorer("capture", "-n", "m.neff", "--num-exec", "2", "--profile-nth-exec", "2");
        Files.move(folder.resolve("profile_exec_2.ntff"), folder.resolve("p.ntff"));
    }

    private static String[] command(String... more) {
        return Stream.concat(Stream.of("view", "-n", "m.neff", "-s", "p.ntff"), Arrays.stream(more))
                .toArray(String[]::new);
    }

    private Result view(String... more) {
        return tools.explorer(command(more));
    }

    private Result summary() {
        return view("--output-format", "summary-json");
    }

    private void script(String words) {
        tools.script(words);
    }

    private static void refused(Result result, String... words) {
        assertThat(result.exitCode()).isNotZero();
        for (String word : words) {
            assertThat(result.err()).contains(word);
        }
        assertThat(result.out()).isEmpty();
    }

    @Test
    void adviceHasTheFiguresOfTheTrace() throws IOException {
        JsonNode summary =
                new ObjectMapper().readTree(summary().out()).values().iterator().next();

        assertThat(tools.explorer("recommend", "-n", "m.neff", "-s", "p.ntff").out())
                .contains("the Tensor Engine is active for %s of the time, DMA for %s."
                        .formatted(
                                percent(summary, "tensor_engine_active_time_percent"),
                                percent(summary, "dma_active_time_percent")));
    }

    private static String percent(JsonNode summary, String metric) {
        return Math.round(100 * summary.get(metric).doubleValue()) + " %";
    }

    @Test
    void ingestionWithoutATraceFails() {
        refused(
                tools.explorer("view", "--ingest-only", "--data-path", "store"),
                "open file.neff: no such file or directory");
    }

    @Nested
    class SummaryJson {

        @Test
        void isOneObjectWithTheMetricsUnderAHash() throws Exception {
            Result result = summary();

            JsonNode root = new ObjectMapper().readTree(result.out());
            assertThat(result.exitCode()).isZero();
            assertThat(root.propertyNames()).singleElement().asString().matches("n_[0-9a-f]{40}");
            assertThat(result.metrics().get("total_time").doubleValue()).isEqualTo(0.017);
        }

        @Test
        void logIsOnStandardError() {
            assertThat(summary().err().lines().map(line -> line.substring(0, 10)))
                    .containsExactly("WARN[0000]", "INFO[0001]", "ERRO[0001]");
        }

        @Test
        void orderOfMetricsVaries() {
            Set<List<String>> orders = new HashSet<>();
            for (int i = 0; i < 5; i++) {
                orders.add(List.copyOf(summary().metrics().propertyNames()));
            }

            assertThat(orders).hasSizeGreaterThan(1);
        }

        @Test
        void keepsScriptedNumbersVerbatim() {
            script("metric hfu_estimated_percent NaN");
            script("metric mbu_estimated_percent -Infinity");
            script("metric new_key 1.0967");
            script("metric spill_save_bytes -1");

            assertThat(summary().out())
                    .contains(
                            "\"hfu_estimated_percent\": NaN",
                            "\"mbu_estimated_percent\": -Infinity",
                            "\"new_key\": 1.0967",
                            "\"spill_save_bytes\": -1");
        }

        @Test
        void hasTheMetricsOfOneRank() {
            tools.explorer("capture", "-n", "m.neff", "-r", "2");
            script("metric spill_save_bytes 7 rank 1");

            assertThat(tools.explorer(
                                    "view", "-n", "m.neff", "-s", "profile_rank_1.ntff", "--output-format=summary-json")
                            .metrics()
                            .get("spill_save_bytes")
                            .longValue())
                    .isEqualTo(7);
            assertThat(tools.explorer(
                                    "view", "-n", "m.neff", "-s", "profile_rank_0.ntff", "--output-format=summary-json")
                            .metrics()
                            .get("spill_save_bytes")
                            .longValue())
                    .isGreaterThan(7);
        }

        @Test
        void reportsThrottling() {
            script("throttle 0.4");
            tools.explorer("capture", "-n", "m.neff");

            JsonNode metrics = tools.explorer("view", "-n", "m.neff", "--output-format", "summary-json")
                    .metrics();

            assertThat(metrics.get("throttle_activity_1_active_time_nc0_percent")
                            .doubleValue())
                    .isEqualTo(0.4);
            assertThat(metrics.get("throttle_avg_util_limit_nc0_percent").doubleValue())
                    .isLessThan(1);
            assertThat(summary().metrics().has("throttle_activity_1_active_time_nc0_percent"))
                    .isFalse();
        }

        @Test
        void warnsOfDroppedNotifications() {
            script("dropped 12");
            tools.explorer("capture", "-n", "m.neff");

            assertThat(tools.explorer("view", "-n", "m.neff", "--output-format", "summary-json")
                            .err())
                    .contains("Warning: 12 trace events were dropped");
        }
    }

    @Test
    void summaryTextMatchesTheSampleTable() throws Exception {
        tools.host.profiler().tool("neuron-profile", "working 2.32.0.0");

        Result result = tools.profile(command("--output-format", "summary-text"));

        String sample = SampleFixture.text("summary-text_trn2_2.25_transpose_1024.txt");
        assertThat(result.err().lines().findFirst()).isEqualTo(sample.lines().findFirst());
        assertThat(result.out().lines().findFirst().orElseThrow()).matches("n_[0-9a-f]{40}");
        assertThat(result.out().lines().skip(1))
                .allMatch(line -> line.matches(" {4}[a-z0-9_]+ {4,}\\S.*"))
                .contains("    total_time                                   0.017");
    }

    @Nested
    class FullJson {

        @Test
        void isAFileInTheWorkingDirectoryWithArraysOfRecords() throws Exception {
            script("records 100");

            assertThat(view("--output-format", "json").out()).isEmpty();

            JsonNode root = new ObjectMapper().readTree(Files.readString(folder.resolve("ntff.json")));
            assertThat(root.get("summary").get(0).get("total_time").doubleValue())
                    .isEqualTo(0.017);
            assertThat(root.get("instruction")).hasSize(100);
            assertThat(root.get("instruction").get(0).propertyNames())
                    .contains("timestamp", "duration", "label", "opcode", "operands", "hlo_name", "layer");
            assertThat(root.get("dma")).hasSize(25);
            assertThat(root.get("dma").get(0).get("semaphore_id").asString()).isEqualTo("-1");
        }

        @Test
        void durationsSumToTheSummaryTime() throws Exception {
            script("records 5000");

            view("--output-format", "json", "--output-file", "new/events.json");

            JsonNode root = new ObjectMapper().readTree(Files.readString(folder.resolve("new/events.json")));
            double sum = root.get("instruction")
                    .valueStream()
                    .filter(each -> each.get("label").asString().equals("Vector"))
                    .mapToDouble(each -> each.get("duration").doubleValue() / 1e9)
                    .sum();
            assertThat(sum)
                    .isCloseTo(
                            root.get("summary")
                                    .get(0)
                                    .get("vector_engine_instruction_time")
                                    .doubleValue(),
                            Percentage.withPercentage(1));
        }

        @Test
        void reportsDroppedNotifications() throws Exception {
            script("dropped 12");
            tools.explorer("capture", "-n", "m.neff", "-s", "p.ntff");

            view("--output-format", "json");

            assertThat(folder.resolve("ntff.json")).content().contains("12 Notifications from block DMA");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "capture, --write-tensors-per-exec=",
        "view, '-d, --session-dir='",
        "view, '-p, --port='",
        "inspect, '-o, --output-dir='",
        "recommend, --nki-source-root=",
        "upload, --profile-directory="
    })
    void everySubcommandPrintsItsUsage(String command, String flag) {
        for (String help : new String[] {"--help", "-h"}) {
            Result result = tools.explorer(command, help);

            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(result.out())
                    .startsWith("Usage:\n  neuron-explorer [OPTIONS] " + command + " [" + command + "-OPTIONS]\n")
                    .contains(flag + "\n");
            assertThat(result.out().lines()).allMatch(line -> line.length() <= 100, "is at most 100 wide");
        }
    }

    @Test
    void helpDescribesEachSubcommand() {
        // when
        Result result = tools.explorer("--help");

        // then
        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .startsWith("Usage:\n  neuron-explorer [OPTIONS] COMMAND\n")
                .contains(
                        "\n  capture\n      Executes a NEFF and writes the trace of it (NTFF).\n",
                        "\n  view\n      Makes numbers, tables or pages of a trace.\n");
    }

    @Test
    void perfettoIsAFileInTheWorkingDirectory() {
        assertThat(view("--output-format", "perfetto").exitCode()).isZero();

        assertThat(folder.resolve("ntff.pftrace")).isNotEmptyFile();
    }

    @Nested
    class Refusals {

        @Test
        void missingHomeIsRefused() {
            tools.environment.remove("HOME");

            refused(summary(), "$HOME is not defined");
        }

        @Test
        void outputFileForASummaryIsRefused() {
            refused(view("--output-format", "summary-json", "--output-file", "x.json"), "--output-file");
        }

        @Test
        void missingNameIsRefusedWhenScripted() {
            script("name-required");

            refused(view("--ingest-only"), "FATA[0000] Missing --display-name");
        }

        @ParameterizedTest
        @CsvSource({
            "nix.ntff, 'error=\"open nix.ntff: no such file or directory\"'",
            "text.ntff, NTFF version 115 is not supported in this version of the tool (supported: 1 - 7). Please upgrade",
            "empty.ntff, unexpected EOF",
            "cut.ntff, unexpected EOF"
        })
        void missingOrBrokenTraceIsRefused(String name, String reason) throws Exception {
            Files.writeString(folder.resolve("text.ntff"), "some text".repeat(100));
            Files.write(folder.resolve("empty.ntff"), new byte[0]);
            Files.write(folder.resolve("cut.ntff"), Arrays.copyOf(Files.readAllBytes(folder.resolve("p.ntff")), 200));

            refused(
                    tools.explorer("view", "-n", "m.neff", "-s", name, "--output-format", "summary-json"),
                    "ERRO[0000] Failed to load profile session                NTFF=" + name,
                    reason,
                    "neuron-explorer exited with an error.neuron-explorer 2.32");
        }

        @Test
        void genuineTraceIsRefused() throws Exception {
            Neff neff = Neff.read(folder.resolve("m.neff"));
            List<Ntff.Graph> graphs = List.of(new Ntff.Graph("sg00", 0, 1000));
            Files.write(
                    folder.resolve("genuine.ntff"),
                    new Ntff(7, neff.name(), neff.uuid(), graphs, "trn1.2xlarge", new TraceProperties(), 1).toBytes(0));
            refused(
                    tools.explorer("view", "-n", "m.neff", "-s", "genuine.ntff", "--output-format", "summary-json"),
                    "NTFF=genuine.ntff",
                    "it was not captured on a host of fake-sysfs, and this stand-in invents no numbers");
        }

        @Test
        void fullJsonIsRefusedSince234() {
            String usual = host.profiler().tool("neuron-explorer");
            host.profiler().tool("neuron-explorer", "working 2.34.0.0");
            try {
                refused(
                        view("--output-format", "json"),
                        "Invalid value `json' for option `--output-format'. Allowed values are: parquet,");
                assertThat(folder.resolve("ntff.json")).doesNotExist();
                assertThat(summary().exitCode()).isZero();
            } finally {
                host.profiler().tool("neuron-explorer", usual);
            }
        }

        @Test
        void traceOfAnotherNeffIsRefused() throws Exception {
            FakeNeff.builder().write(folder.resolve("other.neff"));

            refused(
                    tools.explorer("view", "-n", "other.neff", "-s", "p.ntff", "--output-format", "summary-json"),
                    "UUID",
                    "ERROR_PROCESS_INCOMPLETE");
        }

        @ParameterizedTest
        @ValueSource(strings = {"analyze", "--nix"})
        void unknownCommandIsRefused(String command) {
            refused(
                    tools.explorer(command),
                    "Unknown command `" + command + "'. Please specify one command of: capture, inspect");
        }
    }

    @Nested
    class OldTool {

        @BeforeEach
        void install() {
            tools.host.profiler().tool("neuron-profile", "working 2.25.145.0");
            tools.profile("capture", "-n", "m.neff", "-s", "p.ntff");
        }

        @Test
        void needsInfluxByDefault() {
            refused(
                    tools.profile(command()),
                    "influxdb not setup correctly: exec: \"influx\": executable file not found in $PATH");
        }

        @Test
        void namesTheExplorerForParquet() {
            refused(tools.profile(command("--output-format", "parquet")), "use neuron-explorer");
        }

        @Test
        void acceptsATraceOfAnotherNeff() throws Exception {
            FakeNeff.builder().write(folder.resolve("other.neff"));

            assertThat(tools.profile("view", "-n", "other.neff", "-s", "p.ntff", "--output-format", "summary-json")
                            .exitCode())
                    .isZero();
        }

        @Test
        void refusesANewerTrace() {
            tools.explorer("capture", "-n", "m.neff", "-s", "p.ntff");

            refused(
                    tools.profile(command("--output-format", "summary-json")),
                    "NTFF version 7 is not supported in this version of the tool (supported: 1 - 5)");
        }

        @Test
        void refusesCommandsOfTheExplorer() {
            for (String command : List.of("upload", "recommend")) {
                refused(
                        tools.profile(command, "--help"),
                        "Unknown command `" + command + "'. Please specify one command of: capture, inspect or view");
            }
        }
    }

    @Nested
    class Folders {

        @Test
        void summaryHasOneKeyPerTrace() throws Exception {
            Path session = Files.createDirectory(folder.resolve("session"));
            Files.copy(folder.resolve("m.neff"), session.resolve("m.neff"));
            Files.copy(folder.resolve("p.ntff"), session.resolve("a.ntff"));
            Files.copy(folder.resolve("p.ntff"), session.resolve("b.ntff"));

            Result result = tools.explorer("view", "-d", "session", "--output-format", "summary-json");

            assertThat(new ObjectMapper().readTree(result.out()).size()).isEqualTo(2);
        }

        @ParameterizedTest
        @CsvSource({
            "json, device_profile_model_10001.json device_profile_model_10002.json",
            "perfetto, device_profile_model_10001.pftrace device_profile_model_10002.pftrace",
        })
        void haveOneOutputFilePerTrace(String format, String files) throws Exception {
            Path session = Files.createDirectory(folder.resolve("session"));
            Files.copy(folder.resolve("m.neff"), session.resolve("m.neff"));
            Files.copy(folder.resolve("p.ntff"), session.resolve("a.ntff"));
            Files.copy(folder.resolve("p.ntff"), session.resolve("b.ntff"));

            Result result = tools.explorer("view", "-d", "session", "--output-format", format);

            assertThat(result.exitCode()).as(result.err()).isZero();
            try (Stream<Path> all = Files.list(folder)) {
                assertThat(all.map(file -> file.getFileName().toString())
                                .filter(name -> name.contains("_profile"))
                                .sorted())
                        .containsExactly(files.split(" "));
            }
        }

        @Test
        void withSeveralRanksAreRefused() {
            tools.explorer("capture", "-n", "m.neff", "-r", "2", "-s", "ranks/p.ntff");

            refused(
                    tools.explorer("view", "-n", "m.neff", "-d", "ranks", "--output-format", "summary-json"),
                    "several ranks");
        }
    }
}
