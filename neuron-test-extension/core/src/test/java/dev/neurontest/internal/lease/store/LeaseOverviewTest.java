package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.device.HostFixture;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseOverviewTest {

    @TempDir
    Path root;

    @TempDir
    Path parent;

    private Path directory;

    @BeforeEach
    void host() {
        directory = parent.resolve("leases");
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0);
    }

    private LeaseTable open() {
        return LeaseTable.builder(new HostFixture(root).host())
                .directory(directory)
                .open();
    }

    @Test
    void isEmptyWhereThereIsNoTable() {
        // then
        assertThat(LeaseOverview.of(directory)).isEmpty();
        assertThat(directory).doesNotExist();
    }

    @Test
    void refusesLinkInPlaceOfDirectory() throws IOException {
        // given
        open().close();
        Path link = Files.createSymbolicLink(parent.resolve("link"), directory);

        // then
        assertThatThrownBy(() -> LeaseOverview.of(link))
                .isInstanceOf(LeaseTableException.class)
                .hasMessageContaining("it is a link to " + directory);
    }

    @Test
    void namesHoldersWithoutJoining() throws InterruptedException {
        // given
        try (LeaseTable table = open();
                Lease lease = table.lease(
                        new LeaseRequest("BertTest > infers()", List.of(CoreRequest.any())), Patience.LIMIT)) {

            // when
            LeaseOverview overview = LeaseOverview.of(directory).orElseThrow();

            // then
            assertThat(overview.jvms()).isOne();
            assertThat(overview.held()).singleElement().satisfies(held -> {
                assertThat(held.holder()).isEqualTo("BertTest > infers()");
                assertThat(held.cores()).containsExactly(lease.cores().get(0).name());
                assertThat(held.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(held.alive()).isTrue();
            });
        }
    }

    @Test
    void marksPassedOverWaiter() {
        // given
        try (LeaseStore store = LeaseStore.in(directory, null, new ProcessTable(), warning -> {})) {
            TicketSlots.Head head = new TableFixture(store).enqueue("StoppedTest.x()", "2 cores", 1);
            assertThat(LeaseOverview.of(directory).orElseThrow().waiting())
                    .singleElement()
                    .satisfies(waiting -> assertThat(waiting.passedOver()).isFalse());

            // when
            store.tickets().pass(head, true);

            // then
            assertThat(LeaseOverview.of(directory).orElseThrow().waiting())
                    .singleElement()
                    .satisfies(waiting -> assertThat(waiting.passedOver()).isTrue());
        }
    }

    @Test
    void namesWaitersAndQuarantinedCores() throws Exception {
        try (LeaseTable table = open()) {
            // given
            Lease lease = table.lease(
                    new LeaseRequest("BertTest > infers()", List.of(CoreRequest.inARow(2))), Patience.LIMIT);
            lease.quarantine(lease.cores().subList(0, 1), Until.RESET, "status 1202");
            Thread waiting = new Thread(() -> {
                try {
                    table.lease(new LeaseRequest("BertTest > waits()", List.of(CoreRequest.exactly(1))), Patience.LIMIT)
                            .close();
                } catch (InterruptedException over) {
                    Thread.currentThread().interrupt();
                }
            });
            waiting.start();

            // then
            Patience.await()
                    .untilAsserted(() -> assertThat(
                                    LeaseOverview.of(directory).orElseThrow().waiting())
                            .containsExactly(new LeaseOverview.Waiting(
                                    "BertTest > waits()",
                                    "core 1",
                                    ProcessHandle.current().pid(),
                                    true,
                                    false)));
            assertThat(LeaseOverview.of(directory).orElseThrow().quarantines())
                    .singleElement()
                    .satisfies(quarantine -> {
                        assertThat(quarantine.core())
                                .isEqualTo(lease.cores().get(0).name());
                        assertThat(quarantine.reason())
                                .isEqualTo("status 1202; reset the device (neuron0, serial number not readable)");
                        assertThat(quarantine.holder()).isEqualTo("BertTest > infers()");
                        assertThat(quarantine.until()).isEqualTo(Until.RESET);
                    });

            // when
            lease.close();

            // then
            waiting.join();
            assertThat(LeaseOverview.of(directory).orElseThrow().waiting()).isEmpty();
        }
    }

    @Test
    void marksDeadHolders() throws IOException {
        // given a JVM that has ended without returning its lease
        try (LeaseStore ended = LeaseStore.in(directory, null, new ProcessTable(), warning -> {})) {
            new TableFixture(ended).grant("killed", "neuron0/neuron_core0");
        }
        try (LeaseStore store = LeaseStore.in(directory, null, new ProcessTable(), warning -> {})) {
            new TableFixture(store).grant("alive", "neuron0/neuron_core1");

            // when
            LeaseOverview overview = LeaseOverview.of(directory).orElseThrow();

            // then
            assertThat(overview.jvms()).isOne();
            assertThat(overview.held())
                    .extracting(LeaseOverview.Held::holder, LeaseOverview.Held::alive)
                    .containsExactly(tuple("killed", false), tuple("alive", true));
        }
    }

    @Test
    void refusesLinkInPlaceOfTableFile() throws IOException {
        // given
        open().close();
        Path elsewhere = Files.move(directory.resolve("leases-1"), parent.resolve("elsewhere"));
        Files.createSymbolicLink(directory.resolve("leases-1"), elsewhere);

        // then
        assertThatThrownBy(() -> LeaseOverview.of(directory))
                .isInstanceOf(LeaseTableException.class)
                .hasMessageContaining("it is a link to " + elsewhere);
    }

    @Test
    void doesNotDisturbOpenTable() throws InterruptedException {
        // given
        try (LeaseTable table = open()) {
            LeaseOverview.of(directory);

            // when
            Lease lease =
                    table.lease(new LeaseRequest("BertTest > infers()", List.of(CoreRequest.any())), Patience.LIMIT);

            // then
            assertThat(LeaseOverview.of(directory).orElseThrow().held()).hasSize(1);
            lease.close();
            assertThat(LeaseOverview.of(directory).orElseThrow().held()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20_000})
    void reportsTruncatedTableWithoutRepairingIt(int size) throws IOException {
        // given
        open().close();
        Path file = directory.resolve("leases-1");
        try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
            cut.truncate(size);
        }

        // then
        assertThatThrownBy(() -> LeaseOverview.of(directory))
                .isInstanceOf(LeaseTableException.class)
                .hasMessageStartingWith("The lease table in %s is damaged: ".formatted(directory));
        assertThat(file).hasSize(size);
    }

    @Test
    void reportsOverwrittenTableAsDamaged() throws IOException {
        // given
        open().close();
        Files.write(directory.resolve("leases-1"), new byte[100], StandardOpenOption.WRITE);

        // then
        assertThatThrownBy(() -> LeaseOverview.of(directory))
                .isInstanceOf(LeaseTableException.class)
                .hasMessageStartingWith("The lease table in %s is damaged: ".formatted(directory));
    }

    @Test
    void refusesDirectoryWritableByAllWithoutStickyBit() throws IOException {
        // given
        open().close();
        Files.setAttribute(directory, "unix:mode", 0777);

        // then
        assertThatThrownBy(() -> LeaseOverview.of(directory))
                .isInstanceOf(LeaseTableException.class)
                .hasMessageContaining("its mode is 0777 without the sticky bit");
    }

    @Test
    void omitsEndedQuarantines() {
        // given
        ProcessIdentity self = new ProcessTable().self();
        try (LeaseStore store = LeaseStore.in(directory, null, new ProcessTable(), warning -> {})) {
            TableFixture table = new TableFixture(store);
            LeaseState.Claim running = table.grant("running", "neuron0/neuron_core0");
            LeaseState.Claim ended = table.grant("ended", "neuron0/neuron_core1");

            // when
            running.outlivedBy(new LeasePrograms.Remaining(List.of(self), ProgramLock.State.UNKNOWN), "it was alive")
                    .forEach(table::bar);
            ended.outlivedBy(new LeasePrograms.Remaining(List.of(), ProgramLock.State.FREE), "it was alive")
                    .forEach(table::bar);

            // then
            assertThat(LeaseOverview.of(directory).orElseThrow().quarantines())
                    .extracting(Quarantine::holder)
                    .containsExactly("running");
        }
    }

    @Test
    void namesFilesNotCreatedByJvm() throws IOException {
        // given
        open().close();
        Files.createFile(directory.resolve("jvm-1-0-1"));

        // then
        LeaseOverview overview = LeaseOverview.of(directory).orElseThrow();
        assertThat(overview.jvms()).isZero();
        assertThat(overview.skipped()).containsExactly(directory.resolve("jvm-1-0-1") + ": it is not a directory");
    }
}
