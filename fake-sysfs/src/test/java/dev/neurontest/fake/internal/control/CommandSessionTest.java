package dev.neurontest.fake.internal.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeuronHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The line commands, one by one. */
class CommandSessionTest {

    private static final String CORE = "sys/devices/virtual/neuron_device/neuron0/neuron_core1/";
    private static final String DEVICE = "sys/devices/virtual/neuron_device/neuron0/";

    private FakeNeuronHost host;
    private CommandSession session;

    @BeforeEach
    void start() {
        host = FakeNeuronHost.builder().instance("trn1.32xlarge").start();
        session = host.openSession();
    }

    @AfterEach
    void stop() {
        session.close();
        host.close();
    }

    private void ok(String... commands) {
        for (String command : commands) {
            assertThat(session.answer(command)).as(command).startsWith("ok");
        }
    }

    private String get(String file) {
        return session.answer("get " + file);
    }

    @Test
    void nodeCommandSetsTheElectionResult() {
        String file = "sys/class/neuron_device/node_id_2";
        try (FakeNeuronHost server =
                        FakeNeuronHost.builder().instance("trn2u.48xlarge").start();
                CommandSession speaker = server.openSession()) {
            assertThat(speaker.answer("node 3 of 4")).isEqualTo("ok");
            assertThat(speaker.answer("get " + file)).isEqualTo("ok 1\\n");
            assertThat(speaker.answer("node busy")).isEqualTo("ok");
            assertThat(speaker.answer("get " + file)).isEqualTo("ok busy\\n");
            assertThat(speaker.answer("node failed")).isEqualTo("ok");
            assertThat(speaker.answer("get " + file)).isEqualTo("ok -1\\n");
            assertThat(speaker.answer("node 4 of 4"))
                    .isEqualTo("error node 4 of 4 is not possible: trn2u.48xlarge is one of 2 or 4 servers");
            for (String wrong :
                    new String[] {"node", "node x", "node 1", "node 1 in 4", "node 1 of", "node busy now"}) {
                assertThat(speaker.answer(wrong))
                        .as(wrong)
                        .startsWith("error ")
                        .endsWith("; usage: node NUMBER of 2|4|1 | node busy | node failed");
            }
        }
        assertThat(session.answer("node 1 of 4"))
                .isEqualTo("error trn1.32xlarge@driver-2.30 is a standalone server, which has no election");
    }

    @Nested
    class Processes {

        @Test
        void openAnswersTheProcessId() {
            assertThat(session.answer("open P neuron0/neuron_core0 neuron0/neuron_core1"))
                    .matches("ok pid [0-9]+");
            assertThat(host.processes()).singleElement().satisfies(process -> {
                assertThat(process.name()).isEqualTo("P");
                assertThat(process.cores()).hasSize(2);
            });
        }

        @Test
        void initAnswersTheCoresInTheOrderOfTheRuntime() {
            assertThat(session.answer("init P 1-2 pid 4711"))
                    .isEqualTo("ok pid 4711 cores neuron0/neuron_core1 neuron1/neuron_core0");
            ok("execute P neuron1/neuron_core0", "close P", "init P 1-2 pid 4711");
        }

        @Test
        void initAcceptsTheLogicalCoreSize() {
            try (FakeNeuronHost larger =
                            FakeNeuronHost.builder().instance("trn2.3xlarge").start();
                    CommandSession speaker = larger.openSession()) {
                assertThat(speaker.answer("init P 1")).endsWith(" cores neuron0/neuron_core6 neuron0/neuron_core7");
                assertThat(speaker.answer("init Q 1 pid 4711 lnc 1"))
                        .isEqualTo("ok pid 4711 cores neuron0/neuron_core5");
            }
        }

