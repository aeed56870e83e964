package dev.neurontest.fake;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.neurontest.fake.internal.control.CommandSession;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of the reports of {@code neuron-monitor}. */
class NeuronMonitorTest {

    private static final String EVERY_GROUP = """
            {"period": "1ns",
             "neuron_runtimes": [{"tag_filter": ".*", "metrics": [
                 {"type": "neuroncore_counters"}, {"type": "memory_used"},
                 {"type": "neuron_runtime_vcpu_usage"}, {"type": "execution_stats"}]}],
             "system_metrics": [{"type": "vcpu_usage"}, {"type": "memory_info"}, {"type": "neuron_hw_counters"}]}
            """;

    private FakeNeuronHost host;
    private CommandSession session;

    @BeforeEach
    void start() {
        host = FakeNeuronHost.builder().instance("inf2.xlarge").start();
        session = host.openSession();
    }

    @AfterEach
    void stop() {
        session.close();
        host.close();
    }

    private void use(String instance) {
        stop();
        host = FakeNeuronHost.builder().instance(instance).start();
        session = host.openSession();
    }

    private String monitor(String configuration) {
        return monitor(configuration, 0);
    }

    private String monitor(String configuration, int logicalCoreSize) {
        return session.answer("system-tool monitor " + logicalCoreSize + " 71 neuron-monitor "
                + Base64.getEncoder().encodeToString(configuration.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the next report, which is due at once if the period is a nanosecond. */
    private JsonNode next() {
        String answer = session.answer("system-tool next");
        assertThat(answer).startsWith("ok {").doesNotContain("\n");
        return JsonMapper.shared().readTree(answer.substring(3));
    }

    private JsonNode nextRuntime() {
        JsonNode runtimes = next().get("neuron_runtime_data");
        assertThat(runtimes).hasSize(1);
        return runtimes.get(0);
    }

    private static JsonNode summary(JsonNode runtime) {
        return runtime.at("/report/execution_stats/execution_summary");
    }

    @Test
    void namesItsKeysAsTheTool() {
        monitor(EVERY_GROUP);
        host.process("load.py")
                .pid(2199)
                .open(host.device(0).core(0))
                .execute(host.device(0).core(0));

        JsonNode report = next();

        assertThat(report.propertyNames())
                .containsExactly("neuron_runtime_data", "system_data", "instance_info", "neuron_hardware_info");
        JsonNode runtime = report.at("/neuron_runtime_data/0");
        assertThat(runtime.propertyNames()).containsExactly("pid", "neuron_runtime_tag", "error", "report");
        assertThat(runtime.get("pid").longValue()).isEqualTo(2199);
        assertThat(runtime.get("neuron_runtime_tag").stringValue()).isEqualTo("2199");
        assertThat(runtime.at("/report/execution_stats").propertyNames())
                .containsExactly("period", "error_summary", "execution_summary", "latency_stats", "error");
        assertThat(runtime.at("/report/execution_stats/error_summary").propertyNames())
                .containsExactly("numerical", "transient", "model", "runtime", "hardware");
        assertThat(summary(runtime).propertyNames())
                .containsExactly(
                        "completed",
                        "completed_with_err",
                        "completed_with_num_err",
                        "timed_out",
                        "incorrect_input",
                        "failed_to_queue");
        assertThat(runtime.at("/report/execution_stats/latency_stats/total_latency")
                        .propertyNames())
                .containsExactly("p0", "p1", "p100", "p25", "p50", "p75", "p99");
        assertThat(report.at("/neuron_hardware_info").toString())
                .isEqualTo("{\"neuron_device_type\":\"inferentia2\",\"neuron_device_version\":\"v3\","
                        + "\"neuroncore_version\":\"v2\",\"neuron_device_count\":1,\"neuron_device_memory_size\":34359738368,"
                        + "\"neuroncore_per_device_count\":2,\"logical_neuroncore_config\":1,\"error\":\"\"}");
        assertThat(report.at("/system_data").propertyNames())
                .containsExactlyInAnyOrder("memory_info", "neuron_hw_counters", "vcpu_usage");
        assertThat(report.at("/system_data/vcpu_usage/average_usage").propertyNames())
                .containsExactly("user", "nice", "system", "idle", "io_wait", "irq", "soft_irq");
        assertThat(report.at("/system_data/memory_info/memory_total_bytes").longValue())
                .isPositive();
    }

    @Nested
    class Executions {

        @Test
        void ofAllReportsAddUpToTheCountersOfSysfs() throws IOException {
            monitor(EVERY_GROUP);
            FakeCore core = host.device(0).core(1);
            List<JsonNode> reports = new ArrayList<>();
            try (FakeProcess process = host.openProcess(core)) {
                process.execute(core, 800);
                reports.add(nextRuntime());
                reports.add(nextRuntime());
                process.execute(core, NrtStatus.NRT_TIMEOUT, 3);
                process.execute(core, NrtStatus.NRT_EXEC_BAD_INPUT, 2);
                process.execute(core, NrtStatus.NRT_EXEC_COMPLETED_WITH_NUM_ERR, 4);
                reports.add(nextRuntime());
                process.execute(core, 5);
            }
            // The process has ended since the previous report.
            reports.add(nextRuntime());

            assertThat(reports)
                    .map(report -> summary(report).get("completed").longValue())
                    .containsExactly(800L, 0L, 0L, 5L);
            assertThat(sum(reports, "completed")).isEqualTo(sysfs("success"));
            assertThat(sum(reports, "timed_out")).isEqualTo(sysfs("timeout")).isEqualTo(3);
            assertThat(sum(reports, "incorrect_input"))
                    .isEqualTo(sysfs("exec_bad_input"))
                    .isEqualTo(2);
            assertThat(sum(reports, "completed_with_num_err"))
                    .isEqualTo(sysfs("execute_completed_with_num_error"))
                    .isEqualTo(4);
            assertThat(next().get("neuron_runtime_data")).isEmpty();
        }

        private static long sum(List<JsonNode> reports, String name) {
            ToLongFunction<JsonNode> count = report -> summary(report).get(name).longValue();
            return reports.stream().mapToLong(count).sum();
        }

        private long sysfs(String counter) throws IOException {
            return Long.parseLong(HostFixture.read(host, "neuron0/neuron_core1/stats/status/" + counter + "/total")
                    .strip());
        }

        @Test
        void areReportedBeforeSysfsShowsThemUpToDriver229() throws IOException {
            stop();
            host = HostFixture.host("inf2.xlarge", "driver-2.29");
            session = host.openSession();
            monitor(EVERY_GROUP);
            try (FakeProcess process = host.openProcess(host.device(0).core(1))) {
                process.execute(host.device(0).core(1), 6);

                assertThat(summary(nextRuntime()).get("completed").longValue()).isEqualTo(6);
                assertThat(sysfs("success")).isZero();
            }
            assertThat(sysfs("success")).isEqualTo(6);
        }

        @Test
        void ofAProcessBetweenTwoReportsAreReported() {
            monitor(EVERY_GROUP);
            next();
            try (FakeProcess process = host.openProcess(host.device(0).core(0))) {
                process.execute(host.device(0).core(0), 7);
            }

            assertThat(summary(nextRuntime()).get("completed").longValue()).isEqualTo(7);
        }

        @Test
        void beforeTheMonitorAreNotReported() {
            FakeCore core = host.device(0).core(0);
            FakeProcess process = host.openProcess(core);
            process.execute(core, 10);
            monitor(EVERY_GROUP);

            JsonNode first = nextRuntime();
            assertThat(summary(first).get("completed").longValue()).isZero();
            assertThat(first.at("/report/execution_stats/latency_stats/total_latency")
                            .isNull())
                    .isTrue();
            process.execute(core, 2);
            assertThat(summary(nextRuntime()).get("completed").longValue()).isEqualTo(2);
        }

        @Test
        void ofTwoPhysicalCoresCountOnce() {
            use("trn2.3xlarge");
            monitor(EVERY_GROUP);
            try (FakeProcess process = host.process("trainer").init("1-2")) {
                process.cores().forEach(core -> process.execute(core, 5));

                JsonNode runtime = nextRuntime();
                assertThat(summary(runtime).get("completed").longValue()).isEqualTo(10);
                JsonNode inUse = runtime.at("/report/neuroncore_counters/neuroncores_in_use");
                assertThat(inUse.propertyNames()).containsExactly("1", "2");
                assertThat(inUse.at("/1/v3d").propertyNames()).containsExactly("nc_v3.2", "nc_v3.3");
            }
        }

        @Test
        void ofTwoPhysicalCoresCountOnceAcrossTwoReports() {
            use("trn2.3xlarge");
            monitor(EVERY_GROUP);
            try (FakeProcess process = host.process("trainer").init("0")) {
                process.execute(process.cores().get(0), 5);
                assertThat(summary(nextRuntime()).get("completed").longValue()).isEqualTo(5);
                process.execute(process.cores().get(1), 5);
                assertThat(summary(nextRuntime()).get("completed").longValue()).isZero();
            }
        }

        @ParameterizedTest
        @CsvSource({"1, 2, 0, 10", "2, 1, 0-1, 5"})
        void ofAProcessWithItsOwnLogicalCoresCountOnceEach(int ofProcess, int ofMonitor, String shown, long completed) {
            use("trn2.3xlarge");
            monitor(EVERY_GROUP, ofMonitor);
            try (FakeProcess process =
                    host.process("trainer").logicalCoreSize(ofProcess).init(ofProcess == 1 ? "0-1" : "0")) {
                process.cores().forEach(core -> process.execute(core, 5));

                JsonNode runtime = nextRuntime();
                assertThat(summary(runtime).get("completed").longValue()).isEqualTo(completed);
                assertThat(runtime.at("/report/neuroncore_counters/neuroncores_in_use")
                                .propertyNames())
                        .containsExactly(shown.split("-"));
            }
        }

        @Test
        void ofAnEndedProcessAreReportedOnceInSpiteOfDifferentPeriods() {
            monitor("""
                    {"neuron_runtimes": [{"metrics": [
                        {"type": "execution_stats", "period": "1ns"}, {"type": "memory_used", "period": "1h"}]}]}
                    """);
            next();
            try (FakeProcess process = host.openProcess(host.device(0).core(0))) {
                process.execute(host.device(0).core(0), 7);
            }

            assertThat(summary(nextRuntime()).get("completed").longValue()).isEqualTo(7);
            assertThat(next().get("neuron_runtime_data")).isEmpty();
        }

        @Test
        void onDevicesOutsideTheContainerAreNotReported() {
            stop();
            host = FakeNeuronHost.builder()
                    .instance("trn1.32xlarge")
                    .container(9, 4)
                    .start();
            session = host.openSession();
            monitor(EVERY_GROUP);
            FakeProcess elsewhere = host.openProcess(host.device(0).core(0));
            elsewhere.execute(host.device(0).core(0), 3);
            assertThat(next().get("neuron_runtime_data")).isEmpty();

            FakeProcess partly =
                    host.openProcess(host.device(0).core(1), host.device(4).core(1));
            partly.allocate(host.device(0).core(1), "tensors", 8192);
            partly.allocate(host.device(4).core(1), "tensors", 4096);

            JsonNode report = nextRuntime().get("report");
            assertThat(report.at("/neuroncore_counters/neuroncores_in_use").propertyNames())
                    .containsExactly("3");
            assertThat(report.at("/memory_used/neuron_runtime_used_bytes/neuron_device")
                            .longValue())
                    .isEqualTo(4096);
        }

        @Test
        void takeNoTimeAndHaveNoPercentilesWhenIdle() {
            monitor(EVERY_GROUP);
            host.openProcess(host.device(0).core(0));

            JsonNode latency = nextRuntime().at("/report/execution_stats/latency_stats");

            assertThat(latency.toString()).isEqualTo("{\"total_latency\":null,\"device_latency\":null}");
        }

        @Test
        void useACoreForAtMostAllOfItsTime() {
            monitor(EVERY_GROUP);
            FakeCore core = host.device(0).core(0);
            host.openProcess(core).execute(core, NrtStatus.NRT_SUCCESS, 1, 1, Duration.ofHours(1));

            assertThat(inUse().get("neuroncore_utilization").doubleValue()).isEqualTo(100);
        }

        @Test
        void haveTheirOperationsPerSecond() throws IOException {
            monitor(EVERY_GROUP);
            FakeCore core = host.device(0).core(0);
            host.openProcess(core).execute(core, NrtStatus.NRT_SUCCESS, 1000, 1_000_000_000, Duration.ofMillis(1));

            JsonNode counters = nextRuntime().at("/report/neuroncore_counters");

            double operations =
                    counters.at("/neuroncores_in_use/0/effective_flops").doubleValue()
                            * counters.get("period").doubleValue();
            double counted = Double.parseDouble(
                    HostFixture.read(host, "neuron0/neuron_core0/stats/other_info/flop_count/total"));
            assertThat(operations / counted).isEqualTo(1, within(0.001));
        }

        private JsonNode inUse() {
            return nextRuntime().at("/report/neuroncore_counters/neuroncores_in_use/0");
        }

        @Test
        void haveThePercentilesOfTheirPeriod() {
            monitor(EVERY_GROUP);
            FakeCore core = host.device(0).core(0);
            FakeProcess process = host.openProcess(core);
            process.execute(core, NrtStatus.NRT_SUCCESS, 98, 1, Duration.ofMillis(1));
            process.execute(core, NrtStatus.NRT_SUCCESS, 1, 1, Duration.ofMillis(20));
            process.execute(core, NrtStatus.NRT_SUCCESS, 1, 1, Duration.ofMillis(300));

            JsonNode latency = nextRuntime().at("/report/execution_stats/latency_stats/device_latency");

            assertThat(latency.toString())
                    .isEqualTo(
                            "{\"p0\":0.001,\"p1\":0.001,\"p100\":0.3,\"p25\":0.001,\"p50\":0.001,\"p75\":0.001,\"p99\":0.02}");
        }
    }

    @Nested
    class Memory {

        @Test
        void isTheSumOfItsCategories() {
            monitor(EVERY_GROUP);
            FakeCore core = host.device(0).core(1);
            FakeProcess process = host.openProcess(core);
            process.load(core, 8192);
            process.allocate(core, "tensors", 4096);
            process.allocate(core, "notifications", 4096);
            process.allocateHost(core, "dma_buffers", 4096);
            process.allocateHost(core, "dma_rings", 8192);

            JsonNode used = nextRuntime().at("/report/memory_used/neuron_runtime_used_bytes");

            assertThat(used.toString())
                    .isEqualTo("{\"host\":12288,\"neuron_device\":16384,\"usage_breakdown\":{\"host\":"
                            + "{\"application_memory\":8192,\"constants\":0,\"dma_buffers\":4096,\"tensors\":0},"
                            + "\"neuroncore_memory_usage\":{\"1\":{\"constants\":0,\"model_code\":8192,"
                            + "\"model_shared_scratchpad\":0,\"runtime_memory\":4096,\"tensors\":4096}}}}");
        }

        @Test
        void hasModelsWithTheirCoresAndDevices() throws IOException {
            use("trn1.32xlarge");
            monitor(EVERY_GROUP);
            FakeNeff.builder()
                    .name("acc")
                    .time(Duration.ofMinutes(1))
                    .write(host.directory().resolve(".runtime/to-host-1-1"));
            try (CommandSession program = host.openSession()) {
                program.answer("init P all");
                program.answer("nrt open P");
                assertThat(program.answer("nrt load P 5 1 1 to-host-1-1")).startsWith("ok 0 1 ");

                JsonNode model = model();
                assertThat(model.get("name").stringValue()).isEqualTo("acc");
                assertThat(model.get("is_running").booleanValue()).isFalse();
                assertThat(model.at("/subgraphs/sg_00/neuroncore_index").intValue())
                        .isEqualTo(5);
                assertThat(model.at("/subgraphs/sg_00/neuron_device_index").intValue())
                        .isEqualTo(2);

                assertThat(program.answer("nrt begin P 1")).startsWith("ok ");
                assertThat(model().get("is_running").booleanValue()).isTrue();
            }
        }

        private JsonNode model() {
            return nextRuntime().at("/report/memory_used/loaded_models/0");
        }
    }

    @Nested
    class Hardware {

        @Test
        void errorsArePerPeriod() {
            host.device(0).ecc("mem_uncorrected", 9);
            monitor(EVERY_GROUP);
            assertThat(counters().get("mem_ecc_uncorrected").longValue()).isZero();

            host.device(0).ecc("mem_uncorrected", 2);
            host.device(0).ecc("sram_corrected", 1);
            assertThat(counters().toString())
                    .isEqualTo("{\"neuron_device_index\":0,\"mem_ecc_corrected\":0,\"mem_ecc_uncorrected\":2,"
                            + "\"sram_ecc_uncorrected\":0,\"sram_ecc_corrected\":1}");
            assertThat(counters().get("mem_ecc_uncorrected").longValue()).isZero();
        }

        @Test
        void errorsHaveTheNumbersOfTheirDevices() {
            use("inf2.24xlarge");
            host.device(0).remove();
            monitor(EVERY_GROUP);

            assertThat(next().at("/system_data/neuron_hw_counters/neuron_devices")
                            .valueStream()
                            .map(device -> device.get("neuron_device_index").intValue()))
                    .containsExactly(1, 2, 3, 4, 5);
        }

        private JsonNode counters() {
            return next().at("/system_data/neuron_hw_counters/neuron_devices/0");
        }

        @Test
        void withoutDevicesIsNullAndNoError() {
            host.device(0).remove();
            monitor(EVERY_GROUP);

            JsonNode report = next();

            assertThat(report.at("/system_data/neuron_hw_counters/neuron_devices")
                            .isNull())
                    .isTrue();
            assertThat(report.at("/system_data/neuron_hw_counters/error").stringValue())
                    .isEmpty();
            assertThat(report.at("/neuron_hardware_info/neuron_device_count").intValue())
                    .isZero();
        }
    }

    @Nested
    class Configuration {

        @Test
        void withoutAFileHasEveryGroupOfProcessesButOnlyMemoryOfTheHost() {
            session.answer("system-tool monitor 0 71 neuron-monitor");
            host.openProcess(host.device(0).core(0));

            JsonNode report = next();

            assertThat(report.at("/neuron_runtime_data/0/report").propertyNames())
                    .containsExactlyInAnyOrder(
                            "execution_stats", "memory_used", "neuron_runtime_vcpu_usage", "neuroncore_counters");
            assertThat(report.get("system_data").propertyNames()).containsExactly("memory_info");
            assertThat(session.answer("system-tool next")).startsWith("ok wait ");
        }

        @Test
        void selectsProcessesByTag() {
            host.process("one").pid(111).open(host.device(0).core(0));
            host.process("two").pid(222).open(host.device(0).core(1));
            monitor("{\"period\":\"1h\",\"neuron_runtimes\":[{\"tag_filter\":\"^2\","
                    + "\"metrics\":[{\"type\":\"execution_stats\"}]}]}");

            assertThat(nextRuntime().get("pid").longValue()).isEqualTo(222);
        }

        private static Process tagged(String tag) throws IOException {
            ProcessBuilder program =
                    new ProcessBuilder("sh", "-c", "NEURON_PROCESS_TAG=$(printf '" + tag + "') exec sleep 3600");
            Process started = program.start();
            Path environment = Path.of("/proc/" + started.pid() + "/environ");
            await().until(() ->
                    Files.readString(environment, StandardCharsets.ISO_8859_1).contains("NEURON_PROCESS_TAG="));
            return started;
        }

        private FakeProcess open(Process program) {
            return host.process("program")
                    .pid(program.pid())
                    .open(host.device(0).core(0));
        }

        @Test
        void selectsAProgramByItsTagAfterItsEnd() throws Exception {
            monitor(EVERY_GROUP.replace(".*", "^job$"));
            next();
            Process program = tagged("job");
            try (FakeProcess process = open(program)) {
                process.execute(host.device(0).core(0), 3);
            }
            program.destroyForcibly().waitFor();

            JsonNode runtime = nextRuntime();
            assertThat(runtime.get("neuron_runtime_tag").stringValue()).isEqualTo("job");
            assertThat(summary(runtime).get("completed").longValue()).isEqualTo(3);
        }

        @Test
        void readsTagsAsUtf8() throws Exception {
            monitor(EVERY_GROUP);
            Process program = tagged("gr\\303\\266\\303\\237e");
            try {
                open(program);
                assertThat(nextRuntime().get("neuron_runtime_tag").stringValue())
                        .isEqualTo("gr\u00f6\u00dfe");
            } finally {
                program.destroyForcibly();
            }
        }

        @Test
        void refusesAFilterThatNeverEnds() throws Exception {
            Process program = tagged("a".repeat(200) + "b");
            try {
                open(program);
                String answer = assertTimeoutPreemptively(
                        Patience.LIMIT, () -> monitor(EVERY_GROUP.replace(".*", "^(.*a){30}c$")));

                assertThat(answer).startsWith("error tag_filter \"^(.*a){30}c$\" takes too long for the tag aaaa");
            } finally {
                program.destroyForcibly();
            }
        }

        @Test
        void takesNamedGroupsOfGo() {
            assertThat(monitor(EVERY_GROUP.replace(".*", "^(?P<the_job>[0-9]+)$")))
                    .isEqualTo("ok");
        }

        @Test
        void waitsForThePeriodHoweverLong() {
            monitor("{\"period\": \"2562047h\", \"system_metrics\": [{\"type\": \"memory_info\"}]}");

            next();

            assertThat(session.answer("system-tool next")).startsWith("ok wait 9223");
        }

        @Test
        void mayHave4096BytesOfAnyCharacter() {
            for (String filling : List.of("\n", "\u00e4", "\"\",", "\ud83d\ude80")) {
                int bytes = filling.getBytes(StandardCharsets.UTF_8).length;
                String full = "[" + filling.repeat(4090 / bytes);
                assertThat(monitor(full)).startsWith("error line ");
            }
        }

        @Test
        void isRefusedWithoutAFailureOfTheHost() {
            for (String wrong : List.of("[".repeat(2000), "{\"x\": " + "1".repeat(2000) + "}", "{\"x\": [1")) {
                assertThat(monitor(wrong))
                        .startsWith("error ")
                        .doesNotContain("host failed", "REDACTED", "Constraints");
            }
            assertThat(monitor(EVERY_GROUP.replace(".*", "(".repeat(1700) + ")".repeat(1700))))
                    .matches("ok|error tag_filter .* is no regular expression");
        }

        @Test
        void assignsAProcessToTheFirstMatch() {
            host.openProcess(host.device(0).core(0));
            monitor("{\"neuron_runtimes\":[{\"metrics\":[{\"type\":\"memory_used\"}]},"
                    + "{\"metrics\":[{\"type\":\"execution_stats\"}]}]}");

            assertThat(nextRuntime().get("report").propertyNames()).containsExactly("memory_used");
        }

        @Test
        void givesAGroupThePeriodOfItsProcesses() {
            host.openProcess(host.device(0).core(0));
            monitor("{\"period\":\"1h\",\"neuron_runtimes\":[{\"period\":\"1ns\","
                    + "\"metrics\":[{\"type\":\"memory_used\"}]}],\"system_metrics\":[{\"type\":\"memory_info\"}]}");

            assertThat(next().get("system_data").propertyNames()).containsExactly("memory_info");
            JsonNode second = next();
            assertThat(second.get("neuron_runtime_data")).hasSize(1);
            assertThat(second.get("system_data")).isEmpty();
        }

        @Test
        void givesAGroupItsOwnPeriod() {
            monitor("{\"period\":\"1h\",\"neuron_runtimes\":[],\"system_metrics\":[{\"type\":\"memory_info\","
                    + "\"period\":\"1ns\"},{\"type\":\"neuron_hw_counters\"}]}");

            assertThat(next().get("system_data").propertyNames()).containsExactly("memory_info", "neuron_hw_counters");
            assertThat(next().get("system_data").propertyNames()).containsExactly("memory_info");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{} [] | there is text after its end",
                    "{ | line 1, column 2: Unexpected end-of-input",
                    "{\"period\": 5} | period must be a string, not 5",
                    "{\"period\": \"5\"} | period \"5\" is not a duration such as 500ms, 1s or 1m30s",
                    "{\"period\": \"0s\"} | period \"0s\" must be longer than 0",
                    "{\"period\": \"0.1ns\"} | period \"0.1ns\" must be longer than 0",
                    "{\"period\": \"2562048h\"} | period \"2562048h\" must be longer than 0 and at most 2562047h",
                    "{\"period\": \"2562047h2562047h\"} | must be longer than 0 and at most 2562047h",
                    "[] | the configuration must be an object",
                    "{\"neuron_runtimes\": {}} | neuron_runtimes must be an array",
                    "{\"system_metrics\": [{}]} | type must be a string, not null",
                    "{\"system_metrics\": [{\"type\": \"vcpu\"}]} | no type of metrics \"vcpu\"",
                    "{\"neuron_runtimes\": [{\"tag_filter\": \"(\"}]} | tag_filter \"(\" is no regular expression",
                })
        void isRefusedWithWhatWasExpected(String configuration, String reason) {
            assertThat(monitor(configuration)).startsWith("error ").contains(reason);
        }

        @ParameterizedTest
        @ValueSource(strings = {"1s", "500ms", "1.0s", "1m30s", ".5s", "1h"})
        void takesDurationsOfGo(String period) {
            assertThat(monitor("{\"period\": \"" + period + "\"}")).isEqualTo("ok");
        }

        @ParameterizedTest
        @CsvSource({"1h2m, 3720", "90m, 5400", "3600000ms, 3600", "3600000000us, 3600", "1800s1800000000000ns, 3600"})
        void addsTheUnitsOfADuration(String period, long seconds) {
            monitor("{\"period\": \"" + period + "\", \"system_metrics\": [{\"type\": \"memory_info\"}]}");
            next();

            String wait = session.answer("system-tool next").replace("ok wait ", "");

            assertThat(Duration.ofNanos(Long.parseLong(wait)))
                    .isBetween(Duration.ofSeconds(seconds - 60), Duration.ofSeconds(seconds));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "inf1.xlarge, inferentia, v1, v1, 4",
        "trn1.32xlarge, trainium, v2, v2, 2",
        "trn2.48xlarge, trainium2, v4, v3d, 4",
    })
    void namesTheHardware(String instance, String type, String device, String core, int cores) {
        use(instance);
        monitor(EVERY_GROUP);

        JsonNode hardware = next().get("neuron_hardware_info");

        assertThat(hardware.get("neuron_device_type").stringValue()).isEqualTo(type);
        assertThat(hardware.get("neuron_device_version").stringValue()).isEqualTo(device);
        assertThat(hardware.get("neuroncore_version").stringValue()).isEqualTo(core);
        assertThat(hardware.get("neuroncore_per_device_count").intValue()).isEqualTo(cores);
    }
}
