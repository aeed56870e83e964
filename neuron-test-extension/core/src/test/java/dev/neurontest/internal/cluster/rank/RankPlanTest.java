package dev.neurontest.internal.cluster.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.cluster.agent.RemoteRanks.Root;
import dev.neurontest.internal.cluster.rank.RankPlan.Planned;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankPlanTest {

    private static final Root ROOT = new Root("node1", List.of(41000, 41001));

    @TempDir
    private Path root;

    private List<List<NeuronCore>> hosts;

    @BeforeEach
    void host() {
        List<NeuronCore> cores =
                new HostFixture(root).devices(HostFixture.Kind.TRN2, 0).host().cores();
        hosts = List.of(cores.subList(2, 4), cores.subList(0, 1));
    }

    private List<Planned> plan(RankPlan plan) {
        return plan.plan(hosts, List.of("train.py", "--epochs", "1"), ROOT);
    }

    @Test
    void givesEachCoreRankWithCompleteSetOfVariables() {
        List<Planned> plan = plan(RankPlan.PER_CORE);

        assertThat(plan).extracting(Planned::node).containsExactly(0, 0, 1);
        assertThat(plan).extracting(Planned::localRank).containsExactly(0, 1, 0);
        assertThat(plan)
                .extracting(Planned::cores)
                .containsExactly(hosts.get(0).subList(0, 1), hosts.get(0).subList(1, 2), hosts.get(1));
        assertThat(plan.get(1).words()).containsExactly("train.py", "--epochs", "1");
        assertThat(plan.get(1).environment())
                .containsOnly(
                        entry("NEURON_RT_ROOT_COMM_ID", "node1:41000"),
                        entry("MASTER_ADDR", "node1"),
                        entry("MASTER_PORT", "41001"),
                        entry("NEURON_PJRT_PROCESSES_NUM_DEVICES", "1,1,1"),
                        entry("NEURON_PJRT_PROCESS_INDEX", "1"),
                        entry("GROUP_RANK", "0"),
                        entry("RANK", "1"),
                        entry("WORLD_SIZE", "3"),
                        entry("LOCAL_RANK", "1"),
                        entry("LOCAL_WORLD_SIZE", "2"));
        assertThat(plan.get(2).environment())
                .contains(entry("GROUP_RANK", "1"), entry("RANK", "2"), entry("LOCAL_WORLD_SIZE", "1"));
    }

    @Test
    void putsBracketsAroundAddressOnlyBeforePort() {
        assertThat(RankPlan.PER_CORE
                        .plan(hosts, List.of("train.py"), new Root("fd00::7", List.of(41000, 41001)))
                        .get(0)
                        .environment())
                .contains(entry("NEURON_RT_ROOT_COMM_ID", "[fd00::7]:41000"), entry("MASTER_ADDR", "fd00::7"));
    }

    /** Verifies that a program for all cores of its host is no rank of torchrun, because it may start ranks itself. */
    @Test
    void givesProgramOfHostAllItsCoresAndNoRank() {
        List<Planned> plan = plan(RankPlan.PER_HOST);

        assertThat(plan).extracting(Planned::cores).isEqualTo(hosts);
        assertThat(plan.get(1).environment())
                .containsOnly(
                        entry("NEURON_RT_ROOT_COMM_ID", "node1:41000"),
                        entry("MASTER_ADDR", "node1"),
                        entry("MASTER_PORT", "41001"),
                        entry("NEURON_PJRT_PROCESSES_NUM_DEVICES", "2,1"),
                        entry("NEURON_PJRT_PROCESS_INDEX", "1"),
                        entry("GROUP_RANK", "1"));
    }

    @Test
    void startsTorchrunOnEachHost() {
        List<Planned> plan = plan(RankPlan.TORCHRUN);

        assertThat(plan).hasSize(2);
        assertThat(String.join(" ", plan.get(0).words()))
                .isEqualTo(
                        "torchrun --nnodes 2 --node_rank 0 --nproc_per_node 2 --master_addr node1 --master_port 41001 train.py --epochs 1");
        assertThat(plan.get(1).words()).containsSequence("--node_rank", "1", "--nproc_per_node", "1");
        assertThat(plan.get(1).environment()).containsOnly(entry("NEURON_RT_ROOT_COMM_ID", "node1:41000"));
    }
}