        @Test
        void refusalsAnswersCountAndLastFive() {
            assertThat(session.answer("refusals")).isEqualTo("ok 0");
            ok("init P 0 pid 4711");
            for (int i = 1; i <= 6; i++) {
                assertThat(session.answer("init Q" + i + " 0"))
                        .startsWith("error NeuronCore(s) not available - Requested:1 Available:0: ")
                        .endsWith(" is taken by P (pid 4711)");
            }

            assertThat(session.answer("refusals").split(" \\| "))
                    .hasSize(6)
                    .startsWith("ok 6")
                    .satisfies(lines -> assertThat(lines[1]).contains("Q2 (pid "))
                    .satisfies(lines -> assertThat(lines[5]).contains("Q6 (pid "));
        }

        @Test
        void executeIncreasesTheCounterOfItsStatus() {
            ok("open P neuron0/neuron_core1", "execute P neuron0/neuron_core1 NRT_TIMEOUT 3");

            assertThat(get(CORE + "stats/status/timeout/total")).isEqualTo("ok 3\\n");
        }

        @Test
        void executeSucceedsOnceByDefault() {
            ok("open P neuron0/neuron_core1", "execute P neuron0/neuron_core1");

            assertThat(get(CORE + "stats/status/success/total")).isEqualTo("ok 1\\n");
        }

        @Test
        void memoryChangesWithLoadAllocFreeAndClose() {
            String tensors = CORE + "stats/memory_usage/device_mem/tensors/total";
            ok("open P neuron0/neuron_core1", "load P neuron0/neuron_core1 1000000");
            assertThat(session.answer("alloc P neuron0/neuron_core1 tensors 4097"))
                    .isEqualTo("ok 2");
            assertThat(get(tensors)).isEqualTo("ok 8192\\n");

            ok("free P 2");
            assertThat(get(tensors)).isEqualTo("ok 0\\n");
            assertThat(get(CORE + "stats/memory_usage/device_mem/total")).isNotEqualTo("ok 0\\n");

            ok("close P");
            assertThat(get(CORE + "stats/memory_usage/device_mem/total")).isEqualTo("ok 0\\n");
        }

        @ParameterizedTest
        @ValueSource(strings = {"close", "kill"})
        void endedProcessReleasesItsCores(String end) {
            ok("open P neuron0/neuron_core1", end + " P", "open Q neuron0/neuron_core1");
        }

        @Test
        void endOfSessionEndsItsProcesses() {
            ok("open P neuron0/neuron_core1");

            session.close();

            assertThat(host.processes()).isEmpty();
        }
    }

    @Nested
    class Hardware {

        @Test
        void eccIncreasesTheErrorCount() {
            ok("ecc neuron0 mem_uncorrected 1");

            assertThat(get(DEVICE + "stats/hardware/mem_ecc_uncorrected")).isEqualTo("ok 1\\n");
        }

        @Test
        void reloadDriverResetsCountersUnlessInUse() {
            ok("open P neuron0/neuron_core1", "execute P neuron0/neuron_core1 NRT_SUCCESS 3");
            assertThat(session.answer("reload-driver")).startsWith("error the module is in use by");
            ok("close P");

            ok("reload-driver");

            assertThat(get(CORE + "stats/status/success/total")).isEqualTo("ok 0\\n");
        }

        @Test
        void removedDeviceReturnsOnRestore() {
            ok("remove neuron0");
            assertThat(get(DEVICE + "core_count")).startsWith("error ");

            ok("restore neuron0");
            assertThat(get(DEVICE + "core_count")).isEqualTo("ok 2");
        }

        @ParameterizedTest
        @CsvSource({
            "empty, ok",
            "garbage not a number, ok not a number",
            "errno EIO, error ",
        })
        void fileIsFaultyUntilResetFaults(String fault, String answer) {
            ok("fault /" + CORE + "stats/status/success/total " + fault);
            assertThat(get(CORE + "stats/status/success/total")).startsWith(answer);

            ok("reset-faults");
            assertThat(get(CORE + "stats/status/success/total")).isEqualTo("ok 0\\n");
        }

