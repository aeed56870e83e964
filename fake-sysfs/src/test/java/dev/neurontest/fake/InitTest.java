package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.counter;
import static dev.neurontest.fake.HostFixture.host;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests of {@code NEURON_RT_VISIBLE_CORES} and {@code NEURON_LOGICAL_NC_CONFIG} in {@code nrt_init}. */
class InitTest {

    private static List<String> names(FakeProcess process) {
        return process.cores().stream().map(FakeCore::toString).toList();
    }

    @Nested
    class VisibleCores {

        @ParameterizedTest
        @CsvSource(
                delimiter = ':',
                value = {
                    "3 : neuron1/neuron_core1",
                    "3-3 : neuron1/neuron_core1",
                    "1-2 : neuron0/neuron_core1,neuron1/neuron_core0",
                    "1,2 : neuron0/neuron_core1,neuron1/neuron_core0",
                    "3-5,6 : neuron1/neuron_core1,neuron2/neuron_core0,neuron2/neuron_core1,neuron3/neuron_core0",
                    "31 : neuron15/neuron_core1",
                })
        void areAcquiredExactlyAndInOrder(String visible, String cores) {
            try (FakeNeuronHost host = host("trn1.32xlarge", "driver-2.30")) {
                assertThat(names(host.process("infer").init(visible))).containsExactly(cores.split(","));
            }
        }

        @Test
        void allMeansEveryCoreOfTheHost() {
            try (FakeNeuronHost host = host("inf2.24xlarge", "driver-2.30")) {
                assertThat(host.process("infer").init("all").cores())
                        .isEqualTo(host.devices().stream()
                                .flatMap(device -> device.cores().stream())
                                .toList());
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"", ",", "0,", ",0", "0,2", "1,0", "3-1", "0-1,1", "0,0", "-1", "0-", "x", "0-1-2", "0, 1"})
        void refuseAnythingButOneAscendingRun(String visible) {
            try (FakeNeuronHost host = host("trn1.32xlarge", "driver-2.30")) {
                FakeProcess.Builder process = host.process("infer");

                assertThatThrownBy(() -> process.init(visible))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("\"" + visible + "\"")
                        .hasMessageContaining("3-5,6");
                assertThat(host.processes()).isEmpty();
            }
        }

        @ParameterizedTest
        @CsvSource({
            "trn1.2xlarge, , 1-2, no logical core 2 on trn1.2xlarge: it has 0 to 1",
            "trn2.3xlarge, , 4, 'no logical core 4 on trn2.3xlarge: it has 0 to 3, each of 2 physical cores'",
            "trn2.3xlarge, 1, 8, 'no logical core 8 on trn2.3xlarge: it has 0 to 7, each of 1 physical core'",
        })
        void refuseCoresBeyondTheHost(String instance, Integer logicalCoreSize, String visible, String message) {
            try (FakeNeuronHost host = host(instance, "driver-2.30")) {
                FakeProcess.Builder process = host.process("infer");
                if (logicalCoreSize != null) {
                    process.logicalCoreSize(logicalCoreSize);
                }

                assertThatThrownBy(() -> process.init(visible))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(message);
            }
        }
    }

    @Nested
    class LogicalCores {

        static Stream<JsonNode> instances() {
            return FactsFixture.instances().stream();
        }

