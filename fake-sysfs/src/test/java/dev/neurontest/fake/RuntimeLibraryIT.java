package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.read;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the library of a host in a program that is linked to it: its files, its lifetime, its cores. */
class RuntimeLibraryIT {

    private static final Map<String, FakeNeuronHost> SHARED = new HashMap<>();

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireLibrary() {
        RuntimeProgramFixture.requireLibrary();
    }

    @AfterAll
    static void closeHosts() {
        SHARED.values().forEach(FakeNeuronHost::close);
        SHARED.clear();
    }

    private static FakeNeuronHost host(String instance) {
        return FakeNeuronHost.builder().instance(instance).start();
    }

    /**
     * Returns a shared host that no test changes permanently. Waits for processes of the test before, which may still
     * be ending.
     */
    private static FakeNeuronHost shared(String instance) {
        FakeNeuronHost host = SHARED.computeIfAbsent(instance, RuntimeLibraryIT::host);
        await().until(() -> host.processes().isEmpty());
        return host;
    }

    @Nested
    class LibraryFiles {

        @Test
        void haveTheNamesOfTheGenuinePackage() throws Exception {
            try (FakeNeuronHost host = host("trn1.2xlarge")) {
                Path lib = host.directory().resolve("opt/aws/neuron/lib");

                assertThat(Files.readSymbolicLink(lib.resolve("libnrt.so"))).hasToString("libnrt.so.1");
                assertThat(Files.readSymbolicLink(lib.resolve("libnrt.so.1")))
                        .hasToString("libnrt.so." + host.runtime().version());
                assertThat(lib.resolve("libnrt.so." + host.runtime().version())).isExecutable();
            }
        }

        @Test
        void areNotSharedByHosts() throws Exception {
            try (FakeNeuronHost one = host("trn1.2xlarge");
                    FakeNeuronHost other = host("trn1.2xlarge")) {
                assertThat(Files.getAttribute(one.directory().resolve("opt/aws/neuron/lib/libnrt.so.1"), "unix:ino"))
                        .isNotEqualTo(Files.getAttribute(
                                other.directory().resolve("opt/aws/neuron/lib/libnrt.so.1"), "unix:ino"));
            }
        }

        @Test
        void areRemovedOnClose() {
            Path root = folder.resolve("host");
            try (FakeNeuronHost host = FakeNeuronHost.builder().root(root).start()) {
                host.directory();
            }

            assertThat(root).doesNotExist();
        }

