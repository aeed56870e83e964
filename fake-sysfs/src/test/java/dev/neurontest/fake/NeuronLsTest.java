package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.internal.control.CommandSession;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of the output of {@code neuron-ls}: the samples are captured ones with neutral values. */
class NeuronLsTest {

    private static String list(FakeNeuronHost host, String request) {
        try (CommandSession session = host.openSession()) {
            String answer = session.answer("system-tool list " + request);
            assertThat(answer).startsWith("ok");
            return URLDecoder.decode(answer.substring(2).strip(), StandardCharsets.UTF_8);
        }
    }

    private static JsonNode json(FakeNeuronHost host, String request) {
        return JsonMapper.shared().readTree(list(host, request));
    }

    private static FakeNeuronHost host(String instance) {
        return FakeNeuronHost.builder().instance(instance).start();
    }

    @Test
    void cutsNoCharacterOfACommandInTwo() {
        try (FakeNeuronHost host = host("trn1.2xlarge")) {
            host.process("x".repeat(36) + "\ud83d\ude80".repeat(5))
                    .open(host.device(0).core(0));

            for (String format : List.of("json", "table")) {
                assertThat(list(host, "32 " + format + " 0 usual"))
                        .contains("x".repeat(36) + "...")
                        .doesNotContain("?");
            }
        }
    }

    @Nested
    class Json {

        @Test
        void of228HasNoInstanceAndNullWithoutLinks() {
            try (FakeNeuronHost host = host("trn1.2xlarge")) {
                host.runtime().release("2.30.51.0");
                host.process("load.py").pid(2199).open(host.device(0).core(0));

                assertThat(list(host, "28 json 0 usual")).isEqualTo("""
                        [
                            {
                                "neuron_device": 0,
                                "bdf": "0000:00:1e.0",
                                "cpu_affinity": "0-7",
                                "numa_node": "-1",
                                "connected_to": null,
                                "nc_count": 2,
                                "memory_size": 34359738368,
                                "neuroncore_ids": [
                                    0,
                                    1
                                ],
                                "neuron_processes": [
                                    {
                                        "pid": 2199,
                                        "command": "load.py",
                                        "neuron_runtime_version": "2.30.51"
                                    }
                                ]
                            }
                        ]""");
            }
        }

        @Test
        void ofContainerCountsFromItsFirstDeviceAndHidesCommands() {
            try (FakeNeuronHost host = FakeNeuronHost.builder()
                    .instance("trn2.48xlarge")
                    .container(13)
                    .start()) {
                host.process("trainer").pid(1_900_001).open(host.device(13).core(0));

                assertThat(list(host, "32 json 0 usual")).isEqualTo("""
                        [
                            {
                                "instance_type": "trn2.48xlarge",
                                "instance_id": "i-0123456789abcdef0",
                                "neuron_device": 0,
                                "bdf": "0000:e1:00.0",
                                "cpu_affinity": "48-95,144-191",
                                "numa_node": "1",
                                "connected_to": [
                                    12,
                                    1,
                                    9,
                                    14
                                ],
                                "nc_count": 4,
                                "logical_neuroncore_config": 2,
                                "memory_size": 103079215104,
                                "neuroncore_ids": [
                                    0,
                                    1,
                                    2,
                                    3
                                ],
                                "neuron_processes": [
                                    {
                                        "pid": 1900001,
                                        "command": "",
                                        "neuron_runtime_version": "2.34.10"
                                    }
                                ]
                            }
                        ]""");
            }
        }

        @Test
        void before225HasNeitherCoreNumbersNorProcessors() {
            try (FakeNeuronHost host = host("trn1.32xlarge")) {
                assertThat(json(host, "24 json 0 usual").get(0).propertyNames())
                        .containsExactly(
                                "neuron_device", "bdf", "connected_to", "nc_count", "memory_size", "neuron_processes");
            }
        }

        @ParameterizedTest
        @CsvSource({
            "inf1.xlarge, 0, 1, 4, 8589934592, false",
            "inf2.48xlarge, 0, 12, 2, 34359738368, false",
            "trn1.32xlarge, 1, 16, 2, 34359738368, false",
            "trn1.32xlarge, 2, 16, 2, 34359738368, false",
            "trn2.48xlarge, 0, 16, 4, 103079215104, true",
            "trn2.48xlarge, 1, 16, 8, 103079215104, true",
            "trn3pd98.3xlarge, 2, 1, 4, 154618822656, true",
        })
        void countsLogicalCores(String instance, int lnc, int devices, int cores, long memory, boolean chooses) {
            try (FakeNeuronHost host = host(instance)) {
                JsonNode list = json(host, "30 json " + lnc + " usual");

                assertThat(list).hasSize(devices).allSatisfy(device -> {
                    assertThat(device.get("nc_count").intValue()).isEqualTo(cores);
                    assertThat(device.get("memory_size").longValue()).isEqualTo(memory);
                    assertThat(device.has("logical_neuroncore_config")).isEqualTo(chooses);
                });
                assertThat(list.valueStream()
                                .flatMap(device -> device.get("neuroncore_ids").valueStream())
                                .map(JsonNode::intValue))
                        .containsExactlyElementsOf(
                                IntStream.range(0, devices * cores).boxed().toList());
            }
        }

