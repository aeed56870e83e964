package dev.neurontest.cluster;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.internal.cluster.SlurmOfClass;
import dev.neurontest.internal.cluster.agent.ClusterHosts;
import dev.neurontest.internal.cluster.agent.HostLostException;
import dev.neurontest.internal.cluster.agent.RemoteHost;
import dev.neurontest.internal.cluster.rank.ClusterContext;
import dev.neurontest.internal.cluster.rank.ClusterContext.LeasedHost;
import dev.neurontest.internal.cluster.rank.ClusterObserver;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.LeaseRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of hosts that are nodes of a real Slurm, each with a fake host. The test that ends a node runs last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SlurmHostsIT {

    private static final Path ALL_REDUCE = Path.of("../../examples/src/test/python/all_reduce.py")
            .toAbsolutePath()
            .normalize();

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SlurmOfClass SLURM = new SlurmOfClass();

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Map<String, String> job;
    private boolean nodeIsDead;

    @BeforeEach
    void allocate() throws Exception {
        job = SLURM.get().allocate(4);
    }

    @AfterEach
    void release() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
        if (!nodeIsDead) {
            await().untilAsserted(() -> assertThat(SLURM.get().steps(job)).isEmpty());
        }
        SLURM.get().release(job);
    }

    private ClusterHosts hosts() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(job);
        ClusterHosts hosts = ClusterHosts.of(Settings.of(Map.of(), Map.of()), environment, (host, news) -> {});
        opened.add(hosts);
        return hosts;
    }

    private NeuronCluster cluster(int count, int coresPerHost) throws InterruptedException {
        List<LeasedHost> leased = new ArrayList<>();
        for (RemoteHost host : hosts().first(count)) {
            leased.add(
                    new LeasedHost(host, host.leases().lease(request("a test", coresPerHost), Duration.ofSeconds(30))));
        }
        NeuronCluster cluster = new NeuronCluster(
                new ClusterContext(leased, () -> folder, "a test", Map::of, List::of, new ClusterObserver() {}));
        opened.add(cluster);
        return cluster;
    }

    private static LeaseRequest request(String holder, int cores) {
        return new LeaseRequest(holder, List.of(CoreRequest.inARow(cores)));
    }

    @Order(1)
    @Test
    void allReducePassesOverFourNodes() throws Exception {
        // given
        NeuronCluster cluster = cluster(4, 2);

        // when
        ClusterResult result = cluster.workloads()
                .perCore("python3", ALL_REDUCE.toString())
                .timeout(Duration.ofMinutes(2))
                .run();

        // then
        assertThat(result.ranks())
                .extracting(RankResult::host)
                .containsExactly("n1", "n1", "n2", "n2", "n3", "n3", "n4", "n4");
    }

    @Order(2)
    @Test
    void killedRankIsNamedWithItsNode() throws Exception {
        // given
        NeuronCluster cluster = cluster(2, 1);

        // when
        ClusterFailure failure = catchThrowableOfType(
                ClusterFailure.class,
                () -> cluster.workloads()
                        .perCore("python3", ALL_REDUCE.toString(), "--rounds", "5", "--kill", "1")
                        .timeout(Duration.ofMinutes(2))
                        .run());

        // then
        assertThat(failure).hasMessageContaining("rank 1 of 2 failed first, on n2 (local rank 0)");
    }

    @Order(3)
    @Test
    void holderOfCoresIsNamedWithItsNode() throws Exception {
        // given
        cluster(1, 32);
        RemoteHost sameNode = hosts().first(1).get(0);

        // then
        assertThatThrownBy(() -> sameNode.leases().lease(request("another test", 1), Duration.ofMillis(200)))
                .isInstanceOf(LeaseTimeoutException.class)
                .hasMessageStartingWith("n1: ")
                .hasMessageContaining("a test");
    }

    @Tag("long")
    @Order(4)
    @Test
    void killedNodeEndsRanksAndItsJob() throws Exception {
        // given
        NeuronCluster cluster = cluster(2, 1);
        ClusterWorkload workload = cluster.workloads()
                .perHost("sleep", "600")
                .timeout(Duration.ofMinutes(5))
                .start();
        await().until(() -> !SLURM.get().running("n2", "sleep").isEmpty());

        // when
        SLURM.get().kill("n2");
        ClusterFailure failure = catchThrowableOfType(ClusterFailure.class, workload::await);

        // then
        assertThat(failure).hasMessageContaining("lost a host: n2 with rank 1 of 2");
        assertThat(SLURM.get().running("n1", "sleep")).isEmpty();
        assertThatThrownBy(() -> hosts().first(2))
                .isInstanceOf(HostLostException.class)
                .hasMessageContaining("last lines of its launcher:\n    srun: ");
        nodeIsDead = true;
    }
}
