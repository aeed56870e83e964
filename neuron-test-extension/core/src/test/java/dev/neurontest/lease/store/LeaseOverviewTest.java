package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.device.HostFixture;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.table.LeaseTable;
import dev.neurontest.patience.Patience;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void refusesALinkInPlaceOfTheDirectoryAsTestsDo() throws IOException {
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
    void saysWhoDoesNotAnswer() {
        // given
        try (DirectoryStore store = new DirectoryStore(directory, new ProcessTable(), Patience.LIMIT, warning -> {})) {
            store.change(
                    state -> {
                        state.enqueue(store.self().number(), "StoppedTest.x()", "2 cores", "main", 1, List.of());
                        return state;
                    },
                    LockLimit.of(Patience.LIMIT));
            assertThat(LeaseOverview.of(directory).orElseThrow().waiting())
                    .singleElement()
                    .satisfies(waiting -> assertThat(waiting.passedOver()).isFalse());

            // when
            store.change(
                    state -> {
                        state.passOver(state.ask(store.self().number()));
                        return state;
                    },
                    LockLimit.of(Patience.LIMIT));

            // then
            assertThat(LeaseOverview.of(directory).orElseThrow().waiting())
                    .singleElement()
                    .satisfies(waiting -> assertThat(waiting.passedOver()).isTrue());
        }
    }

    @Test
    void namesThoseWhoWaitAndWhatIsInQuarantine() throws Exception {
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
    void tellsWhichHoldersStillLive() throws IOException {
        // given: one whose file is not locked any more, and two whose files are gone, of which one process lives
        try (DirectoryStore store = new DirectoryStore(directory, new ProcessTable(), Patience.LIMIT, warning -> {})) {
            ProcessIdentity self = new ProcessTable().self();
            ProcessIdentity ended =
                    new ProcessIdentity(self.pid(), self.startTicks() + 1, self.namespace(), self.user());
            Path alive = Files.createDirectory(directory.resolve("jvm-999999999-0f0f0f0f-1"))
                    .resolve("alive");
            Files.setAttribute(Files.createFile(alive), "unix:mode", 0666);
            holder(store, ended, "jvm-999999999-0f0f0f0f-1", "killed", "neuron0/neuron_core0");
            holder(store, self, "jvm-999999999-0f0f0f0f-2", "without files", "neuron0/neuron_core1");
            holder(store, ended, "jvm-999999999-0f0f0f0f-3", "gone", "neuron1/neuron_core0");

            // when
            LeaseOverview overview = LeaseOverview.of(directory).orElseThrow();

            // then
            assertThat(overview.jvms()).isEqualTo(2);
            assertThat(overview.held())
                    .extracting(LeaseOverview.Held::holder, LeaseOverview.Held::alive)
                    .containsExactly(tuple("killed", false), tuple("without files", true), tuple("gone", false));
        }
    }

    private static void holder(
            DirectoryStore store, ProcessIdentity process, String files, String holder, String core) {
        store.change(
                state -> {
                    TableState.Member member = state.join(process, files, files, Instant.EPOCH);
                    return state.grant(
                            state.enqueue(member.number(), holder, "1 core", "main", 1, List.of()),
                            List.of(core),
                            false,
                            Instant.EPOCH);
                },
                LockLimit.of(Patience.LIMIT));
    }

    @Test
    void readsNoFileThatAnotherUserMayHavePlanted() throws IOException {
        // given
        open().close();
        Path elsewhere = Files.move(directory.resolve("lock"), parent.resolve("elsewhere"));
        Files.createSymbolicLink(directory.resolve("lock"), elsewhere);

        // then
        assertThatThrownBy(() -> LeaseOverview.of(directory))
                .isInstanceOf(LeaseTableException.class)
                .hasMessageContaining("it is a link to " + elsewhere);
    }

    @Test
    void leavesTheTableToThoseWhoUseIt() throws InterruptedException {
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

    @Test
    void saysThatATableIsDamaged() throws IOException {
        // given
        open().close();
        Files.write(directory.resolve("lock"), new byte[] {'x'}, StandardOpenOption.TRUNCATE_EXISTING);

        // then
        assertThatThrownBy(() -> LeaseOverview.of(directory))
                .isInstanceOf(LeaseTableException.class)
                .hasMessageStartingWith("The lease table in " + directory)
                .hasMessageContaining("cannot be read: the commit record is not there");
    }
}
