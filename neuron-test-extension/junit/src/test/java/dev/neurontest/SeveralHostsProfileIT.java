package dev.neurontest;

import static dev.neurontest.NeuronTestKit.failures;
import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.RunEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of profiles of programs on several hosts, each a fake host with an agent of its own. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class SeveralHostsProfileIT {

    private static final Path NEFF =
            Path.of("target/several-hosts/resnet50.neff").toAbsolutePath();
    private static final String EXECUTE =
            "exec \"$NEURON_FAKE_ROOT/bin/run-neff\" --times 2 --each-core '%s'".formatted(NEFF);

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Files.createDirectories(NEFF.getParent());
        FakeNeff.builder().name("resnet50").time(Duration.ofMillis(16)).write(NEFF);
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("fake:2xtrn1.2xlarge");
    }

    /** Installs runtimes that can skip executions for a warm-up. */
    private static void skipFirstExecution(List<FakeNeuronHost> hosts) {
        hosts.forEach(host -> host.runtime().release("2.35.30.0"));
    }

    @NeuronTest
    static class SlowHostFixture {

        @Test
        @ProfileWorkloads
        @MaxLatency("17 ms")
        @Threshold(metric = "spill_save_bytes", max = "1 TiB")
        void test(@Hosts(2) NeuronCluster cluster, List<FakeNeuronHost> fakes) {
            skipFirstExecution(fakes);
            fakes.get(1).profiler().script("slowdown", 1.5);
            cluster.workloads().perCore("sh", "-c", EXECUTE).run();
        }
    }

    @Test
    void slowestRankIsNamedWithItsHost() {
        // given
        NeuronTestKit kit = kit();

        // when
        Throwable failure = onlyFailure(kit.run(SlowHostFixture.class));

        // then
        assertThat(failure)
                .hasMessageContaining("@MaxLatency")
                .hasMessageContaining("on rank 2 on host1, the slowest of 4")
                .hasMessageContaining("also beyond it: rank 3 on host1");
        assertThat(kit.events(RunEvent.Violated.class)).hasSize(1);
    }

    @NeuronTest
    static class ProgramPerHostFixture {

        @Test
        @ProfileWorkloads
        @MaxLatency("17 ms")
        void test(@Hosts(2) NeuronCluster cluster, List<FakeNeuronHost> fakes) {
            skipFirstExecution(fakes);
            fakes.get(1).profiler().script("slowdown", 1.5);
            cluster.workloads().perHost("sh", "-c", EXECUTE).run();
        }
    }

    @Test
    void coresOfOneProgramAreRanksOfTheirOwn() {
        // when
        Throwable failure = onlyFailure(kit().run(ProgramPerHostFixture.class));

        // then
        assertThat(failure)
                .hasMessageContaining("on rank 2 on host1, the slowest of 4")
                .hasMessageContaining("also beyond it: rank 3 on host1");
    }

    @NeuronTest
    static class FastEnoughFixture {

        @Test
        @ProfileWorkloads
        @MaxLatency("17 ms")
        void test(@Hosts(2) NeuronCluster cluster, List<FakeNeuronHost> fakes) {
            skipFirstExecution(fakes);
            cluster.workloads().perCore("sh", "-c", EXECUTE).run();
        }
    }

    @Test
    void tracesOfAllRanksAreKept() throws IOException {
        // given
        NeuronTestKit kit = kit().with("neuron.test.evidence", "always");

        // when
        EngineExecutionResults results = kit.run(FastEnoughFixture.class);

        // then
        assertThat(failures(results)).isEmpty();
        assertThat(kit.attachment("neuron-profile.txt").lines())
                .filteredOn(line -> line.contains("execution 2"))
                .satisfiesExactly(
                        line -> assertThat(line).containsSubsequence("0 on host0", ".ntff"),
                        line -> assertThat(line).containsSubsequence("1 on host0", ".ntff"),
                        line -> assertThat(line).containsSubsequence("2 on host1", ".ntff"),
                        line -> assertThat(line).containsSubsequence("3 on host1", ".ntff"));
        assertThat(kit.events(RunEvent.Recorded.class))
                .extracting(RunEvent.Recorded::kind)
                .contains("profile");
    }

    @NeuronTest
    static class RankWithoutTraceFixture {

        @Test
        @ProfileWorkloads
        @MaxLatency("17 ms")
        void test(@Hosts(2) NeuronCluster cluster, List<FakeNeuronHost> fakes) {
            skipFirstExecution(fakes);
            cluster.workloads()
                    .perCore("sh", "-c", "test $RANK = 3 && exit 0; " + EXECUTE)
                    .run();
        }
    }

    @Test
    void rankWithoutTraceLeavesLatencyUndecided() {
        // given
        NeuronTestKit kit = kit();

        // when
        Throwable failure = onlyFailure(kit.run(RankWithoutTraceFixture.class));

        // then
        assertThat(failure)
                .hasMessageContaining("undecided")
                .hasMessageContaining("rank 3 on host1 left no trace")
                .hasMessageContaining("may be the slowest");
        assertThat(kit.events(RunEvent.Violated.class)).isEmpty();
    }

    @NeuronTest
    static class LostHostFixture {

        @Test
        @ProfileWorkloads
        @MaxLatency("17 ms")
        void test(@Hosts(2) NeuronCluster cluster, List<FakeNeuronHost> fakes) {
            skipFirstExecution(fakes);
            cluster.workloads()
                    .perHost("sh", "-c", "test $GROUP_RANK = 1 && kill -9 $PPID; " + EXECUTE)
                    .start()
                    .stop();
        }
    }

    @Test
    void tracesOfLostHostAreMissed() {
        // when
        List<Throwable> all = failures(kit().run(LostHostFixture.class));

        // then
        assertThat(all.toString()).contains("host1");
    }

    @NeuronTest
    static class OwnFolderFixture {

        @Test
        @ProfileWorkloads
        @MaxLatency("17 ms")
        void test(@Hosts(2) NeuronCluster cluster, List<FakeNeuronHost> fakes) {
            skipFirstExecution(fakes);
            cluster.workloads()
                    .perCore("sh", "-c", EXECUTE)
                    .environment(
                            "NEURON_RT_INSPECT_OUTPUT_DIR",
                            NEFF.resolveSibling("own").toString())
                    .run();
        }
    }

    @Test
    void tracesInFolderOfTestItselfAreNotJudged() {
        // when
        Throwable failure = onlyFailure(kit().run(OwnFolderFixture.class));

        // then
        assertThat(failure).hasMessageContaining("undecided").hasMessageContaining("is empty");
    }

    @NeuronTest
    static class NothingProfiledFixture {

        @Test
        @ProfileWorkloads
        @MaxLatency("17 ms")
        void test(@Hosts(2) NeuronCluster cluster) {}
    }

    @Test
    void testWithoutProgramsIsUndecided() {
        // when
        Throwable failure = onlyFailure(kit().run(NothingProfiledFixture.class));

        // then
        assertThat(failure).hasMessageContaining("undecided").hasMessageContaining("Nothing was profiled");
    }
}
