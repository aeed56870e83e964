package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of the calls of transfer libraries, profilers and frameworks, other than loading and executing. */
class RuntimeClientsIT {

    @TempDir
    private Path folder;

    private FakeNeuronHost host;
    private RuntimeProgramFixture program;

    @BeforeEach
    void start() throws Exception {
        RuntimeProgramFixture.requireLibrary();
        host = FakeNeuronHost.builder().instance("trn2.3xlarge").start();
        program = RuntimeProgramFixture.start(host);
    }

    @AfterEach
    void end() throws Exception {
        if (program != null) {
            program.close();
        }
        if (host != null) {
            host.close();
        }
    }

    private void load(int core) throws Exception {
        host.runtime().neff("k").latency(Duration.ofMillis(2));
        Path neff = FakeNeff.builder().name("k").lnc(2).write(folder.resolve("k.neff"));
        program.succeed("load " + neff + " " + core + " 1");
    }

    private List<JsonNode> events(String call) throws Exception {
        String answer = program.say(call);
        assertThat(answer).as(program.err()).startsWith("0 {");
        JsonNode root = JsonMapper.shared().readTree(answer.substring(2));
        assertThat(root.get("data_version").asInt()).isEqualTo(2);
        List<JsonNode> events = new ArrayList<>();
        root.get("events").forEach(events::add);
        return events;
    }

    @Test
    void traceExecutionTimeOfPhysicalCores() throws Exception {
        program.succeed("init");
        load(0);
        assertThat(program.say("trace-start")).isEqualTo("0 nc_exec_running");

        program.succeed("execute 0");

        List<JsonNode> events = events("trace-fetch");
        assertThat(events)
                .extracting(event -> event.get("event_type").asString()
                        + " " + event.get("phase").asString()
                        + " " + event.get("nc_idx").asInt()
                        + " " + event.get("data").get("device_core_idx").asInt())
                .containsExactly(
                        "nc_exec_running start 0 4",
                        "nc_exec_running stop 0 4",
                        "nc_exec_running start 0 5",
                        "nc_exec_running stop 0 5");
        for (int start = 0; start < events.size(); start += 2) {
            JsonNode begin = events.get(start);
            JsonNode end = events.get(start + 1);
            assertThat(end.get("tracking_id")).isEqualTo(begin.get("tracking_id"));
            assertThat(end.get("data").get("exec_id"))
                    .isEqualTo(events.get(0).get("data").get("exec_id"));
            assertThat(time(end) - time(begin)).isEqualTo(2_000_000);
        }
        assertThat(events.get(2).get("tracking_id")).isNotEqualTo(events.get(0).get("tracking_id"));
        assertThat(events("trace-fetch")).as("what was fetched is gone").isEmpty();
        program.succeed("trace-stop", "close");
    }

    private static long time(JsonNode event) {
        assertThat(event.get("timestamp_ns")).isEqualTo(event.get("data").get("nc_timestamp_ns"));
        return event.get("timestamp_ns").asLong();
    }

    @Test
    void fullTraceLosesItsOldestEvents() throws Exception {
        program.succeed("init");
        load(0);
        load(1);
        load(2);
        // Core 2 is left out; six events are kept of each other core.
        assertThat(program.say("trace-start 2")).startsWith("0");
        program.succeed("execute 0", "execute 1", "execute 1", "execute 1", "execute 2");

        assertThat(events("trace-fetch 1 2")).hasSize(2);
        List<JsonNode> left = events("trace-fetch 1");
        assertThat(left).hasSize(4).allMatch(event -> event.get("nc_idx").asInt() == 1);
        assertThat(IntStream.range(1, left.size())
                        .allMatch(i -> left.get(i).get("nc_local_id").asInt()
                                == left.get(i - 1).get("nc_local_id").asInt() + 1))
                .isTrue();
        assertThat(left.get(3).get("nc_local_id").asInt()).isEqualTo(12);
        assertThat(events("trace-fetch"))
                .hasSize(4)
                .allMatch(event -> event.get("nc_idx").asInt() == 0);
    }

