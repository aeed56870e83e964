package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.fake.internal.control.CommandSession;
import dev.neurontest.fake.internal.systemtool.SystemToolCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of {@code nccom-test} in this JVM. */
class NccomTestTest {

    @TempDir
    private Path folder;

    @AutoClose
    private static final FakeNeuronHost shared =
            FakeNeuronHost.builder().instance("trn1.32xlarge").start();

    private final Map<String, Long> before = new HashMap<>();
    private FakeNeuronHost host;

    private record Result(int code, String out, String err) {}

    @BeforeEach
    void start() {
        shared.devices().forEach(FakeDevice::restore);
        shared.systemTools().resetNccomTest().tool("nccom-test", "working 2.32.28.0");
        host = shared;
        before.clear();
        for (FakeDevice device : shared.devices()) {
            device.cores().forEach(core -> before.put(core.toString(), successes(core.toString())));
        }
    }

    @AfterEach
    void stop() {
        shared.processes().forEach(FakeProcess::kill);
        if (host != shared) {
            host.close();
        }
    }

    private Result run(String arguments) {
        return run(Map.of("TMPDIR", folder.toString()), arguments);
    }

    private Result run(Map<String, String> environment, String arguments) {
        List<String> command = new ArrayList<>(List.of(
                "nccom-test",
                host.systemTools().tool("nccom-test").replace("working ", ""),
                host.directory().toString()));
        command.addAll(List.of(arguments.split(" ")));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = SystemToolCommand.run(
                command,
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private JsonNode report(String arguments) throws Exception {
        Result result = run("--report-to-json-file " + folder.resolve("out.json") + " " + arguments);
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
    @CsvSource({
        "2.23.16.0, time(us), 6",
        "2.24.0.0, time:avg(us), 6",
        "2.30.1.0, time:avg(us), 6",
        "2.31.0.0, time:avg(us), 6.51"
    })
    void followsItsVersion(String version, String head, String time) throws Exception {
        host.systemTools().tool("nccom-test", "working " + version);

        String out = run("-r 2 -b 32kb -e 32kb allr").out();

        assertThat(out).contains("    " + head + "    ").containsPattern(" " + time + " +[0-9.]+ +[0-9.]+\n");
    }

    @Test
    void namesTheReportThatItCannotWrite() throws Exception {
        Result result = run("-r 2 --report-to-json-file none/out.json allr");

        assertThat(result.err())
                .isEqualTo("nccom-test: the report cannot be written: none/out.json: there is no such file\n");
        assertThat(result.code()).isEqualTo(1);
    }

    @Test
    void printsThousandsOfSizes() throws Exception {
        assertThat(run("-r 1 -b 1 -e 2000 -i 1 allr").out().lines()).hasSize(2002);
    }

    @Test
    void countsItsExecutionsOnTheCoresItTakes() throws Exception {
        run("-r 2 -n 30 -w 10 allr");

        assertThat(executions(0, 0)).isEqualTo(40);
        assertThat(executions(0, 1)).isEqualTo(40);
        assertThat(executions(1, 0)).isZero();
    }

    /** Returns the executions of this test. */
    private long executions(int device, int core) {
        String name = "neuron" + device + "/neuron_core" + core;
        return successes(name) - (host == shared ? before.getOrDefault(name, 0L) : 0);
    }

    private long successes(String core) {
        try {
            return Long.parseLong(
                    HostFixture.read(host, core + "/stats/status/success/total").strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void countsTheOperationsOfEachExecution() throws Exception {
        run("-r 2 -n 3 -w 2 --neff_iters 4 --neff_warmup_iters 1 allr");

        assertThat(executions(0, 0)).isEqualTo((3 + 2) * (4 + 1));
    }

    @Test
    void countsOneExecutionOfASingleWorker() throws Exception {
        assertThat(run("-r 1 -n 1 -w 0 permute").code()).isZero();

        assertThat(executions(0, 0)).isEqualTo(1);
        assertThat(executions(0, 1)).isZero();
    }

    @Test
    void takesTheCoresOfItsEnvironment() throws Exception {
        run(Map.of("NEURON_RT_VISIBLE_CORES", "4-5"), "-r 2 -n 7 -w 0 allr");

        assertThat(executions(0, 0)).isZero();
        assertThat(executions(2, 0)).isEqualTo(7);
        assertThat(executions(2, 1)).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 10"})
    void takesTheLogicalCoreSizeOfItsEnvironment(String size, int executionsOfPhysicalCores) throws Exception {
        host = FakeNeuronHost.builder().instance("trn2.3xlarge").start();

        run(Map.of("NEURON_LOGICAL_NC_CONFIG", size), "-r 1 -n 5 -w 0 permute");

        long executions = 0;
        for (int core = 0; core < host.device(0).cores().size(); core++) {
            executions += executions(0, core);
        }
        assertThat(executions).isEqualTo(executionsOfPhysicalCores);
    }

    @Test
    void spreadsPercentilesOverATenthAroundTheAverage() throws Exception {
        host.systemTools().nccomTest("latency", "1ms");

        JsonNode result =
                report("allr -r 2 -b 1kb -e 1kb --stats avg p0 p50 p100").get(0);

        assertThat(result.get("time:avg(us)").doubleValue()).isEqualTo(1000.02);
        assertThat(result.get("time:p0(us)").longValue()).isEqualTo(950);
        assertThat(result.get("time:p50(us)").longValue()).isEqualTo(1000);
        assertThat(result.get("time:p100(us)").longValue()).isEqualTo(1050);
    }

    @Test
    void failsOnCoresOfAnotherProcess() throws Exception {
        host.openProcess("trainer", host.device(0).core(1));

        Result result = run("-r 2 allr");

        assertThat(result.out())
                .containsPattern(" 33554432 +Failure running neuron-bench - log file \\S+nccom_test_log_\\S+\\.log\n")
                .endsWith("1 errors found - test failed\n");
        Path log = Path.of(result.out().replaceFirst("(?s).*log file (\\S+).*", "$1"));
        assertThat(log)
                .hasParent(folder)
                .content()
                .contains("NeuronCore(s) not available")
                .contains("trainer");
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
                "-r -1 allr | argument -r/--nworkers: -1 is less than 1",
                "allr -r | argument -r/--nworkers: expected one argument",
                "allr -r 2 -t | argument -t/--stats: expected at least one argument",
                "-r 2 -b 0 allr | argument -b/--minbytes: invalid size: '0'",
                "-r 2 -d fp64 allr | argument -d/--datatype: invalid choice: 'fp64'",
                "-r 2 --sizes --fast allr | unrecognized arguments: --sizes --fast",
                "allr -r 2 -t mean | argument -t/--stats: invalid value: 'mean'",
                "-r 2 -t avg allr | the following arguments are required: operation",
                "-r 2 --step 2 allr | ambiguous option: --step could match --stepbytes, --stepfactor",
                "-r 2 --debug=1 allr | argument --debug: ignored explicit argument '1'",
                "-r 2 -S1 allr | argument -S/--slurm-mode: ignored explicit argument '1'",
                "-r 2 -b 8589934592g allr | argument -b/--minbytes: invalid size: '8589934592g'",
                "-r 2 -b 999999999999999g allr | argument -b/--minbytes: invalid size: '999999999999999g'",
                "-r 2 -e 2000000000g allr | argument -e/--maxbytes: invalid size: '2000000000g'",
                "-r 2 -b 1 -e 1g -i 1 allr | argument -i/--stepbytes: there are more than 10000 sizes",
                "-r 2 -f 1 allr | argument -f/--stepfactor: invalid value: '1'",
                "-r 2 -f inf allr | argument -f/--stepfactor: invalid value: 'inf'",
                "-r 2 -f nan allr | argument -f/--stepfactor: invalid value: 'nan'",
                "-r 2 -n 2147483647 -I 2147483647 allr | argument -n/--iters: the fake counts at most 2147483647 executions of a size",
                "-r 2 -n 2147483647 -w 2147483647 -I 2147483647 -W 2147483647 allr | argument -n/--iters: the fake counts",
            })
    void refusesAWrongCommandLineAsPythonDoes(String arguments, String message) throws Exception {
        Result result = run(arguments);

        assertThat(result.err()).contains("nccom-test: error: " + message);
        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(2);
    }

    @Test
    void takesAValueAfterAnEqualsSignAsPythonDoes() throws Exception {
        JsonNode result = report("-r=2 -b=1kb --maxbytes=1kb allr").get(0);

        assertThat(result.get("size(B)").longValue()).isEqualTo(1024);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-r2 -b1MB -e4MB -f2 allr",
                "-r=2 -b=1MB -e=4MB -f=2 allr",
                "--nworkers=2 --minbytes=1MB --maxbytes=4MB --stepfactor=2 allr",
                "--nw 2 --min 1MB --max 4MB --stepf 2 allr",
                "-r 2 -b 1MB -e 4MB -f 2 -- allr",
                "allr --debug -r 2 -b 1MB -e 4MB -f 2.0",
            })
    void takesTheFormsOfOptionsThatPythonDoes(String arguments) throws Exception {
        assertThat(report(arguments))
                .map(row -> row.get("size(B)").longValue())
                .containsExactly(1L << 20, 2L << 20, 4L << 20);
    }

    @Test
    void takesAFactorBelowTwo() throws Exception {
        assertThat(report("-r 2 -b 1 -e 5 -f 1.5 allr"))
                .map(row -> row.get("size(B)").longValue())
                .containsExactly(1L, 2L, 3L, 4L);
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