        @ParameterizedTest
        @CsvSource({
            "trn1.2xlarge, driver-2.30, 2.34.10.0",
            "trn1.2xlarge, driver-2.29, 2.33.10.0",
            "trn1.2xlarge, docs-2023, 2.29.40.0",
            // Its driver in this layout is 2.26.5.
            "trn3pd98.3xlarge, driver-2.x, 2.30.50.0",
            // No driver of a later SDK supports Inf1.
            "inf1.xlarge, driver-2.x, 2.28.0.0",
            "inf1.xlarge, docs-2023, 2.28.0.0"
        })
        void versionMatchesTheDriver(String instance, String layout, String version) throws Exception {
            try (FakeNeuronHost host = FakeNeuronHost.builder()
                            .instance(instance)
                            .layout(layout)
                            .start();
                    RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                assertThat(host.runtime().version()).isEqualTo(version);
                assertThat(program.say("version 224")).isEqualTo("0 " + version);
            }
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void release228LacksTheDebugStream(boolean made) throws Exception {
            try (FakeNeuronHost host = host("trn1.2xlarge")) {
                if (made) {
                    host.directory();
                }
                host.runtime().release("2.28.23.0");

                Path library = host.directory().resolve("opt/aws/neuron/lib/libnrt.so.1");
                assertThat(symbols(library)).contains("nrt_execute@@NRT_2.0.0").doesNotContain("nrt_debug_client");
                assertThat(library.toRealPath().getFileName()).hasToString("libnrt.so.2.28.23.0");
                assertThat(library.getParent().toFile().list()).hasSize(3);
            }
        }

        @Test
        void exportOnlyVersionedNrtFunctions() throws Exception {
            try (FakeNeuronHost host = host("trn1.2xlarge")) {
                assertThat(symbols(host.directory().resolve("opt/aws/neuron/lib/libnrt.so.1"))
                                .lines()
                                .filter(line -> line.contains(" T ")))
                        .hasSizeGreaterThan(50)
                        .allMatch(line -> line.matches(".* T nrt_[a-z_]+@@NRT_2\\.0\\.0"));
            }
        }

        @Test
        void buildWithoutACompilerIsSkippedWithANote() throws Exception {
            Path target = folder.resolve("classes");
            ProcessBuilder build = new ProcessBuilder("sh", "src/main/c/build.sh", "src/main/c", target.toString());
            build.environment().put("CC", "no-such-compiler");

            Process done = build.redirectErrorStream(true).start();

            assertThat(new String(done.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(
                            "The stand-in libnrt and the launcher at the real path are not built: no-such-compiler is not installed."
                                    + " Fake hosts have no runtime library, and programs cannot run at the real path; tests that need"
                                    + " either are skipped.\n");
            assertThat(done.waitFor()).isZero();
            assertThat(target).doesNotExist();
        }

        private static String symbols(Path library) throws Exception {
            Process nm = new ProcessBuilder("nm", "-D", "--with-symbol-versions", library.toString())
                    .redirectErrorStream(true)
                    .start();
            return new String(nm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Nested
    class Lifecycle {

        @Test
        void callsAreRefusedBeforeInitAndAfterClose() throws Exception {
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                for (String call : new String[] {"allocate a 0 64", "connect 0", "memory 0", "event 3"}) {
                    assertThat(program.say(call)).as(call).startsWith("13");
                }

                program.succeed("init", "init", "allocate a 0 64");
                assertThat(host.processes()).hasSize(1);

                program.succeed("close", "close");
                assertThat(host.processes()).isEmpty();
                for (String call : new String[] {"allocate b 0 64", "connect 0", "memory 0", "event 3"}) {
                    assertThat(program.say(call)).as(call).startsWith("14");
                }
                assertThat(program.say("free a")).isEqualTo("0 null");

                program.succeed("init", "allocate b 0 64", "close");
            }
        }

        @Test
        void endsInForkedChildButContinuesInParent() throws Exception {
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                program.succeed("init", "allocate a 0 64");

                assertThat(program.say("child visible")).isEqualTo("0 visible 2 2");
                for (String call : new String[] {"init", "allocate b 0 64", "connect 0", "counts", "memory 0"}) {
                    assertThat(program.say("child " + call)).as(call).startsWith("1");
                }

                program.succeed("allocate b 0 64", "counts", "close");
            }
        }

        @Test
        void killedProcessEndsAndItsCountersAppear() throws Exception {
            try (FakeNeuronHost host =
                            FakeNeuronHost.builder().layout("driver-2.29").start();
                    RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                Path neff = FakeNeff.builder().name("k").write(folder.resolve("k.neff"));
                String successes = "neuron0/neuron_core0/stats/status/success/total";
                program.succeed("init", "load " + neff + " 0 1", "execute 0", "execute 0");
                assertThat(host.processes()).singleElement().satisfies(process -> {
                    assertThat(process.pid()).isEqualTo(program.pid());
                    assertThat(process.name()).isEqualTo("runtime_calls");
                });
                assertThat(read(host, successes)).isEqualTo("0\n");

                program.kill();

                await().until(() -> host.processes().isEmpty());
                assertThat(read(host, successes)).isEqualTo("2\n");
                assertThat(read(host, "neuron0/neuron_core0/stats/memory_usage/device_mem/total"))
                        .isEqualTo("0\n");
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"fork", "spawn"})
        void endsWithItsProcessThoughAChildSurvives(String how) throws Exception {
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                program.succeed("init");
                String answer = program.say(how);
                ProcessHandle child =
                        ProcessHandle.of(Long.parseLong(answer.substring(2))).orElseThrow();
                try {
                    program.kill();

                    await().until(() -> host.processes().isEmpty());
                    assertThat(child.isAlive()).isTrue();
                } finally {
                    child.destroyForcibly();
                }
            }
        }

        @Test
        void initFailsWithoutAHost() throws Exception {
            Path root = folder.resolve("gone");
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture program =
                    RuntimeProgramFixture.start(host, Map.of("NEURON_FAKE_ROOT", root.toString()))) {
                assertThat(program.say("init")).isEqualTo("2");
                assertThat(program.say("counts")).isEqualTo("2");
                assertThat(program.say("allocate a 0 64")).isEqualTo("13");
                assertThat(program.err()).contains("ERROR   NRT:nrt_init").contains("No neuron device available");
            }
        }

        @Test
        void callsFailAfterTheHostCloses() throws Exception {
            FakeNeuronHost host = host("trn1.2xlarge");
            try (host;
                    RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                program.succeed("init");

                host.close();

                assertThat(program.say("allocate a 0 64")).isEqualTo("1");
                assertThat(program.err()).contains("the host has gone");
                assertThat(program.say("close")).isEqualTo("0");
                assertThat(program.say("init")).isEqualTo("2");
            }
        }

        @Test
        void initFailsWithoutADevice() throws Exception {
            try (FakeNeuronHost host = host("trn1.2xlarge");
                    RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                host.device(0).remove();

                assertThat(program.say("init")).isEqualTo("2");
            }
        }

        @Test
        void initRefusesUnknownFramework() throws Exception {
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                assertThat(program.say("init 0")).isEqualTo("2");
                assertThat(program.say("init 6")).isEqualTo("2");
                assertThat(program.say("init 5")).isEqualTo("0");
            }
        }
    }

