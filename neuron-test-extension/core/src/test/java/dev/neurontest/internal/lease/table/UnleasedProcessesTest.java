package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.configuration.OtherOwnersPolicy;
import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TableFixture;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the owners of processes with an open device. */
class UnleasedProcessesTest {

    private static final long TRAINER = 77;
    private static final Map<String, List<ProcessOwner>> THE_TRAINER =
            Map.of("neuron0", List.of(new ProcessOwner(TRAINER, "trainer")));
    private static final Map<String, List<ProcessOwner>> NONE = Map.of("neuron0", List.of());

    @TempDir
    private Path root;

    private final ProcessTable processes = new ProcessTable();
    private final ProcessIdentity self = processes.self();
    private final LeaseStore table = LeaseStore.inMemory(processes);
    private final TableFixture jvm = new TableFixture(table);
    private List<ProcessIdentity> members = List.of(self);
    private LeaseState.Claim claim;
    private NeuronHost host;

    @BeforeEach
    void leaseACoreOfADeviceThatAProcessHasOpen() {
        host = files().devices(HostFixture.Kind.TRN1, 0, 1).host();
        open(TRAINER, "trainer");
        claim = jvm.grant("test", "neuron0/neuron_core0");
    }

    private HostFixture files() {
        return new HostFixture(root);
    }

    private void open(long pid, String name) {
        files().link("proc/" + pid + "/fd/5", "/dev/neuron0").file("proc/" + pid + "/comm", name + "\n");
    }

    private void stat(long pid, long parent, long started) {
        files().file(
                        "proc/" + pid + "/stat",
                        pid + " (a (b) c) S " + parent + " 0".repeat(17) + " " + started + " 0 0\n");
    }

    private void register(long pid, long started) {
        claim = jvm.started(claim, new ProcessIdentity(pid, started, self.namespace(), self.user()));
    }

    private UnleasedProcesses outsiders(OtherOwnersPolicy policy) {
        return new UnleasedProcesses(host, policy, processes, () -> members);
    }

    private Map<String, List<ProcessOwner>> unleased() {
        return outsiders(OtherOwnersPolicy.AVOID).unleased(this::state);
    }

    private LeaseState state() {
        return table.state();
    }

    @Test
    void findsProcessesStartedByThisJvmWithoutLease() {
        // given
        stat(TRAINER, 76, 1);
        stat(76, self.pid(), 1);
        stat(self.pid(), 1, self.startTicks());

        // then
        assertThat(unleased()).isEqualTo(THE_TRAINER);
    }

    @Test
    void findsProcessWithUnknownParent() {
        assertThat(unleased()).isEqualTo(THE_TRAINER);
    }

    @Test
    void omitsThisJvm() throws IOException {
        // given
        Files.delete(root.resolve("proc/77/fd/5"));
        open(self.pid(), "java");

        // then also if its parents are hidden
        assertThat(unleased()).isEqualTo(NONE);

        // and
        stat(self.pid(), 1, self.startTicks());
        assertThat(unleased()).isEqualTo(NONE);
    }

    @Test
    void omitsProcessesOfLeaseAndTheirChildren() {
        // given
        stat(TRAINER, 76, 1);
        stat(76, self.pid(), 5);
        stat(self.pid(), 1, self.startTicks());

        // when
        register(76, 5);

        // then
        assertThat(unleased()).isEqualTo(NONE);
    }

    @Test
    void omitsProcessOfLeaseWithUnknownParent() {
        // when
        register(TRAINER, -1);

        // then
        assertThat(unleased()).isEqualTo(NONE);
    }

    @Test
    void omitsProcessRegisteredBeforeOrAfterScan() {
        // given
        LeaseState unknown = state();
        register(TRAINER, -1);
        LeaseState known = state();

        // then
        assertThat(unleased(unknown, known)).isEqualTo(NONE);
        assertThat(unleased(known, unknown)).isEqualTo(NONE);
        assertThat(unleased(unknown, unknown)).isEqualTo(THE_TRAINER);
    }

    private Map<String, List<ProcessOwner>> unleased(LeaseState before, LeaseState after) {
        Iterator<LeaseState> states = List.of(before, after).iterator();
        return outsiders(OtherOwnersPolicy.AVOID).unleased(states::next);
    }

    /** Verifies that the process is found, even if one of the two started with the machine. */
    @ParameterizedTest
    @CsvSource({"9, 8", "0, 8", "8, 0"})
    void findsProcessThatReusesPidOfLeasedOne(long started, long known) {
        // given
        stat(TRAINER, self.pid(), started);
        stat(self.pid(), 1, self.startTicks());

        // when
        register(TRAINER, known);

        // then
        assertThat(unleased()).isEqualTo(THE_TRAINER);
    }

    @Test
    void omitsProcessOfChildJvm() {
        // given
        stat(TRAINER, 76, 1);
        stat(76, self.pid(), 5);
        stat(self.pid(), 1, self.startTicks());

        // when
        members = List.of(self, new ProcessIdentity(76, 5, self.namespace(), self.user()));

        // then
        assertThat(unleased()).isEqualTo(NONE);
    }

