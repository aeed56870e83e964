package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.fake.internal.control.CommandSession;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of {@code nccom-test} as a file of a host, run as a process. */
class NccomTestIT {

    @TempDir
    private Path folder;

    private FakeNeuronHost host;

    private record Result(int code, String out, String err) {}

    @BeforeEach
    void start() {
        host = FakeNeuronHost.builder().instance("trn1.32xlarge").start();
        host.systemTools().tool("nccom-test", "working 2.32.28.0");
    }

    @AfterEach
    void stop() {
        host.close();
    }

    private Result run(String arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                host.directory().resolve("opt/aws/neuron/bin/nccom-test").toString()));
        command.addAll(List.of(arguments.split(" ")));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("NEURON_"));
        builder.redirectError(folder.resolve("err").toFile());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), out, Files.readString(folder.resolve("err")));
    }

    private JsonNode report(String arguments) throws Exception {
        Result result = run(arguments + " --report-to-json-file out.json");
        assertThat(result.code()).as(result.err()).isZero();
        return JsonMapper.shared()
                .readTree(Files.readString(folder.resolve("out.json")))
                .get("results");
    }

    @Test
    void printsARowForEachSize() throws Exception {
        // Durations of 18.75, 33.5 and 63 us.
        host.systemTools().nccomTest("latency", "4us").nccomTest("bandwidth", 66.2);

        Result result = run("-r 2 -b 1MB -e 4MB -f 2 -d fp32 --non-interactive allr");

        assertThat(result.out().lines())
                .containsExactly(
                        "    size(B)    count(elems)    type    time:avg(us)    algbw(GB/s)    busbw(GB/s)",
                        "    1048576          262144    fp32           18.75          52.08          52.08",
                        "    2097152          524288    fp32            33.5          58.30          58.30",
                        "    4194304         1048576    fp32           63.01          61.99          61.99",
                        "Avg bus bandwidth:\t57.4599GB/s");
        assertThat(result.code()).isZero();
    }

    @Test
    void writesItsResultsAsJson() throws Exception {
        host.systemTools().nccomTest("latency", "4us").nccomTest("bandwidth", 66.2);

        JsonNode results = report("-r 2 -b 1MB -e 4MB -f 2 -d fp32 allr");

        assertThat(results).hasSize(3);
        assertThat(results.get(0).propertyNames())
                .containsExactly("size(B)", "count(elems)", "type", "algbw(GB/s)", "busbw(GB/s)", "time:avg(us)");
        assertThat(results.get(0).get("size(B)").longValue()).isEqualTo(1_048_576);
        assertThat(results.get(0).get("type").stringValue()).isEqualTo("fp32");
        assertThat(results.get(0).get("time:avg(us)").doubleValue()).isEqualTo(18.75);
        assertThat(results.get(0).get("algbw(GB/s)").doubleValue()).isEqualTo(52.083333333333336, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({
        "all_reduce, 1.875",
        "allg, 0.9375",
        "reduce_scatter, 0.9375",
        "alltoall, 0.9375",
        "sendrecv, 1",
        "permute, 1"
    })
    void computesTheBandwidthOfTheBus(String operation, double factor) throws Exception {
        JsonNode result = report("-r 16 " + operation).get(0);

        assertThat(result.get("busbw(GB/s)").doubleValue()
                        / result.get("algbw(GB/s)").doubleValue())
                .isEqualTo(factor, within(1e-9));
    }

    @Test
    void showsStatisticsSizesAndAlgorithmOnRequest() throws Exception {
        host.systemTools().nccomTest("algorithm", "rdh");

        JsonNode result = report(
                        "-r 32 -b 1kb -e 1kb --stats avg p50 p99 --show-input-output-size --show-algorithm allg")
                .get(0);

        assertThat(result.propertyNames())
                .containsExactly(
                        "size(B)",
                        "count(elems)",
                        "total_input_size(B)",
                        "total_output_size(B)",
                        "type",
                        "algbw(GB/s)",
                        "busbw(GB/s)",
                        "algorithm",
                        "time:avg(us)",
                        "time:p50(us)",
                        "time:p99(us)");
        assertThat(result.get("total_input_size(B)").longValue()).isEqualTo(32);
        assertThat(result.get("algorithm").stringValue()).isEqualTo("rdh");
    }

    @ParameterizedTest
    @CsvSource({"2.23.16.0, time(us), 6", "2.30.1.0, time:avg(us), 6", "2.31.0.0, time:avg(us), 6.51"})
    void followsItsVersion(String version, String head, String time) throws Exception {
        host.systemTools().tool("nccom-test", "working " + version);

        String out = run("-r 2 -b 32kb -e 32kb allr").out();

        assertThat(out).contains("    " + head + "    ").containsPattern(" " + time + " +[0-9.]+ +[0-9.]+\n");
    }

    @Test
    void countsItsExecutionsOnTheCoresItTakes() throws Exception {
        run("-r 2 -n 30 -w 10 allr");

        String core = "neuron0/neuron_core%d/stats/status/success/total";
        assertThat(HostFixture.read(host, core.formatted(0)).strip()).isEqualTo("40");
        assertThat(HostFixture.read(host, core.formatted(1)).strip()).isEqualTo("40");
        assertThat(HostFixture.read(host, "neuron1/neuron_core0/stats/status/success/total")
                        .strip())
                .isEqualTo("0");
    }

    @Test
    void failsOnCoresOfAnotherProcess() throws Exception {
        host.openProcess("trainer", host.device(0).core(1));

        Result result = run("-r 2 allr");

        assertThat(result.out())
                .containsPattern(" 33554432 +Failure running neuron-bench - log file \\S+nccom_test_log_\\S+\\.log\n")
                .endsWith("1 errors found - test failed\n");
        Path log = Path.of(result.out().replaceFirst("(?s).*log file (\\S+).*", "$1"));
        assertThat(log).content().contains("NeuronCore(s) not available").contains("trainer");
        Files.delete(log);
        assertThat(result.code()).isEqualTo(1);
    }

    @Test
    void failsAtAScriptedSizeWithAScriptedExitCode() throws Exception {
        try (CommandSession session = host.openSession()) {
            assertThat(session.answer("nccom-test failing-bytes=2048 exit=7")).isEqualTo("ok");
        }

        Result result = run("-r 2 -b 1kb -e 4kb -f 2 allr");

        assertThat(result.out().lines().filter(line -> line.contains("Failure running")))
                .hasSize(1);
        assertThat(result.out()).contains("    4096 ").contains("1 errors found - test failed");
        assertThat(result.code()).isEqualTo(7);
    }

    @Test
    void failsItsCheckOnlyIfItChecks() throws Exception {
        host.systemTools().nccomTest("check", "fails");

        assertThat(run("-r 2 allr").code()).isZero();
        assertThat(run("-r 2 allr --check").code()).isEqualTo(1);
        assertThat(run("-r 2 -c all_ones allr").out()).contains("differ from what was expected");
    }

    @Test
    void withoutADeviceSaysThatTheDriverIsMissing() throws Exception {
        host.devices().forEach(FakeDevice::remove);

        Result result = run("-r 2 allr");

        assertThat(result.out())
                .startsWith("Neuron DKMS Driver is not running! Read the troubleshooting guide at: https://");
        assertThat(result.code()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-r 2 -c all_reduce | argument -c/--check: invalid choice: 'all_reduce' (choose from 'random', 'all_ones')",
                "allr | the following arguments are required: -r/--nworkers",
                "-r 2 | the following arguments are required: operation",
                "-r x allr | argument -r/--nworkers: invalid int value: 'x'",
                "-r 2 -b 0 allr | argument --minbytes: invalid size: '0'",
                "-r 2 -d fp64 allr | argument -d/--datatype: invalid choice: 'fp64'",
                "-r 2 --sizes 3 allr | unrecognized arguments: --sizes",
                "allr -r 2 -t mean | argument -t/--stats: invalid value: 'mean'",
                "-r 2 -t avg allr | the following arguments are required: operation",
            })
    void refusesAWrongCommandLineAsPythonDoes(String arguments, String message) throws Exception {
        Result result = run(arguments);

        assertThat(result.err()).contains("nccom-test: error: " + message);
        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"-r 64 -N 2 allr, --nnodes above 1", "-r 2 allr --streams-json s.json, --streams-json"})
    void refusesWhatTheFakeDoesNotPlay(String arguments, String option) throws Exception {
        assertThat(run(arguments).err()).isEqualTo("nccom-test: the fake does not play " + option + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latency=soon | latency soon is not a duration such as 20us",
                "bandwidth=0 | bandwidth 0 is not a number of GiB per second above 0",
                "latency=1us exit=300 | exit 300 is not a number from 0 to 255",
                "speed=1 | no setting of nccom-test \"speed\"",
                "check=maybe | check maybe must be passes or fails",
                "latency | \"latency\" is not a setting with its value",
            })
    void refusesAWrongScript(String script, String message) {
        try (CommandSession session = host.openSession()) {
            assertThat(session.answer("nccom-test " + script))
                    .startsWith("error ")
                    .contains(message);
        }
        assertThat(host.systemTools().collectives().latency().toNanos()).isEqualTo(6000);
    }
}
