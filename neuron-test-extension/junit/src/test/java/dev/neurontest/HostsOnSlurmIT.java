package dev.neurontest;

import static dev.neurontest.patience.Patience.LIMIT;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.cluster.ClusterResult;
import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.internal.cluster.SlurmOfClass;
import dev.neurontest.internal.cluster.agent.ClusterHosts;
import dev.neurontest.internal.cluster.agent.RemoteHost;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of JVMs with tests over several nodes of a real Slurm, each with a fake host. Afterwards no programs run, and if all nodes still
 * work, they have no leases or temporary folders. The tests that end a node run last.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostsOnSlurmIT {

    private static final String ALL_REDUCE = Path.of("../../examples/src/test/python/all_reduce.py")
            .toAbsolutePath()
            .normalize()
            .toString();
    private static final int CORES = 32;

    @RegisterExtension
    private static final SlurmOfClass SLURM = new SlurmOfClass();

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private ClusterHosts hosts;

    @AfterEach
    void close() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    private Map<String, String> allocate(int nodes) throws Exception {
        Map<String, String> job = SLURM.get().allocate(nodes);
        opened.add(() -> SLURM.get().release(job));
        return job;
    }

    private TestJvmFixture begin(String name, Map<String, String> job, List<String> options, Class<?>... tests)
            throws IOException {
        TestJvmFixture jvm = TestJvmFixture.start(folder.resolve(name), job, options, tests);
        opened.add(jvm);
        return jvm;
    }

    private String run(Map<String, String> job, List<String> options, Class<?>... tests) throws Exception {
        return begin("tests", job, options, tests).output(LIMIT.multipliedBy(3));
    }

    private static void reduce(NeuronCluster cluster, String... options) {
        List<String> words = new ArrayList<>(List.of(ALL_REDUCE));
        words.addAll(List.of(options));
        ClusterResult result = cluster.workloads()
                .perCore("python3", words.toArray(String[]::new))
                .timeout(Duration.ofMinutes(1))
                .run();
        System.out.println("ranks on " + result.ranks());
    }

    @NeuronTest
    static class ReducesOverTwoFixture {

        @Test
        @ExpectCounter(value = "inference_count", delta = 1, each = true)
        void test(@Hosts(value = 2, coresPerHost = 2) NeuronCluster cluster) {
            reduce(cluster);
        }
    }

    @NeuronTest
    static class ReducesOverFourFixture {

        @Test
        @ExpectCounter(value = "inference_count", delta = 1, each = true)
        void test(@Hosts(value = 4, coresPerHost = 1) NeuronCluster cluster) {
            reduce(cluster);
        }
    }

    @NeuronTest
    static class RankIsKilledFixture {

        @Test
        void test(@Hosts(value = 2, coresPerHost = 2) NeuronCluster cluster) {
            reduce(cluster, "--rounds", "1000000", "--kill", "3");
        }
    }

    @Order(1)
    @Test
    void allReducePassesOverTwoAndFourNodesAndKilledRankIsNamedWithItsNode() throws Exception {
        Map<String, String> job = allocate(4);

        assertThat(run(
                        job,
                        List.of(),
                        ReducesOverTwoFixture.class,
                        ReducesOverFourFixture.class,
                        RankIsKilledFixture.class))
                .contains("ReducesOverTwoFixture: SUCCESSFUL", "ReducesOverFourFixture: SUCCESSFUL")
                .contains("2 passed, 1 failed, 0 aborted, 0 skipped")
                .contains("rank 3 of 4 failed first, on n2 (local rank 1)")
                .contains("exit code 137 (128 + 9: SIGKILL)");
        assertNothingIsLeft(job, 4);
    }

    @NeuronTest
    static class NeedsAllCoresFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster) {}
    }

    @Order(2)
    @Test
    void nodeWithoutFreeCoresIsNamedWithTheirHolder() throws Exception {
        // given
        Map<String, String> job = allocate(2);
        Lease held = hosts(job).first(2).get(1).leases().lease(request("Other.test()", 1), Duration.ofSeconds(30));

        // then
        assertThat(run(job, List.of("-Dneuron.test.lease.timeout=1s"), NeedsAllCoresFixture.class))
                .contains("0 passed, 1 failed")
                .contains("LeaseTimeoutException: n2: ")
                .contains("Other.test()");
        held.close();
        assertNothingIsLeft(job, 2);
    }

    @NeuronTest
    static class LeasesAgainAndAgainFixture {

        static IntStream runs() {
            return IntStream.range(0, Integer.getInteger("runs"));
        }

        @ParameterizedTest
        @MethodSource("runs")
        void test(int run, @Hosts(2) NeuronCluster cluster) {}
    }

    /** Verifies that both suites lease in the same order. The second one has the nodes in another order. */
    @Order(3)
    @Test
    void twoSuitesWithTheSameNodesDoNotWaitForEachOther() throws Exception {
        // given
        int runs = Integer.getInteger("test.lease.runs", 10);
        List<String> options = List.of("-Druns=" + runs, "-Dneuron.test.lease.timeout=20s");
        Map<String, String> job = allocate(2);
        Map<String, String> reversed = new HashMap<>(job);
        reversed.put("SLURM_JOB_NODELIST", "n2,n1");
        long begun = System.nanoTime();

        // when
        TestJvmFixture first = begin("first", job, options, LeasesAgainAndAgainFixture.class);
        TestJvmFixture second = begin("second", reversed, options, LeasesAgainAndAgainFixture.class);

        // then
        Duration atMost = LIMIT.plusSeconds(2L * runs);
        assertThat(first.output(atMost)).contains(runs + " passed, 0 failed");
        assertThat(second.output(atMost)).contains(runs + " passed, 0 failed");
        System.out.printf("%s runs of two suites: %s ms%n", runs, (System.nanoTime() - begun) / 1_000_000);
        assertNothingIsLeft(job, 2);
    }

    @NeuronTest
    static class SleepsFixture {

        @Test
        void test(@Hosts(value = 2, coresPerHost = 1) NeuronCluster cluster) {
            cluster.workloads()
                    .perHost("sleep", "600")
                    .timeout(Duration.ofMinutes(5))
                    .run();
        }
    }

    @Tag("long")
    @Order(4)
    @Test
    void launcherThatBlocksEndsTest() throws Exception {
        // given
        Map<String, String> job = allocate(2);
        SLURM.get().blockSteps("n2");
        opened.add(() -> SLURM.get().unblockSteps("n2"));

        // then
        assertThat(run(job, List.of(), SleepsFixture.class))
                .contains("0 passed, 1 failed")
                .contains("HostLostException: n2: the agent did not open its host within 2 min");
        await().untilAsserted(() -> assertThat(SLURM.get().steps(job)).isEmpty());
        SLURM.get().unblockSteps("n2");
        assertNothingIsLeft(job, 2);
    }

    @Tag("long")
    @Order(5)
    @Test
    void nodeThatVanishesIsNamedAndRanksOfOthersEnd() throws Exception {
        // given
        Map<String, String> job = allocate(2);
        TestJvmFixture jvm = begin("tests", job, List.of(), SleepsFixture.class);
        await().until(() -> !SLURM.get().running("n1", "sleep").isEmpty()
                && !SLURM.get().running("n2", "sleep").isEmpty());

        // when
        SLURM.get().kill("n2");

        // then
        assertThat(jvm.output(LIMIT.multipliedBy(2)))
                .contains("0 passed, 1 failed")
                .contains("lost a host: n2 with rank 1 of 2");
        assertThat(SLURM.get().running("n1", "sleep")).isEmpty();
        await().untilAsserted(
                        () -> assertThat(SLURM.get().running("n1", "java")).isEmpty());
    }

    @Tag("long")
    @Order(6)
    @Test
    void stoppedSlurmdIsNamed() throws Exception {
        // given
        Map<String, String> job = allocate(2);
        SLURM.get().stopSlurmd("n3");

        // then
        assertThat(run(job, List.of(), SleepsFixture.class))
                .contains("0 passed, 1 failed")
                .contains("HostLostException: n3: the connection to its agent ended, and the launcher with exit code ")
                .contains("last lines of its launcher:\n    srun: ");
        assertThat(SLURM.get().running("n1", "java")).isEmpty();
        assertThat(SLURM.get().running("n3", "java")).isEmpty();
    }

    /** Returns the hosts of a job with agents of this test. */
    private ClusterHosts hosts(Map<String, String> job) {
        if (hosts == null) {
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.putAll(job);
            hosts = ClusterHosts.of(Settings.of(Map.of(), Map.of()), environment, (host, news) -> {});
            opened.add(hosts);
        }
        return hosts;
    }

    private static LeaseRequest request(String holder, int cores) {
        return new LeaseRequest(holder, List.of(CoreRequest.inARow(cores)));
    }

    private void assertNothingIsLeft(Map<String, String> job, int nodes) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("neuron-test-")))
                    .as("temporary folders")
                    .isEmpty();
        }
        for (int node = 1; node <= nodes; node++) {
            String name = "n" + node;
            assertThat(SLURM.get().running(name, "python3")).isEmpty();
            await().untilAsserted(
                            () -> assertThat(SLURM.get().running(name, "sleep")).isEmpty());
        }
        for (RemoteHost host : hosts(job).first(nodes)) {
            assertThat(host.leases()
                            .lease(request("after the tests", CORES), Duration.ofSeconds(10))
                            .cores())
                    .hasSize(CORES);
        }
    }
}
