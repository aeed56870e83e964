package dev.neurontest;

import static dev.neurontest.NeuronTestKit.failures;
import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.cluster.ClusterResult;
import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of tests over several hosts, each a fake host with an agent of its own. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class SeveralHostsIT {

    private static final AtomicReference<String> SEEN = new AtomicReference<>("");

    @TempDir
    private Path output;

    @BeforeEach
    void forget() {
        SEEN.set("");
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("fake:2xtrn1.2xlarge");
    }

    @NeuronTest
    static class NamesRanksFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster) {
            ClusterResult result = cluster.workloads()
                    .perCore("sh", "-c", "echo rank $RANK of $WORLD_SIZE on core $NEURON_RT_VISIBLE_CORES")
                    .timeout(Duration.ofMinutes(1))
                    .run();
            result.ranks()
                    .forEach(rank -> SEEN.accumulateAndGet(
                            rank.host() + ": " + rank.result().orElseThrow().stdout(), String::concat));
        }
    }

    @Test
    void programRunsOnEachCoreOfEachHost() {
        // when
        kit().run(NamesRanksFixture.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.started(1).succeeded(1));

        // then
        assertThat(SEEN.get().lines())
                .containsExactly(
                        "host0: rank 0 of 4 on core 0",
                        "host0: rank 1 of 4 on core 1",
                        "host1: rank 2 of 4 on core 0",
                        "host1: rank 3 of 4 on core 1");
    }

    @Test
    void runFileNamesHostsAndTheirCores() {
        // given
        NeuronTestKit kit = kit();

        // when
        kit.run(NamesRanksFixture.class);

        // then
        assertThat(kit.events(RunEvent.HostAdded.class))
                .satisfiesExactly(host -> assertThat(host.name()).isEqualTo("host0"), host -> {
                    assertThat(host.name()).isEqualTo("host1");
                    assertThat(host.words())
                            .startsWith("by this machine: trn1.2xlarge (root), driver ")
                            .endsWith(", 1 device with 2 cores");
                });
        assertThat(kit.events(RunEvent.Leased.class).get(0).cores())
                .containsExactly(
                        "host0:neuron0/neuron_core0",
                        "host0:neuron0/neuron_core1",
                        "host1:neuron0/neuron_core0",
                        "host1:neuron0/neuron_core1");
        assertThat(kit.events(RunEvent.Released.class)).hasSize(1);
        assertThat(kit.events(RunEvent.WorkloadEnded.class)).hasSize(4);
    }

    @NeuronTest
    static class MemoryErrorFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster, List<FakeNeuronHost> fakes) {
            fakes.get(1).device(0).ecc("mem_uncorrected", 1);
        }
    }

    @Test
    void memoryErrorOfSecondHostFailsTestAndNamesHost() {
        // given
        NeuronTestKit kit = kit();

        // when
        Throwable failure = onlyFailure(kit.run(MemoryErrorFixture.class));

        // then
        assertThat(failure).hasMessageStartingWith("host1: neuron0 hardware/mem_ecc_uncorrected: expected unchanged");
        assertThat(kit.events(RunEvent.Violated.class))
                .extracting(violated -> violated.violation().subject())
                .allSatisfy(subject -> assertThat(subject).startsWith("host1: neuron0"));
        assertThat(kit.events(RunEvent.Quarantined.class))
                .flatExtracting(RunEvent.Quarantined::cores)
                .contains("host1:neuron0/neuron_core0");
    }

    @NeuronTest
    static class LosesProgramFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster) {
            cluster.workloads().perHost("sh", "-c", "exit $((GROUP_RANK * 3))").start();
        }
    }

    @Test
    void programThatNoThreadAwaitedIsJudged() {
        // when
        Throwable failure = onlyFailure(kit().run(LosesProgramFixture.class));

        // then
        assertThat(failure).hasMessageContaining("host1").hasMessageContaining("exit code 3");
    }

    @NeuronTest
    static class HostIsLostFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster) {
            cluster.workloads()
                    .perHost("sh", "-c", "test $GROUP_RANK = 0 && exec sleep 600; kill -9 $PPID; sleep 600")
                    .timeout(Duration.ofMinutes(2))
                    .run();
        }
    }

    @Test
    void lostHostFailsTestAndItsCountersAreUndecided() {
        // given
        NeuronTestKit kit = kit();

        // when
        List<Throwable> failures = failures(kit.run(HostIsLostFixture.class));

        // then
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageContaining("host1"));
        assertThat(kit.events(RunEvent.LeftUndecided.class))
                .extracting(
                        left -> left.undecided().rule(),
                        left -> left.undecided().subject())
                .as("one result for each rule")
                .containsExactly(
                        tuple("no error counter may move", "host1: its counters"),
                        tuple("no other test has the cores", "host1: neuron0/neuron_core0, neuron0/neuron_core1"));
        assertThat(kit.events(RunEvent.LeftUndecided.class))
                .allSatisfy(
                        left -> assertThat(left.undecided().reason()).contains("the connection to its agent ended"));
    }

    @NeuronTest
    static class ThreeHostsFixture {

        @Test
        void test(@Hosts(3) NeuronCluster cluster) {}
    }

    @Test
    void tooFewHostsSkipTestWithSettingThatDecides() {
        // when
        EngineExecutionResults results = kit().run(ThreeHostsFixture.class);

        // then
        results.testEvents()
                .assertStatistics(statistics -> statistics.started(0).skipped(1));
        assertThat(results.testEvents().skipped().list().get(0).getPayload(String.class))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("the test needs 3 hosts, but this machine has 2")
                        .contains("neuron.test.platform=fake:2xtrn1.2xlarge"));
    }

    @NeuronTest
    static class TooManyCoresFixture {

        @Test
        void test(@Hosts(value = 2, coresPerHost = 3) NeuronCluster cluster) {}
    }

    @Test
    void tooManyCoresPerHostFailTest() {
        assertThat(onlyFailure(kit().run(TooManyCoresFixture.class)))
                .hasMessageContaining("host0 has 2 cores, but the test requests 3 on each host");
    }

    @NeuronTest
    static class SecondTestFixture {

        @Test
        void first(@Hosts(2) NeuronCluster cluster) {
            SEEN.accumulateAndGet("1", String::concat);
        }

        @Test
        void second(@Hosts(2) NeuronCluster cluster) {
            SEEN.accumulateAndGet("2", String::concat);
        }
    }

    @Test
    void coresOfAllHostsAreReleasedForNextTest() {
        kit().inParallel()
                .run(SecondTestFixture.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(2));
    }

    @NeuronTest
    static class HoldsHostFixture {

        @Test
        void test(@Hosts(1) NeuronCluster cluster, List<FakeNeuronHost> fakes) {
            throw new AssertionError("held " + fakes.size());
        }
    }

    @Test
    void fakesAreThoseOfCluster() {
        assertThat(onlyFailure(kit().run(HoldsHostFixture.class))).hasMessage("held 1");
    }

    @NeuronTest
    static class ExpectsCountFixture {

        @Test
        @ExpectCounter(value = "inference_count", delta = 1)
        void test(@Hosts(2) NeuronCluster cluster) {}
    }

    @Test
    void expectationOnCountersIsJudgedOnEachHost() {
        // given
        NeuronTestKit kit = kit();

        // when
        kit.run(ExpectsCountFixture.class);

        // then
        assertThat(kit.events(RunEvent.Violated.class))
                .extracting(violated -> violated.violation().subject().split(":")[0])
                .containsExactly("host0", "host1");
    }

    @NeuronTest
    static class WithoutHostsFixture {

        @Test
        void test(NeuronCluster cluster) {}
    }

    @NeuronTest
    static class HostsOfCoreFixture {

        @Test
        void test(@Hosts(2) NeuronCore core) {}
    }

    @NeuronTest
    static class BesideCoreFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster, NeuronCore core) {}
    }

    @NeuronTest
    static class BesideWorkloadsFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster, Workloads workloads) {}
    }

    @NeuronTest
    static class TwoClustersFixture {

        @BeforeEach
        void before(@Hosts(1) NeuronCluster cluster) {}

        @Test
        void test(@Hosts(2) NeuronCluster cluster) {}
    }

    @NeuronTest
    static class OfClassFixture {

        @BeforeAll
        static void before(@Hosts(2) NeuronCluster cluster) {}

        @Test
        void test() {}
    }

    @NeuronTest
    static class InClassWithCoresFixture {

        @BeforeAll
        static void before(NeuronCore core) {}

        @Test
        void test(@Hosts(2) NeuronCluster cluster) {}
    }

    @NeuronTest
    static class NoHostFixture {

        @Test
        void test(@Hosts(0) NeuronCluster cluster) {}
    }

    @NeuronTest
    static class ProfileFixture {

        @Test
        @ProfileNeff("model.neff")
        void test(@Hosts(2) NeuronCluster cluster) {}
    }

    @NeuronTest
    @CompareToBaseline(metric = "total_time")
    static class BaselineFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster) {}
    }

    @NeuronTest
    static class FakesAloneFixture {

        @Test
        void test(List<FakeNeuronHost> fakes) {}
    }

    @Test
    void mistakesAreNamedBeforeAnythingIsLeased() {
        assertMistake(WithoutHostsFixture.class, "write @Hosts(2) NeuronCluster cluster");
        assertMistake(HostsOfCoreFixture.class, "@Hosts is for a NeuronCluster");
        assertMistake(BesideCoreFixture.class, "it belongs to one host, but the test takes a NeuronCluster");
        assertMistake(BesideWorkloadsFixture.class, "use cluster.hosts() and cluster.workloads(), or split the test");
        assertMistake(TwoClustersFixture.class, "a test has one cluster");
        assertMistake(OfClassFixture.class, "a cluster belongs to one test");
        assertMistake(InClassWithCoresFixture.class, "its class holds cores of this host for all its tests");
        assertMistake(NoHostFixture.class, "at least 1 host");
        assertMistake(ProfileFixture.class, "is measured on one host only");
        assertMistake(BaselineFixture.class, "is measured on one host only");
        assertMistake(FakesAloneFixture.class, "A List<FakeNeuronHost> has the hosts of a NeuronCluster");
    }

    private void assertMistake(Class<?> fixture, String message) {
        assertThat(failures(kit().run(fixture)))
                .anySatisfy(failure -> assertThat(failure).hasMessageContaining(message));
    }
}
