package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.lease.DeadHolder;
import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TableFixture;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the cores of a host. All but the first may be leased. */
class HostCoresTest {

    private static final ProcessIdentity CHILD = new ProcessIdentity(77, 1, "here", "me");

    @TempDir
    Path root;

    private final LeaseStore store = LeaseStore.inMemory(new ProcessTable());
    private final TableFixture other = new TableFixture(store, 4711);
    private NeuronHost host;
    private HostCores cores;

    @BeforeEach
    void fourCoresOfWhichThreeAreGivenOut() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        cores = new HostCores(host, host.cores().subList(1, 4));
    }

    private static BitSet only(int... indices) {
        BitSet some = new BitSet();
        Arrays.stream(indices).forEach(some::set);
        return some;
    }

    @Test
    void areLimitedToCoresOpenForLease() {
        // then
        assertThat(cores.count()).isEqualTo(3);
        assertThat(cores.given()).isEqualTo(host.cores().subList(1, 4));
        assertThat(cores.all()).isEqualTo(only(1, 2, 3));
    }

    @Test
    void areFreeUnlessLeasedOrOnAvoidedDevice() {
        // then
        assertThat(cores.free(Set.of(), Set.of())).isEqualTo(only(1, 2, 3));
        assertThat(cores.free(Set.of("neuron1/neuron_core0"), Set.of())).isEqualTo(only(1, 3));
        assertThat(cores.free(Set.of("neuron1/neuron_core0"), Set.of("neuron0")))
                .isEqualTo(only(3));
    }

    @Test
    void areNamedAsInTable() {
        // then
        assertThat(HostCores.keys(host.cores()))
                .containsExactly(
                        "neuron0/neuron_core0", "neuron0/neuron_core1", "neuron1/neuron_core0", "neuron1/neuron_core1");
        assertThat(cores.core("neuron0/neuron_core1")).contains(host.cores().get(1));
        assertThat(cores.core("neuron7/neuron_core0")).isEmpty();
    }

    @Test
    void keepTableNamesOfInvisibleCores() {
        // then
        assertThat(cores.name("neuron0/neuron_core1")).isEqualTo("neuron0/neuron_core1");
        assertThat(cores.names(List.of("neuron1/neuron_core1", "neuron7/neuron_core0+neuron7/neuron_core1")))
                .isEqualTo("neuron1/neuron_core1, neuron7/neuron_core0+neuron7/neuron_core1");
    }

    @Test
    void logicalCoreIsNamedByItsNumber() {
        // given
        NeuronHost trn2 = new HostFixture(root.resolve("trn2"))
                .devices(HostFixture.Kind.TRN2, 0)
                .host();
        HostCores logical = new HostCores(trn2, trn2.cores());
        String key = HostCores.key(trn2.cores().get(1));

        // then
        assertThat(key).isEqualTo("neuron0/neuron_core6+neuron0/neuron_core7");
        assertThat(logical.name(key)).isEqualTo(trn2.cores().get(1).name()).isNotEqualTo(key);
    }

    @Test
    void quarantinesShowAllFieldsOfTable() {
        // given
        LeaseState.Claim claim = other.grant("BadTest", "neuron0/neuron_core1");
        other.bar(claim, Until.RESET, "neuron0/neuron_core1");
        other.bar(claim.bar(
                        "neuron7/neuron_core0",
                        "its process was alive",
                        Until.PROCESSES_END,
                        Instant.EPOCH,
                        DeviceReading.NONE)
                .until(List.of(CHILD), ""));

        // then
        assertThat(cores.quarantines(store.state().barred()))
                .containsExactly(
                        new Quarantine(
                                "neuron0/neuron_core1",
                                "status 1202; reset the device (neuron0, serial number not readable)",
                                "BadTest",
                                4711,
                                Instant.EPOCH,
                                Until.RESET,
                                DeviceReading.NONE),
                        new Quarantine(
                                "neuron7/neuron_core0",
                                "its process was alive",
                                "BadTest",
                                4711,
                                Instant.EPOCH,
                                Until.PROCESSES_END,
                                DeviceReading.NONE));
    }

    @Test
    void deadHolderListsOnlyVisibleCores() {
        // given
        LeaseState.Claim claim = other.grant("DeadTest", "neuron7/neuron_core0", "neuron0/neuron_core1");

        // then
        assertThat(cores.dead(claim, List.of(CHILD)))
                .isEqualTo(new DeadHolder(4711, "DeadTest", host.cores().subList(1, 2), Instant.EPOCH, List.of(77L)));
    }

    @Test
    void leasesOfSameDeviceAreNeighbours() {
        // given
        LeaseState.Claim mine = new TableFixture(store).grant("MyTest", "neuron0/neuron_core0");
        other.grant("NextTest", "neuron0/neuron_core1");
        other.grant("FarTest", "neuron1/neuron_core1");

        // then
        assertThat(cores.lines(store.state().neighbours(mine, 0)))
                .containsExactly("NextTest (pid 4711) on neuron0/neuron_core1");
    }
}
