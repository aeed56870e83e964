package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.LeasePrograms;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TableFixture;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.patience.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a core that a person takes out of quarantine. */
class FreedCoreTest {

    private static final String CORE = "neuron0/neuron_core0";
    private static final long PID = ProcessHandle.current().pid();

    private final ProcessTable processes = new ProcessTable();

    private final List<String> cleared = new CopyOnWriteArrayList<>();

    @TempDir
    Path root;

    @TempDir
    Path parent;

    @AutoClose
    private LeaseTable table;

    /** The store of another JVM. */
    @AutoClose
    private LeaseStore another;

    private TableFixture others;

    @BeforeEach
    void twoCores() {
        table = LeaseTable.builder(
                        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0).host())
                .directory(parent.resolve("leases"))
                .observer(new LeaseObserver() {
                    @Override
                    public void cleared(Quarantine quarantine, String how) {
                        cleared.add(quarantine.core() + ": " + how);
                    }
                })
                .open();
        another = LeaseStore.in(parent.resolve("leases"), null, processes, warning -> {});
        others = new TableFixture(another);
    }

    private Lease lease(int core) throws InterruptedException {
        return table.lease(new LeaseRequest("BertTest > infers()", List.of(CoreRequest.exactly(core))), Duration.ZERO);
    }

    private void isRefused(String core, String reason) {
        LeaseTable.Freed freed = table.free(core);
        assertThat(freed.refusal()).contains(reason);
        assertThat(freed.ended()).isEmpty();
    }

    private LeaseState.Claim leaseOfAnother() {
        return others.grant("BertTest > infers()", CORE);
    }

    @Test
    void isLeasedAgain() throws InterruptedException {
        // given
        try (Lease lease = lease(0)) {
            lease.quarantine(lease.cores(), Until.RESET, "status 1202");
        }
        try (Lease neighbour = lease(1)) {
            neighbour.quarantine(neighbour.cores(), Until.RESET, "status 1202");

            // when
            LeaseTable.Freed freed = table.free("0");

            // then
            assertThat(freed.refusal()).isEmpty();
            assertThat(freed.ended()).extracting(Quarantine::core).containsExactly(CORE);
            assertThat(cleared).containsExactly(CORE + ": a person freed the core");
            lease(0).close();
        }
    }

    @Test
    void isFreedAlthoughItsProgramCannotBeSeen() {
        // given
        LeaseState.Claim claim = leaseOfAnother();
        ProcessIdentity self = processes.self();
        ProcessIdentity elsewhere =
                new ProcessIdentity(4711, 1, self.namespace().split(" ")[0] + " pid:[1]", self.user());
        claim.outlivedBy(new LeasePrograms.Remaining(List.of(elsewhere), ProgramLock.State.UNKNOWN), "it was not seen")
                .forEach(others::bar);
        others.release(claim);

        // then
        assertThat(table.free(CORE).ended()).hasSize(1);
    }

    @Test
    void isRefusedWhereItIsNotInQuarantine() {
        isRefused("1", "it is not in quarantine; is it a core of this host?");
        isRefused("neuron7/neuron_core0", "it is not in quarantine; is it a core of this host?");
    }

    @Test
    void isRefusedWhileItIsLeased() throws InterruptedException {
        try (Lease lease = lease(0)) {
            lease.quarantine(lease.cores(), Until.RESET, "status 1202");
            isRefused(CORE, "it is leased by BertTest > infers() (pid %s), which still runs".formatted(PID));
        }
    }

    @Test
    void isRefusedWhileAJvmMayDriveIt() {
        // given
        LeaseState.Claim claim = leaseOfAnother();
        others.bar(claim, Until.IDLE, CORE);
        others.release(claim);

        // then
        isRefused(CORE, "pid %s still runs and may use it".formatted(PID));

        // when
        another.close();

        // then
        assertThat(table.free(CORE).ended()).hasSize(1);
    }

    @Test
    void isRefusedWhileAProgramOfItsLeaseRuns() throws Exception {
        // given
        LeaseState.Claim claim = leaseOfAnother();
        ProcessIdentity self = processes.self();
        claim.outlivedBy(new LeasePrograms.Remaining(List.of(self), ProgramLock.State.UNKNOWN), "its process was alive")
                .forEach(others::bar);
        others.release(claim);

        // then
        isRefused(CORE, "process %s, which BertTest > infers() had started, still runs".formatted(PID));
    }

    @Test
    void isRefusedWhileAProcessHasTheLockOfItsLease() throws Exception {
        // given
        assumeThat(ProgramLock.isAvailable()).isTrue();
        LeaseState.Claim claim = leaseOfAnother();
        assertThat(another.lock(claim.number())).isPresent();
        Process program = new ProcessBuilder(
                        "flock",
                        "--no-fork",
                        parent.resolve("leases").resolve(claim.lock()).toString(),
                        "sleep",
                        "600")
                .start();

        // then
        try {
            claim.outlivedBy(new LeasePrograms.Remaining(List.of(), ProgramLock.State.HELD), "a process was alive")
                    .forEach(others::bar);
            others.release(claim);
            Patience.await()
                    .until(() -> another.programs()
                                    .remaining(List.of(), claim.lock())
                                    .lock()
                            == ProgramLock.State.HELD);
            isRefused(CORE, "a program of BertTest > infers() still runs: a process holds the lock of its lease");
        } finally {
            program.destroyForcibly().waitFor();
        }
    }

    @Test
    void isRefusedWhileAnotherJvmExaminesIt() {
        // given
        LeaseState.Claim claim = leaseOfAnother();
        others.bar(claim, Until.RESET, CORE);
        others.release(claim);
        List<Integer> slots = CoreSlots.slots(List.of(CORE));
        assertThat(another.cores().lock(slots)).isEmpty();

        // then
        isRefused(CORE, "another process is checking its health");

        // when
        another.cores().unlock(slots);

        // then
        assertThat(table.free(CORE).ended()).hasSize(1);
    }
}