        @Test
        void showsTheRecordedPlacesOfDevices() {
            try (FakeNeuronHost host = host("trn1.32xlarge")) {
                JsonNode list = json(host, "30 json 0 usual");

                assertThat(place(list, 0)).containsExactly("0000:10:1c.0", "0-31,64-95", "0");
                assertThat(place(list, 7)).containsExactly("0000:90:1c.0", "32-63,96-127", "1");
            }
            try (FakeNeuronHost host = host("inf2.24xlarge")) {
                assertThat(place(json(host, "30 json 0 usual"), 5)).containsExactly("0000:20:1d.0", "24-47,72-95", "1");
            }
        }

        @Test
        void showsMadeUpPlacesWhereNoneIsRecorded() {
            try (FakeNeuronHost host = host("trn3pd98.3xlarge")) {
                assertThat(place(json(host, "30 json 0 usual"), 0)).containsExactly("0000:40:00.0", "0-7", "-1");
            }
        }

        private static List<String> place(JsonNode list, int device) {
            JsonNode of = list.get(device);
            return List.of(
                    of.get("bdf").stringValue(),
                    of.get("cpu_affinity").stringValue(),
                    of.get("numa_node").stringValue());
        }

        @Test
        void givesEveryTypeDistinctPlaces() {
            assertThat(FakeNeuronHost.instanceTypes()).allSatisfy(type -> {
                try (FakeNeuronHost host = host(type)) {
                    assertThat(json(host, "30 json 0 usual").valueStream().map(device -> device.get("bdf")))
                            .hasSize(host.devices().size())
                            .doesNotHaveDuplicates();
                }
            });
        }

        @Test
        void cutsCommandsUnlessItIsWide() {
            try (FakeNeuronHost host = host("trn1.2xlarge")) {
                host.openProcess("x".repeat(200), host.device(0).core(0));

                assertThat(command(host, "30 json 0 usual")).isEqualTo("x".repeat(37) + "...");
                assertThat(command(host, "30 json 0 wide")).isEqualTo("x".repeat(77) + "...");
            }
        }

        private static String command(FakeNeuronHost host, String request) {
            return json(host, request).at("/0/neuron_processes/0/command").stringValue();
        }

        @Test
        void leavesOutRemovedDevices() {
            try (FakeNeuronHost host = host("inf2.24xlarge")) {
                host.device(0).remove();
                assertThat(json(host, "30 json 0 usual")
                                .valueStream()
                                .map(device -> device.get("neuron_device").intValue()))
                        .containsExactly(1, 2, 3, 4, 5);

                host.devices().forEach(FakeDevice::remove);
                assertThat(list(host, "30 json 0 usual")).isEmpty();
            }
        }
    }

    @Nested
    class Table {

        @Test
        void hasNoColumnsWithoutValues() {
            try (FakeNeuronHost host = host("trn1.2xlarge")) {
                assertThat(list(host, "28 table 0 usual")).isEqualTo("""
                        instance-type: trn1.2xlarge
                        instance-id: i-0123456789abcdef0
                        +--------+--------+----------+--------+--------------+----------+------+
                        | NEURON | NEURON |  NEURON  | NEURON |     PCI      |   CPU    | NUMA |
                        | DEVICE | CORES  | CORE IDS | MEMORY |     BDF      | AFFINITY | NODE |
                        +--------+--------+----------+--------+--------------+----------+------+
                        | 0      | 2      | 0-1      | 32 GB  | 0000:00:1e.0 | 0-7      | -1   |
                        +--------+--------+----------+--------+--------------+----------+------+
                        """);
            }
        }