    @Test
    void findsProcessesOfJvmStartedByAnotherMember() {
        // given
        stat(TRAINER, self.pid(), 1);
        stat(self.pid(), 76, self.startTicks());
        stat(76, 1, 5);

        // when
        members = List.of(self, new ProcessIdentity(76, 5, self.namespace(), self.user()));

        // then
        assertThat(unleased()).isEqualTo(THE_TRAINER);
    }

    @Test
    void countsProcessOfNoMemberAsOutsider() {
        // given
        stat(TRAINER, 1, 1);
        stat(1, 0, 0);

        // when
        UnleasedProcesses outsiders = outsiders(OtherOwnersPolicy.AVOID);

        // then the same query reports it as unleased
        assertThat(outsiders.unleased(this::state)).isEqualTo(NONE);
        assertThat(outsiders.among(state())).isEqualTo(THE_TRAINER);
    }

    @Test
    void omitsProcessThatEndedDuringScan() {
        // given
        host = files().failing("proc/77", new NoSuchFileException("proc/77")).host();

        // then
        assertThat(unleased()).isEqualTo(NONE);
    }

    @Test
    void scansAgainDespiteRecentScan() throws IOException {
        // given
        UnleasedProcesses outsiders = outsiders(OtherOwnersPolicy.AVOID);
        outsiders.scan(Duration.ofHours(1), this::state);
        assertThat(outsiders.unleased(this::state)).isEqualTo(THE_TRAINER);

        // when
        Files.delete(root.resolve("proc/77/fd/5"));

        // then
        assertThat(outsiders.unleased(this::state)).isEmpty();
    }

    @Test
    void findsUnleasedProcessesWhenOutsidersAreIgnored() {
        // given
        stat(TRAINER, 1, 1);
        stat(1, 0, 0);
        open(78, "server");
        UnleasedProcesses outsiders = outsiders(OtherOwnersPolicy.IGNORE);

        // then
        assertThat(outsiders.unleased(this::state))
                .isEqualTo(Map.of("neuron0", List.of(new ProcessOwner(78, "server"))));
        assertThat(outsiders.among(state())).isEmpty();
    }

    /** Lets another process open a device without leased cores. */
    private void openDevice1(long pid) {
        files().link("proc/" + pid + "/fd/5", "/dev/neuron1").file("proc/" + pid + "/comm", "server\n");
    }

    /** Returns the unleased processes on device 1. */
    private List<ProcessOwner> onDevice1() {
        return outsidersNow().getOrDefault("neuron1", List.of());
    }

    @Test
    void countsProcessesUnknownToTableAsOutsiders() {
        // given
        openDevice1(78);

        // then
        assertThat(onDevice1()).containsExactly(new ProcessOwner(78, "server"));

        // when its ancestry can be seen
        stat(78, 1, 1);
        stat(1, 0, 0);

        // then
        assertThat(onDevice1()).containsExactly(new ProcessOwner(78, "server"));
    }

    @Test
    void processOfLeaseIsNoOutsider() {
        // given
        openDevice1(78);

        // when
        register(78, -1);

        // then
        assertThat(onDevice1()).isEmpty();
    }

    @Test
    void childOfLeasedProcessIsNoOutsider() {
        // given
        openDevice1(78);
        stat(78, 76, 9);
        stat(76, 1, 5);
        stat(1, 0, 0);

        // when
        register(76, 5);

        // then
        assertThat(onDevice1()).isEmpty();
    }

    @Test
    void processAwaitedByQuarantineIsNoOutsider() {
        // given
        openDevice1(78);

        // when
        jvm.bar(claim.bar(
                        "neuron1/neuron_core0",
                        "its process was alive",
                        Until.PROCESSES_END,
                        Instant.EPOCH,
                        DeviceReading.NONE)
                .until(List.of(new ProcessIdentity(78, -1, self.namespace(), self.user())), ""));

        // then
        assertThat(onDevice1()).isEmpty();
    }

    @Test
    void rechecksOutsidersAgainstTableWithoutScan() {
        // given
        openDevice1(78);
        UnleasedProcesses outsiders = outsiders(OtherOwnersPolicy.AVOID);
        outsiders.scan(Duration.ZERO, this::state);
        assertThat(outsiders.among(state())).containsKey("neuron1");

        // when
        register(78, -1);

        // then without another query
        assertThat(outsiders.among(state())).isEmpty();
    }

    @Test
    void attributesProcessToHolderInAnotherContainer() {
        // given: its children cannot be determined from here
        stat(TRAINER, 1, 1);
        openDevice1(78);
        stat(78, 1, 1);
        stat(1, 0, 0);
        assertThat(outsidersNow()).containsOnlyKeys("neuron0", "neuron1");

        // when it has leased a core of device 1
        new TableFixture(table, "there", new ProcessIdentity(4711, 1, "another container", "me"))
                .grant("test", "neuron1/neuron_core0");

        // then
        assertThat(outsidersNow()).containsOnlyKeys("neuron0");
    }

    private Map<String, List<ProcessOwner>> outsidersNow() {
        UnleasedProcesses outsiders = outsiders(OtherOwnersPolicy.AVOID);
        outsiders.scan(Duration.ZERO, this::state);
        return outsiders.among(state());
    }
}