    @Nested
    class Cores {

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "trn1.2xlarge||| 0 total 2 2 visible 2 2",
                    "trn1.2xlarge| NEURON_RT_NUM_CORES=1|| 0 total 2 2 visible 1 1",
                    "trn1.2xlarge| NEURON_RT_NUM_CORES=2| NEURON_RT_VISIBLE_CORES=1| 0 total 2 2 visible 1 1",
                    "trn2.3xlarge||| 0 total 4 4 visible 4 4",
                    "trn2.3xlarge| NEURON_LOGICAL_NC_CONFIG=1|| 0 total 8 8 visible 8 8",
                    "trn2.3xlarge| NEURON_LOGICAL_NC_CONFIG=1| NEURON_RT_VISIBLE_CORES=3-5,6| 0 total 8 8 visible 4 4",
                    "trn2.3xlarge| NEURON_RT_VIRTUAL_CORE_SIZE=1| NEURON_RT_VISIBLE_CORES=0-1|"
                            + " 0 total 8 8 visible 2 2",
                    "trn2.3xlarge| NEURON_RT_VISIBLE_CORES=1-2|| 0 total 4 4 visible 2 2",
                })
        void areCountedBeforeAndAfterInit(String instance, String first, String second, String counts)
                throws Exception {
            FakeNeuronHost host = shared(instance);
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host, variables(first, second))) {
                assertThat(program.say("counts")).isEqualTo(counts);
                program.succeed("init");
                assertThat(program.say("counts")).isEqualTo(counts);
            }
        }

        @Test
        void modelCountsAreInLogicalCores() throws Exception {
            FakeNeuronHost host = shared("trn2.3xlarge");
            Path neff = FakeNeff.builder().lnc(2).write(folder.resolve("k.neff"));
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                program.succeed("init", "load " + neff + " 1 2");

                assertThat(program.say("model-counts 0")).isEqualTo("0 cores 2 2 instances 1");
            }
        }

        private static Map<String, String> variables(String... assignments) {
            Map<String, String> variables = new HashMap<>();
            for (String each : assignments) {
                if (each != null) {
                    variables.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
                }
            }
            return variables;
        }

        @Test
        void followTheCoreMapOfTheHost() throws Exception {
            FakeNeuronHost host = shared("trn2.3xlarge");
            try (RuntimeProgramFixture program =
                    RuntimeProgramFixture.start(host, Map.of("NEURON_RT_VISIBLE_CORES", "0"))) {
                program.succeed("init");

                assertThat(host.processes().get(0).cores())
                        .containsExactly(host.core("neuron0/neuron_core4"), host.core("neuron0/neuron_core5"));
            }
        }

        @Test
        void areRefusedToSecondProcessAsByTheRuntime() throws Exception {
            FakeNeuronHost host = shared("trn2.3xlarge");
            try (RuntimeProgramFixture first =
                            RuntimeProgramFixture.start(host, Map.of("NEURON_RT_VISIBLE_CORES", "0-1"));
                    RuntimeProgramFixture second =
                            RuntimeProgramFixture.start(host, Map.of("NEURON_RT_VISIBLE_CORES", "1-3"))) {
                long refusals = host.refusalCount();
                first.succeed("init");

                assertThat(second.say("init")).isEqualTo("1");
                assertThat(second.say("allocate a 0 64")).isEqualTo("13");
                assertThat(second.err())
                        .matches("(?s)\\d{4}-[A-Z][a-z]{2}-\\d{2} [0-9:.]{15} +" + second.pid() + ":" + second.pid()
                                + " +ERROR   NRT:nrt_allocate_neuron_cores +"
                                + "NeuronCore\\(s\\) not available - Requested:3 Available:2\n");
                assertThat(host.refusalCount()).isEqualTo(refusals + 1);

                first.succeed("close");
                second.succeed("init");
            }
        }

        @Test
        void areTheNextFreeOnesForNumCores() throws Exception {
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture first = RuntimeProgramFixture.start(host, Map.of("NEURON_RT_NUM_CORES", "1"));
                    RuntimeProgramFixture second =
                            RuntimeProgramFixture.start(host, Map.of("NEURON_RT_NUM_CORES", "1"));
                    RuntimeProgramFixture third =
                            RuntimeProgramFixture.start(host, Map.of("NEURON_RT_NUM_CORES", "1"))) {
                first.succeed("init");
                second.succeed("init");

                assertThat(host.processes())
                        .extracting(FakeProcess::cores)
                        .map(Object::toString)
                        .containsExactly("[neuron0/neuron_core0]", "[neuron0/neuron_core1]");
                assertThat(third.say("init")).isEqualTo("1");
                assertThat(third.err()).contains("not available - Requested:1 Available:0");
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "NEURON_RT_VISIBLE_CORES=2,1| one ascending run",
                    "NEURON_RT_VISIBLE_CORES=x| one ascending run",
                    "NEURON_RT_VISIBLE_CORES=7| no logical core 7",
                    "NEURON_RT_NUM_CORES=many| NEURON_RT_NUM_CORES=many",
                    "NEURON_RT_NUM_CORES=99| no 99 logical cores",
                    "NEURON_LOGICAL_NC_CONFIG=3| 1 or 2 physical cores",
                    "NEURON_RT_DEBUG_STREAM_BUFFER_SIZE=1000| is not a power of two",
                    "NEURON_RT_DEBUG_STREAM_BUFFER_SIZE=0| is not a power of two",
                    "NEURON_RT_DEBUG_STREAM_BUFFER_SIZE=x| is not a power of two",
                })
        void invalidVariableFailsInit(String variable, String reason) throws Exception {
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host, variables(variable))) {
                assertThat(program.say("init")).isEqualTo("1");

                assertThat(program.err()).contains("ERROR").contains(reason);
                assertThat(host.processes()).isEmpty();
            }
        }

        @ParameterizedTest
        @CsvSource({
            "inf1.xlarge, 0 family 1 size 0 arch NCv1",
            "inf2.8xlarge, 0 family 4 size 4 arch NCv2",
            "trn1.2xlarge, 0 family 2 size 1 arch NCv2",
            "trn2.3xlarge, 0 family 5 size 8 arch NCv3",
            "trn3pd98.3xlarge, 0 family 15 size 8 arch NCv4",
        })
        void instanceInfoMatchesTheHost(String instance, String info) throws Exception {
            FakeNeuronHost host = shared(instance);
            try (RuntimeProgramFixture program =
                    RuntimeProgramFixture.start(host, Map.of("NEURON_RT_VISIBLE_CORES", "0"))) {
                assertThat(program.say("instance")).isEqualTo(info);
                program.succeed("init");
                assertThat(program.say("instance")).isEqualTo(info);
                program.succeed("close");
                assertThat(program.say("instance")).isEqualTo(info);
                assertThat(program.say("child instance")).isEqualTo(info);
            }
        }

        @Test
        void instanceInfoOutlivesTheHost() throws Exception {
            FakeNeuronHost host = host("trn1.2xlarge");
            try (host;
                    RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
                String info = program.say("instance");

                host.close();

                assertThat(program.say("instance")).isEqualTo(info);
            }
        }
    }

    @Nested
    class Log {

        @Test
        void isEmptyAtLevelQuiet() throws Exception {
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(
                    host, Map.of("NEURON_RT_LOG_LEVEL", "QUIET", "NEURON_RT_VISIBLE_CORES", "9"))) {
                assertThat(program.say("init")).isEqualTo("1");

                assertThat(program.err()).isEmpty();
            }
        }

        @Test
        void levelCanBeRaisedForNrtAlone() throws Exception {
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(
                    host, Map.of("NEURON_RT_LOG_LEVEL", "ERROR", "NEURON_RT_LOG_LEVEL_NRT", "info"))) {
                program.succeed("init");

                assertThat(program.err()).contains("INFO    NRT:nrt_init").contains("2 logical cores");
            }
        }

        @Test
        void isWrittenToTheConfiguredFile() throws Exception {
            Path log = folder.resolve("nrt.log");
            FakeNeuronHost host = shared("trn1.2xlarge");
            try (RuntimeProgramFixture program = RuntimeProgramFixture.start(
                    host, Map.of("NEURON_RT_LOG_LOCATION", log.toString(), "NEURON_RT_VISIBLE_CORES", "9"))) {
                assertThat(program.say("init")).isEqualTo("1");

                assertThat(program.err()).isEmpty();
                assertThat(log).content().contains("no logical core 9");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"159, 2", "160, 0", "224, 0"})
    void versionCallRefusesTooSmallBuffer(int size, String status) throws Exception {
        FakeNeuronHost host = shared("trn1.2xlarge");
        try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
            assertThat(program.say("version " + size)).startsWith(status);
        }
    }

    @Test
    void namesEveryStatusOfTheHost() throws Exception {
        FakeNeuronHost host = shared("trn1.2xlarge");
        try (RuntimeProgramFixture program = RuntimeProgramFixture.start(host)) {
            for (NrtStatus status : NrtStatus.values()) {
                assertThat(program.say("status-name " + status.code())).isEqualTo("0 " + status);
            }
            assertThat(program.say("status-name 8")).isEqualTo("0 UNKNOWN");
        }
    }
}