        @Test
        void hasARowForEachProcessOfADevice() {
            try (FakeNeuronHost host = FakeNeuronHost.builder()
                    .instance("trn2.48xlarge")
                    .container(13)
                    .start()) {
                host.process("a").pid(1_900_001).open(host.device(13).core(0));
                host.process("b").pid(1_900_002).open(host.device(13).core(1));

                assertThat(list(host, "32 table 0 usual")).isEqualTo("""
                        instance-type: trn2.48xlarge
                        instance-id: i-0123456789abcdef0
                        logical-neuroncore-config: 2
                        +--------+--------+----------+--------+--------------+--------------+---------+---------------+------+---------+
                        | NEURON | NEURON |  NEURON  | NEURON |  CONNECTED   |     PCI      |   PID   |      CPU      | NUMA | RUNTIME |
                        | DEVICE | CORES  | CORE IDS | MEMORY |   DEVICES    |     BDF      |         |   AFFINITY    | NODE | VERSION |
                        +--------+--------+----------+--------+--------------+--------------+---------+---------------+------+---------+
                        | 0      | 4      | 0-3      | 96 GB  | 12, 1, 9, 14 | 0000:e1:00.0 | 1900001 | 48-95,144-191 | 1    | 2.34.10 |
                        |        |        |          |        |              |              | 1900002 |               |      | 2.34.10 |
                        +--------+--------+----------+--------+--------------+--------------+---------+---------------+------+---------+
                        """);
            }
        }

        @Test
        void cutsCommandsUnlessItIsWide() {
            String name =
                    "neuron-bench exec --run-as-cc-neff --warmup none --fixed-instance-count 64 --iterations 1000";
            try (FakeNeuronHost host = host("trn1.2xlarge")) {
                host.openProcess(name, host.device(0).core(0));

                assertThat(list(host, "30 table 0 usual")).contains("| neuron-bench exec --run-as-cc-neff --... |");
                assertThat(list(host, "30 table 0 wide"))
                        .contains(
                                "| neuron-bench exec --run-as-cc-neff --warmup none --fixed-instance-count 64 --... |");
            }
        }

        @Test
        void showsNoControlCharactersOfACommand() {
            try (FakeNeuronHost host = host("trn1.2xlarge")) {
                host.openProcess("a\u001b[31mb\nc", host.device(0).core(0));

                assertThat(list(host, "30 table 0 usual")).contains("| a\\u001b[31mb c |");
            }
        }

        @Test
        void listsProgramsWithoutTheRuntimeOnRequest() {
            String self = URLEncoder.encode("neuron-ls --show-all-procs", StandardCharsets.UTF_8);
            try (FakeNeuronHost host = host("inf2.xlarge")) {
                try (CommandSession monitor = host.openSession()) {
                    assertThat(monitor.answer("system-tool monitor 0 71 neuron-monitor"))
                            .isEqualTo("ok");

                    assertThat(list(host, "30 table 0 usual")).doesNotContain("neuron-monitor");
                    assertThat(list(host, "30 table 0 usual 269192 " + self))
                            .contains("| 71     | neuron-monitor             |")
                            .contains("| 269192 | neuron-ls --show-all-procs |")
                            .containsPattern("\\| 269192 \\|.*\\| NA +\\|");
                }
                assertThat(list(host, "30 table 0 usual 269192 " + self)).doesNotContain("neuron-monitor");
            }
        }
    }

    @Nested
    class Topology {

        @Test
        void of16DevicesIsATorusWithoutProcesses() {
            try (FakeNeuronHost host = host("trn2.48xlarge")) {
                host.openProcess("trainer", host.device(0).core(0));

                assertThat(list(host, "32 topology 0 usual"))
                        .doesNotContain("trainer", "PID")
                        .contains("Neuron Device Topology\n      *        *        *        *      \n")
                        .contains("*––►[ 0 ]◄––►[ 1 ]◄––►[ 2 ]◄––►[ 3 ]◄––*\n")
                        .contains("*––►[12 ]◄––►[13 ]◄––►[14 ]◄––►[15 ]◄––*\n")
                        .endsWith("Legend:\n\n        *––► = Wrap-around link\n");
            }
        }

        @ParameterizedTest
        @CsvSource({
            "inf2.48xlarge, *––►[ 0 ]◄––►[ 1 ]◄––►[ 2 ]◄––►[ 3 ]◄––►[ 4 ]◄––►[ 5 ]◄––►[ 6 ]◄––►[ 7 ]◄––►[ 8 ]◄––►[ 9 ]◄––►[10 ]◄––►[11 ]◄––*",
            "inf2.24xlarge, [ 0 ]◄––►[ 1 ]◄––►[ 2 ]◄––►[ 3 ]◄––►[ 4 ]◄––►[ 5 ]",
            "trn1.2xlarge, [ 0 ]",
        })
        void ofOthersIsARow(String instance, String row) {
            try (FakeNeuronHost host = host(instance)) {
                assertThat(list(host, "30 topology 0 usual").lines()).contains(row);
            }
        }
    }
}
