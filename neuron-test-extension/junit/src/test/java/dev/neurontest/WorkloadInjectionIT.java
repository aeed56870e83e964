package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.WorkloadFailure;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of the child processes of tests. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class WorkloadInjectionIT {

    private static long pid;
    private static String inherited = "";
    private static Set<Thread> directoryThreads = Set.of();

    @TempDir
    private Path output;

    @BeforeEach
    void forgetThePid() {
        pid = 0;
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("fake:trn2.3xlarge");
    }

    @NeuronTest
    static class SaysItsCoresFixture {
        @Test
        void test(@NeuronIndex({1, 2, 3}) List<NeuronCore> cores, Workloads workloads) {
            String said = workloads
                    .command("sh", "-c", "echo $NEURON_RT_VISIBLE_CORES $NEURON_LOGICAL_NC_CONFIG; echo $API_TOKEN >&2")
                    .environment(Map.of("API_TOKEN", "token=abcdefghijklmnop"))
                    .run()
                    .stdout();
            assertThat(said).isEqualTo("1-3 2\n");
        }
    }

    @NeuronTest
    static class ShowsWhatItInheritsFixture {
        @Test
        void test(NeuronCore core, Workloads workloads) {
            inherited = workloads.command("ls", "-l", "/proc/self/fd").run().stdout();
        }
    }

    @NeuronTest
    static class ForgetsAServerFixture {
        @Test
        void test(NeuronCore core, Workloads workloads) {
            pid = workloads
                    .command("sh", "-c", "echo ready; exec sleep 1000")
                    .readyWhenPrinted("ready")
                    .start()
                    .awaitReady()
                    .pid();
        }
    }

    @NeuronTest
    static class ServerOfAClassFixture {
        private static NeuronWorkload server;

        @BeforeAll
        static void start(NeuronCore core, Workloads workloads) {
            server = workloads
                    .command("sh", "-c", "echo ready; exec sleep 1000")
                    .readyWhenPrinted("ready")
                    .start()
                    .awaitReady();
            pid = server.pid();
        }

        @Test
        void uses() {
            assertThat(server.isAlive()).isTrue();
        }

        @Test
        void usesItAgain() {
            assertThat(server.isAlive()).isTrue();
        }

        @AfterAll
        static void stillThere() {
            assertThat(server.isAlive()).isTrue();
        }
    }

    @NeuronTest
    static class ServerOfAFailingClassFixture {
        @BeforeAll
        static void start(NeuronCore core, Workloads workloads) {
            workloads
                    .command("sh", "-c", "echo ready; exec sleep 1000")
                    .readyWhenPrinted("ready")
                    .start()
                    .awaitReady();
        }

        @Test
        void fails() {
            throw new IllegalStateException("wrong answer");
        }
    }

    @NeuronTest
    static class DeafToTermFixture {
        @Test
        void test(@NeuronIndex(3) NeuronCore core, Workloads workloads) {
            workloads
                    .command("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done")
                    .readyWhenPrinted("ready")
                    .stopsWithin(Duration.ofMillis(200))
                    .start()
                    .awaitReady();
        }
    }

    @NeuronTest
    static class HelperIsDeafToTermFixture {
        @Test
        void test(NeuronCore core, Workloads workloads) {
            workloads
                    .command("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done")
                    .on()
                    .readyWhenPrinted("ready")
                    .stopsWithin(Duration.ofMillis(200))
                    .start()
                    .awaitReady();
        }
    }

    @NeuronTest
    static class OneOfTwoBlamesTheHardwareFixture {
        @Test
        void test(@NeuronIndex({1, 2, 3}) List<NeuronCore> cores, Workloads workloads) {
            workloads
                    .command("sh", "-c", "echo NRT_EXEC_UNIT_UNRECOVERABLE; exit 1")
                    .on(cores.subList(1, 3))
                    .ignoringExit()
                    .run();
        }
    }

    @NeuronTest
    static class BlamesTheHardwareFixture {
        @RetryOnAnotherCore
        void test(NeuronCore core, Workloads workloads) {
            workloads
                    .command(
                            "sh",
                            "-c",
                            "test $NEURON_RT_VISIBLE_CORES != 0 || { echo 'NRT_EXEC_UNIT_UNRECOVERABLE' >&2; exit 1; }")
                    .run();
        }
    }

    @NeuronTest
    static class FailsFixture {
        @Test
        void test(NeuronCore core, Workloads workloads) {
            workloads.command("sh", "-c", "echo no such model >&2; exit 3").run();
        }
    }

    @NeuronTest
    static class WithoutCoresFixture {
        @Test
        void test(Workloads workloads) {
            workloads.command("true").on().run();
        }
    }

    @NeuronTest
    static class NoneFixture {
        @Test
        void test(NeuronCore core, FakeNeuronHost fake) {
            directoryThreads = directoryThreads();
        }
    }

    /** Returns the threads of a fake host that is a directory. */
    private static Set<Thread> directoryThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fake-neuron-"))
                .collect(Collectors.toSet());
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    @Test
    void programKeepsTheLockOfItsLease() throws IOException {
        // given
        assumeThat(ProgramLock.isAvailable()).as("flock of util-linux").isTrue();
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {

            // when
            new NeuronTestKit(output).on("root:" + host.directory()).run(ShowsWhatItInheritsFixture.class);
        }

        // then
        assertThat(inherited).containsPattern("-> .*/jvm-[^/]+/lease-\\d+\n");
    }

    @Nested
    class OfATest {

        @Test
        void receiveLeasedCoresInEnvironment() {
            assertThat(NeuronTestKit.failures(kit().run(SaysItsCoresFixture.class)))
                    .isEmpty();
        }

        @Test
        void leaveOutputWithoutSecrets() throws IOException {
            // when
            kit().with("neuron.test.evidence", "always").run(SaysItsCoresFixture.class);

            // then
            assertThat(kit().attachment("neuron-workload.txt"))
                    .contains("1-3 2")
                    .doesNotContain("abcdefghijklmnop");
        }

        @Test
        void leaveAFolderWithTheirOutput() throws IOException {
            // when
            kit().run(SaysItsCoresFixture.class);

            // then
            try (Stream<Path> files = Files.walk(output.resolve("run"))) {
                assertThat(files.filter(file -> file.endsWith("stdout.log")))
                        .singleElement()
                        .satisfies(file -> assertThat(file).content().isEqualTo("1-3 2\n"));
            }
        }

        @Test
        void endBeforeCountersOfTestAreJudged() {
            // given
            NeuronTestKit kit = kit();

            // when
            kit.run(ForgetsAServerFixture.class);

            // then
            assertThat(isAlive(pid)).isFalse();
            assertThat(kit.events().stream().map(event -> event.getClass().getSimpleName()))
                    .containsSubsequence("WorkloadEnded", "Recorded", "Released");
        }

        @Test
        void failTestWithTheirOutput() {
            assertThat(onlyFailure(kit().run(FailsFixture.class)))
                    .isInstanceOf(WorkloadFailure.class)
                    .hasMessageContainingAll("exit code 3", "no such model");
        }

        @Test
        void fakeHostHasNoDirectoryWithoutWorkloads() {
            // given
            Set<Thread> before = directoryThreads();

            // when
            kit().run(NoneFixture.class);

            // then
            assertThat(before).containsAll(directoryThreads);
        }

        @Test
        void needNoCores() {
            assertThat(NeuronTestKit.failures(kit().run(WithoutCoresFixture.class)))
                    .isEmpty();
        }
    }

    @Nested
    class OfAClass {

        @Test
        void serveAllTestsOfClassAndEndWithIt() {
            // when
            EngineExecutionResults results = kit().run(ServerOfAClassFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
            assertThat(isAlive(pid)).isFalse();
        }

        @Test
        void leaveTheirOutputWhenOneOfItsTestsFails() throws IOException {
            // when
            kit().run(ServerOfAFailingClassFixture.class);

            // then
            assertThat(kit().attachment("neuron-workload.txt")).contains("ready");
        }
    }

    @Nested
    class MakeCoresSuspect {

        @Test
        void whenTheyHadToBeKilled() {
            // given
            NeuronTestKit kit = kit();

            // when
            kit.run(DeafToTermFixture.class);

            // then
            assertThat(kit.events(RunEvent.Quarantined.class))
                    .singleElement()
                    .satisfies(quarantined ->
                            assertThat(quarantined.reason()).contains("was killed while it held the core"));
            assertThat(kit.events(RunEvent.QuarantineEnded.class)).hasSize(1);
        }

        @Test
        void onlyWhenTheyHoldCores() {
            // given
            NeuronTestKit kit = kit();

            // when
            kit.run(HelperIsDeafToTermFixture.class);

            // then
            assertThat(kit.events(RunEvent.WorkloadEnded.class)).hasSize(1);
            assertThat(kit.events(RunEvent.Quarantined.class)).isEmpty();
        }

        @Test
        void butOnlyThoseTheyRanOn() {
            // given
            NeuronTestKit kit = kit();

            // when
            kit.run(OneOfTwoBlamesTheHardwareFixture.class);

            // then
            assertThat(kit.events(RunEvent.Quarantined.class))
                    .flatExtracting(RunEvent.Quarantined::cores)
                    .satisfiesExactly(
                            first -> assertThat(first).startsWith("core 2 "),
                            second -> assertThat(second).startsWith("core 3 "));
        }

        @Test
        void whenTheRuntimeBlamedTheHardware() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results = kit.run(BlamesTheHardwareFixture.class);

            // then
            results.testEvents()
                    .assertStatistics(stats -> stats.aborted(1).succeeded(1).failed(0));
            assertThat(kit.events(RunEvent.Quarantined.class))
                    .singleElement()
                    .satisfies(quarantined -> assertThat(quarantined.reason()).contains("NRT_EXEC_UNIT_UNRECOVERABLE"));
        }
    }
}