        @ParameterizedTest
        @MethodSource("instances")
        void countMatchesTheFacts(JsonNode instance) {
            int logical = instance.get("devices").asInt()
                    * instance.get("logicalCoresPerDevice").asInt();
            int size = instance.get("defaultLnc").asInt();
            try (FakeNeuronHost host = FakeNeuronHost.builder()
                    .instance(FactsFixture.text(instance, "instanceType"))
                    .start()) {
                assertThat(host.process("last")
                                .init(Integer.toString(logical - 1))
                                .cores())
                        .hasSize(size);
                assertThatThrownBy(() -> host.process("none").init(Integer.toString(logical)))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }

        /** Returns the order in which a process counts all cores of a host. */
        private static List<String> order(FakeNeuronHost host) {
            return names(host.process("all").init("all"));
        }

        private static List<String> order(FakeNeuronHost host, String map) {
            List<List<Integer>> rows = FactsFixture.coreMap(map);
            return host.devices().stream()
                    .flatMap(device ->
                            rows.get(device.index() % rows.size()).stream().map(core -> device + "/neuron_core" + core))
                    .toList();
        }

        static Stream<JsonNode> instancesWithAMap() {
            return instances()
                    .filter(instance -> !FactsFixture.text(instance, "coreMap").equals("identity"));
        }

        @ParameterizedTest
        @MethodSource("instancesWithAMap")
        void areOrderedByTheMapOfTheirPlatform(JsonNode instance) {
            try (FakeNeuronHost host = host(FactsFixture.text(instance, "instanceType"), "driver-2.30")) {
                boolean removed = instance.has("platformTo")
                        && !instance.get("platformTo").isNull();

                assertThat(order(host))
                        .isEqualTo(order(host, removed ? "seng-swap" : FactsFixture.text(instance, "coreMap")));
            }
        }

        @ParameterizedTest(name = "{0}@{1} {2}")
        @CsvSource({
            // 2.26.5, which is the driver of Trn3 in this layout
            "trn3s.48xlarge, driver-2.x, seng-swap-pds-2.26",
            "trn3s.48xlarge, driver-2.27, seng-swap-pds",
            "trn3s.48xlarge, driver-2.28, seng-swap",
            "trn3.48xlarge, driver-2.27, seng-swap",
            "trn3.48xlarge, driver-2.28, seng-swap-pds",
            "trn3e.24xlarge, driver-2.28, seng-swap",
            "trn3e.24xlarge, driver-2.29, seng-swap-pds",
            "trn3s-es.48xlarge, driver-2.29, seng-swap",
            "trn3s-es.48xlarge, moved, seng-swap-pds",
            "trn2es.48xlarge, driver-2.27, seng-swap"
        })
        void areOrderedByTheMapOfTheDriver(String instance, String layout, String map) {
            try (FakeNeuronHost host = host(instance, layout)) {
                assertThat(order(host)).isEqualTo(order(host, map));
            }
        }

        @Test
        void areNotFlippedDuringOrAfterFailedElection() {
            try (FakeNeuronHost host = host("trn2u.48xlarge", "driver-2.30")) {
                List<String> unflipped = order(host, "seng-swap");
                host.elect(1, 4);

                host.runElection();
                assertThat(order(host)).isEqualTo(unflipped);
                host.processes().forEach(FakeProcess::close);
                host.failElection();
                assertThat(order(host)).isEqualTo(unflipped);
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = ':',
                value = {
                    "2 : 0 : neuron0/neuron_core4,neuron0/neuron_core5",
                    "2 : 5 : neuron1/neuron_core0,neuron1/neuron_core1",
                    "1 : 0 : neuron0/neuron_core4",
                    "1 : 15-16 : neuron1/neuron_core7,neuron2/neuron_core4",
                })
        void spanAsManyNeighbouringCoresAsTheirSize(int size, String visible, String cores) {
            try (FakeNeuronHost host = host("trn2.48xlarge", "driver-2.30")) {
                FakeProcess process =
                        host.process("infer").logicalCoreSize(size).init(visible);

                assertThat(names(process)).containsExactly(cores.split(","));
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"inf1.xlarge", "inf2.xlarge", "trn1.2xlarge"})
        void haveOnePhysicalCoreOnInfAndTrn1(String instance) {
            try (FakeNeuronHost host =
                    FakeNeuronHost.builder().instance(instance).start()) {
                assertThat(names(host.process("infer").logicalCoreSize(2).init("1")))
                        .containsExactly("neuron0/neuron_core1");
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 3})
        void refuseSizesOtherThanOneOrTwo(int size) {
            try (FakeNeuronHost host = host("trn2.3xlarge", "driver-2.30")) {
                FakeProcess.Builder process = host.process("infer").logicalCoreSize(size);

                assertThatThrownBy(() -> process.init("0"))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("a logical core is 1 or 2 physical cores, not " + size);
            }
        }
    }

    @Test
    void resetsOnlyTheAcquiredCores() throws IOException {
        try (FakeNeuronHost host = host("trn2.3xlarge", "driver-2.30")) {
            // when
            host.process("infer").init("0");

            // then
            for (int core = 0; core < 8; core++) {
                assertThat(counter(host, "neuron0/neuron_core" + core + "/stats/other_info/reset_req_count"))
                        .isEqualTo(core == 4 || core == 5 ? "2/1" : "1/1");
            }
        }
    }

    @Nested
    class Refusals {

        @Test
        void nameTheHoldersInTheWordsOfTheRuntime() {
            try (FakeNeuronHost host = host("trn2.48xlarge", "driver-2.30")) {
                host.process("server").pid(4711).init("4");
                host.process("notebook").pid(4712).init("6");

                assertThatThrownBy(() -> host.process("trainer").pid(4713).init("3-6"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("NeuronCore(s) not available - Requested:4 Available:2:"
                                + " neuron1/neuron_core2 is taken by server (pid 4711),"
                                + " neuron1/neuron_core3 is taken by server (pid 4711),"
                                + " neuron1/neuron_core4 is taken by notebook (pid 4712),"
                                + " neuron1/neuron_core5 is taken by notebook (pid 4712)");
                assertThat(host.processes()).extracting(FakeProcess::name).containsExactly("server", "notebook");
            }
        }

        @Test
        void areRecordedInOrderAndInTheJournal() {
            try (FakeNeuronHost host = FakeNeuronHost.builder()
                    .clock(new ClockFixture("2026-11-21T09:00:00Z"))
                    .start()) {
                host.process("server").pid(4711).init("0");
                assertThat(host.refusals()).isEmpty();

                // when
                assertThatThrownBy(() -> host.process("trainer").pid(4713).init("0-1"));
                assertThatThrownBy(() -> host.process("other").pid(4714).open(host.core("neuron0/neuron_core0")));

                // then
                assertThat(host.refusals())
                        .containsExactly(
                                "2026-11-21T09:00:00Z trainer (pid 4713) is refused"
                                        + " [neuron0/neuron_core0, neuron0/neuron_core1]:"
                                        + " neuron0/neuron_core0 is taken by server (pid 4711)",
                                "2026-11-21T09:00:00Z other (pid 4714) is refused [neuron0/neuron_core0]:"
                                        + " neuron0/neuron_core0 is taken by server (pid 4711)");
                assertThat(host.refusalCount()).isEqualTo(2);
                assertThat(host.journal()).containsAll(host.refusals());
            }
        }

        @Test
        void areRecordedOnlyForCoresOfOtherProcesses() {
            try (FakeNeuronHost host = host("trn1.2xlarge", "driver-2.30")) {
                host.process("server").pid(4711).init("0");

                // when
                assertThatThrownBy(() -> host.process("twice").pid(4711).init("1"));
                assertThatThrownBy(() -> host.process("wrong").init("7"));
                host.device(0).remove();
                assertThatThrownBy(() -> host.process("gone").init("1"));

                // then
                assertThat(host.refusals()).isEmpty();
            }
        }
    }

    @Nested
    class Pids {

        @Test
        void areUsedAsGiven() throws IOException {
            try (FakeNeuronHost host = host("trn1.32xlarge", "driver-2.30")) {
                FakeProcess process = host.process("infer").pid(2147483647).init("3");

                assertThat(process.pid()).isEqualTo(2147483647);
                assertThat(host.tree().list("proc")).containsExactly("2147483647", "devices", "stat");
                assertThat(host.tree().stat("proc/2147483647/fd/3").linkTarget())
                        .isEqualTo("/dev/neuron1");
            }
        }

        @Test
        void areRefusedWhileInUse() {
            try (FakeNeuronHost host = host("trn1.2xlarge", "driver-2.30")) {
                FakeProcess first = host.process("server").pid(4711).init("0");

                assertThatThrownBy(() -> host.process("again").pid(4711).init("1"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("pid 4711 is in use: server (pid 4711) has not ended");

                // when
                first.kill();

                // then
                assertThat(host.process("again").pid(4711).init("1").alive()).isTrue();
                assertThat(host.processes()).extracting(FakeProcess::name).containsExactly("again");
            }
        }

        @Test
        void usedPidIsSkippedInNumbering() {
            try (FakeNeuronHost host = host("trn1.32xlarge", "driver-2.30")) {
                // given
                long next = host.process("first").init("0").pid() + 1;
                host.process("given").pid(next).init("1");

                // when
                FakeProcess other = host.process("other").init("2");

                // then
                assertThat(other.pid()).isEqualTo(next + 1);
                assertThat(host.processes()).extracting(FakeProcess::name).containsExactly("first", "given", "other");
            }
        }

        @Test
        void doNotChangeTheOrderOfProcesses() {
            try (FakeNeuronHost host = host("trn1.32xlarge", "driver-2.30")) {
                host.process("late").pid(9999).init("0");
                host.process("early").pid(12).init("1");

                assertThat(host.processes()).extracting(FakeProcess::name).containsExactly("late", "early");
            }
        }

        @ParameterizedTest
        @ValueSource(longs = {0, -1, 2147483648L})
        void areRefusedOutOfRange(long pid) {
            try (FakeNeuronHost host = host("trn1.2xlarge", "driver-2.30")) {
                FakeProcess.Builder process = host.process("infer");

                assertThatThrownBy(() -> process.pid(pid))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("not " + pid);
            }
        }
    }
}
