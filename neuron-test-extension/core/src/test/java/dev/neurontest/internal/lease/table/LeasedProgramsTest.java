package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the programs of a lease from the point of view of other JVMs. */
class LeasedProgramsTest {

    @TempDir
    Path root;

    @TempDir
    Path parent;

    private final List<Process> programs = new ArrayList<>();

    @AutoClose
    private LeaseTable table;

    @AutoClose
    private LeaseStore another;

    private Lease lease;

    @BeforeEach
    void leaseTwoCores() throws Exception {
        LeaseTable.Builder builder = LeaseTable.builder(
                new HostFixture(root).devices(HostFixture.Kind.TRN1, 0).host());
        table = builder.directory(parent.resolve("leases")).open();
        another = LeaseStore.in(parent.resolve("leases"), null, new ProcessTable(), warning -> {});
        lease = table.lease(new LeaseRequest("BertTest > infers()", List.of(CoreRequest.inARow(2))), Duration.ZERO);
    }

    @AfterEach
    void end() {
        programs.forEach(Process::destroyForcibly);
    }

    private ProcessHandle program() throws Exception {
        Process program = new ProcessBuilder("sleep", "600").start();
        programs.add(program);
        return program.toHandle();
    }

    private List<Long> seen() {
        return another.state().claims().get(0).processes().stream()
                .map(ProcessIdentity::pid)
                .toList();
    }

    private Path lock() {
        return parent.resolve("leases").resolve(another.state().claims().get(0).lock());
    }

    @Test
    void areVisibleToOtherJvmsWhileTheyRun() throws Exception {
        // given
        ProcessHandle first = program();
        ProcessHandle second = program();

        // when
        lease.startedProcess(first);
        lease.startedProcess(second);
        lease.startedProcess(second);

        // then
        assertThat(seen()).containsExactly(first.pid(), second.pid());
        assertThat(another.state().claims()).extracting(LeaseState.Claim::cores).allMatch(cores -> cores.size() == 2);

        // when
        lease.endedProcess(first);

        // then
        assertThat(seen()).containsExactly(second.pid());
    }

    @Test
    void haveALockUntilTheLeaseEnds() {
        // given
        assumeThat(ProgramLock.isAvailable()).isTrue();
        Path lock = lock();

        // when
        assertThat(lease.programLock()).isPresent().isEqualTo(lease.programLock());

        // then
        assertThat(lock).exists();

        // when
        lease.close();

        // then
        assertThat(lock).doesNotExist();
        assertThat(lease.programLock()).as("after the lease").isEmpty();
    }

    @Test
    void keepLockAndCoresWhenTheyOutliveLease() throws Exception {
        // given
        assumeThat(ProgramLock.isAvailable()).isTrue();
        Path lock = lock();
        lease.startedProcess(program());
        assertThat(lease.programLock()).isPresent();

        // when
        lease.close();

        // then
        assertThat(lock).exists();
        assertThat(another.state().claims()).isEmpty();
        assertThat(another.state().barred())
                .hasSize(2)
                .allSatisfy(barred -> assertThat(barred.reason())
                        .isEqualTo(
                                "the lease was released while its process %s was alive",
                                programs.get(0).pid()));
    }

    @Test
    void haveNoLockInMemoryTable() throws Exception {
        // given
        try (LeaseTable memory =
                LeaseTable.builder(new HostFixture(root).host()).open()) {
            Lease alone =
                    memory.lease(new LeaseRequest("BertTest > infers()", List.of(CoreRequest.any())), Duration.ZERO);

            // then
            assertThat(alone.programLock()).isEmpty();
        }
    }
}