    @Test
    void traceNeedsInitAndStart() throws Exception {
        assertThat(program.say("trace-start")).startsWith("13");
        program.succeed("init");

        assertThat(program.say("trace-fetch")).startsWith("2");
        program.succeed("trace-start");
        assertThat(program.say("trace-start")).startsWith("2");
        program.succeed("trace-stop");
        assertThat(program.say("trace-fetch")).startsWith("2");
        program.succeed("trace-start", "close", "init");
        assertThat(program.say("trace-fetch")).as("of the life before").startsWith("2");
    }

    @Test
    void writeToDeviceMemoryByItsAddress() throws Exception {
        program.succeed("init", "allocate a 0 8", "device-copy a xyz");

        assertThat(program.say("read a 0 4")).isEqualTo("0 78797a00");
        assertThat(program.say("device-copy none x")).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 1| 0 0 0 0 abc", "0 2| 0 0 1 1 ", "4 1| 2 2 2 2 ", "0 0| 2 2 2 2 "})
    void barrierAndGatherNeedASingleWorker(String coreAndWorkers, String answer) throws Exception {
        program.succeed("init");

        assertThat(program.say("barrier " + coreAndWorkers).strip()).isEqualTo(answer);
    }

    @Test
    void unsupportedFeaturesAreRefused() throws Exception {
        assertThat(program.say("ucode")).isEqualTo("0");
        program.succeed("init");

        assertThat(program.say("ucode")).isEqualTo("2");
        assertThat(program.say("unsupported")).isEqualTo("2 1 1 null 1 this stand-in has no network plugin");
        assertThat(program.say("routes 64")).isEqualTo("0 count 1 last 0");
        assertThat(program.say("routes 0")).startsWith("2");
    }

    @Test
    void inspectionByOptionsWritesASessionOfEachCore() throws Exception {
        program.succeed("set NEURON_RT_LOG_LEVEL INFO", "init");
        Path output = folder.resolve("output");

        assertThat(program.say("inspect " + output)).isEqualTo("0 all 4 enabled 1 device_profile wrong 2 2 2");

        assertThat(filesBelow(output))
                .isNotEmpty()
                .allMatch(name -> name.matches("profile_nc_[0-9]+_session_1\\.ntff"));
        assertThat(program.err()).contains("files into " + output + "/i-0123456789abcdef0_pid_");
    }

    @ParameterizedTest
    @CsvSource({
        "system_profile, ntrace.pb trace_info.pb",
        "host_memory, host_mem.pb",
        "cpu_util, cpu_util.pb",
    })
    void inspectionWritesTheFilesOfItsActivity(String activity, String files) throws Exception {
        program.succeed("init");
        Path output = folder.resolve("output");

        assertThat(program.say("inspect " + output + " " + activity)).contains(" enabled 1 " + activity + " ");

        assertThat(filesBelow(output)).containsExactly(files.split(" "));
    }

    private static List<String> filesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void continuousProfileSavesTheLastExecution() throws Exception {
        program.succeed("init");
        load(1);
        Path output = folder.resolve("output");
        assertThat(program.say("continuous-save 1")).isEqualTo("2");
        program.succeed("continuous-start " + output);
        assertThat(program.say("continuous-save 1")).isEqualTo("1");
        assertThat(program.err()).contains("nothing was executed on logical core 1");

        program.succeed("execute 0", "continuous-save 1", "execute 0", "continuous-save 1");

        try (Stream<Path> files = Files.list(output)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("profile_nc_1_1.ntff", "profile_nc_1_2.ntff");
        }
        assertThat(program.say("continuous-stop")).isEqualTo("0 0");
        assertThat(program.say("continuous-stop")).isEqualTo("2 2");
    }
}