        @Test
        void directoryFileIsFaultyUntilResetFaults() throws IOException {
            Path file = host.directory().resolve(CORE + "stats/status/success/total");

            ok("fault /" + CORE + "stats/status/success/total garbage not a number");
            assertThat(file).hasContent("not a number");

            ok("reset-faults");
            assertThat(file).hasContent("0");
        }

        @Test
        void fileMayBeNamedByItsDirectoryPath() {
            ok("fault " + host.directory().resolve(CORE + "stats/status/success/total") + " garbage x");

            assertThat(get(CORE + "stats/status/success/total")).isEqualTo("ok x");
        }

        @Test
        void aFaultMayBeginAfterSomeReads() {
            ok("fault " + CORE + "stats/status/success/total garbage x y after 2");

            assertThat(get(CORE + "stats/status/success/total")).isEqualTo("ok 0\\n");
            assertThat(get(CORE + "stats/status/success/total")).isEqualTo("ok 0\\n");
            assertThat(get(CORE + "stats/status/success/total")).isEqualTo("ok x y");
        }
    }

    @Nested
    class Answers {

        @Test
        void areOneLineEach() {
            assertThat(get(CORE + "stats/tensor_engine/pe_cntrs"))
                    .startsWith("ok xrow_grp,mm_active,wl_active,idle\\n0,")
                    .doesNotContain("\n");
        }

        @Test
        void nameTheLimitOfTooLongInput() {
            assertThat(session.answer("get " + "x".repeat(10_000)))
                    .startsWith("error ")
                    .contains("8192");
            assertThat(session.answer("open " + "x".repeat(65) + " neuron0/neuron_core0"))
                    .startsWith("error ")
                    .contains("64");
        }

        @Test
        void helpDescribesEveryCommand() {
            List<String> help = session.answer("help").lines().toList();

            assertThat(help.get(0)).isEqualTo("ok %s lines follow".formatted(help.size() - 1));
            assertThat(help)
                    .containsSequence("  close P", "      Ends a process.")
                    .allMatch(line -> line.length() <= 100, "is at most 100 wide");
            String words = String.join(" ", help).replaceAll("\\s+", " ");
            for (Command command : Command.values()) {
                assertThat(words).contains(command.usage());
            }
        }

        @Test
        void quitEndsTheSession() {
            ok("quit");

            assertThat(session.hasQuit()).isTrue();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "''|try help",
                    "explode|unknown command explode",
                    "open|name of the process is missing; usage: open P CORE",
                    "open P|the core is missing",
                    "open P neuron0/neuron_core0 pid|the process id is missing",
                    "open P neuron0/neuron_core0 pid 5 6|too many words: 6",
                    "init|name of the process is missing; usage: init P VISIBLE_CORES",
                    "init P|the list of visible cores is missing",
                    "init P 0,2|not one ascending run",
                    "init P 32|no logical core 32 on trn1.32xlarge: it has 0 to 31",
                    "init P 0 lnc 99999999999|1 or 2 physical cores",
                    "init P 0 pid 0|number from 1",
                    "init P 0 cores 5|unknown option cores; usage: init P",
                    "refusals 5|too many words: 5",
                    "open P neuron0/core1|no core \"neuron0/core1\"",
                    "open P neuron99/neuron_core0|no core \"neuron99/neuron_core0\"",
                    "execute P neuron0/neuron_core0|this session has no process P",
                    "close P|this session has no process P",
                    "ecc neuron0 mem_uncorrected -1|at least 0, not -1",
                    "ecc neuron0 mem_uncorrected 1 2|too many words: 2",
                    "alloc-host|name of the process is missing; usage: alloc-host P CORE CATEGORY BYTES",
                    "alloc-host P neuron0/neuron_core0 tensors 1|this session has no process P",
                    "power|the device is missing; usage: power DEVICE PERCENT",
                    "power neuron0|the percentage is missing",
                    "power neuron16 50|no device \"neuron16\" on trn1.32xlarge: it has neuron0 to neuron15",
                    "power neuron0 half|must be a number such as 2 or 0.5, not half",
                    "power neuron0 -1|must be a number such as 2 or 0.5, not -1",
                    "power neuron0 NaN|must be a number such as 2 or 0.5, not NaN",
                    "power neuron0 100.5|neuron0 draws between 0 and 100 percent, not 100.5",
                    "power neuron0 50 60|too many words: 60; usage: power",
                    "remove core|no device \"core\"",
                    "fault dev/neuron0 melt|unknown kind of fault melt",
                    "fault dev/neuron0 errno EWHAT|no error \"EWHAT\"; there are: EACCES",
                    "fault dev/neuron0 slow soon|500ms or 2s, not soon",
                    "fault dev/neuron0 empty after soon|whole number, not soon",
                    "get nowhere|nowhere",
                })
        void nameTheReasonOfAnError(String command, String reason) {
            assertThat(session.answer(command)).startsWith("error ").contains(reason);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "alloc-host P|the core is missing",
                    "alloc-host P neuron0/neuron_core1|the category is missing",
                    "alloc-host P neuron0/neuron_core1 tensors|the size in bytes is missing",
                    "alloc-host P neuron0/neuron_core1 tensors 4k|the size in bytes must be a whole number of at least 0, not 4k",
                    "alloc-host P neuron0/neuron_core1 tensors 1 2|too many words: 2",
                    "alloc-host P neuron0/neuron_core0 tensors 1|has not taken neuron0/neuron_core0",
                    "alloc-host P neuron0/neuron_core1 model_code 1|no category of host memory \"model_code\"; there are: dma_buffers",
                    "alloc P neuron0/neuron_core1 dma_buffers 1|no category of device memory \"dma_buffers\"; there are: model_code",
                    "free P 1|process P has no allocation 1",
                })
        void nameTheReasonOfAnAllocationError(String command, String reason) {
            ok("open P neuron0/neuron_core1");

            assertThat(session.answer(command)).startsWith("error ").contains(reason);
        }
    }

    @Nested
    class Timeline {

        @TempDir
        private Path folder;

        @Test
        void commandsControlTheRecording() throws IOException {
            // given
            Path recording = Files.writeString(folder.resolve("host"), """
                    neuron-archive 1
                    directory 0755 sys/devices/virtual/neuron_device/neuron0
                     core_count 0444 = 2
                    timeline
                    at 0
                    mark body started
                    at 1.5
                    directory 0755 sys/devices/virtual/neuron_device/neuron0
                     core_count 0444 = 4
                    end
                    """);
            try (FakeNeuronHost recorded =
                            FakeNeuronHost.builder().recording(recording).start();
                    CommandSession talk = recorded.openSession()) {

                // when / then
                assertThat(talk.answer("timeline marks")).isEqualTo("ok body started");
                assertThat(talk.answer("timeline end")).isEqualTo("ok at 1500 of 1500 ms");
                assertThat(talk.answer("get " + DEVICE + "core_count")).isEqualTo("ok 4");
                assertThat(talk.answer("timeline seek body started")).isEqualTo("ok at 0 of 1500 ms");
                assertThat(talk.answer("get " + DEVICE + "core_count")).isEqualTo("ok 2");
                assertThat(talk.answer("timeline seek lunch"))
                        .isEqualTo("error no mark \"lunch\" in the recording; there are: body started");
                assertThat(talk.answer("timeline play fast"))
                        .startsWith("error the speed must be a number such as 2 or 0.5, not fast; usage: timeline");
                assertThat(talk.answer("timeline fly")).startsWith("error unknown action fly; usage: timeline");
                assertThat(talk.answer("timeline play 0.001")).startsWith("ok");
                assertThat(talk.answer("timeline pause")).startsWith("ok");
            }
        }
    }
}
