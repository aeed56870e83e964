package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.device.HostFixture;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.table.LeaseTable;
import dev.neurontest.patience.Patience;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that another user put into the directory of a table. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlantedFilesIT {

    private static final String PLANTED = "jvm-999999999-0f0f0f0f-1";

    @TempDir
    Path root;

    @TempDir
    Path parent;

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final ProcessTable processes = new ProcessTable();
    private Path directory;

    @BeforeEach
    void makeTable() throws IOException {
        directory = parent.toRealPath().resolve("leases");
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0);
        store().close();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
    }

    private DirectoryStore store() {
        DirectoryStore store = new DirectoryStore(directory, processes, Patience.LIMIT, warnings::add);
        toClose.add(store);
        return store;
    }

    private LeaseTable table() throws IOException {
        LeaseTable table = LeaseTable.builder(new HostFixture(root).host())
                .directory(directory)
                .observer(new LeaseObserver() {
                    @Override
                    public void warned(String notice) {
                        warnings.add(notice);
                    }
                })
                .open();
        toClose.add(table);
        return table;
    }

    private static void lease(LeaseTable table) throws InterruptedException {
        table.lease(new LeaseRequest("test", List.of(CoreRequest.inARow(2))), Duration.ZERO)
                .close();
    }

    /** A member of the table whose process has ended or, as far as can be seen from here, may live. */
    private TableState.Member member(DirectoryStore store, boolean ended) {
        ProcessIdentity self = processes.self();
        ProcessIdentity process =
                new ProcessIdentity(self.pid(), self.startTicks() + (ended ? 1 : 0), self.namespace(), self.user());
        return store.change(
                state -> state.join(process, "another JVM", PLANTED, Instant.EPOCH), LockLimit.of(Patience.LIMIT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"alive", "bell"})
    void aPipeInPlaceOfAMembersFileIsSkippedAndNamed(String file) throws Exception {
        // given
        PipeFixture.make(Files.createDirectory(directory.resolve(PLANTED)).resolve(file));
        DirectoryStore store = store();
        TableState.Member member = member(store, true);
        PipeFixture.make(Files.createDirectories(directory.resolve(PLANTED)).resolve(file));

        // when
        store.ring(member);
        store.lives(PLANTED);
        store.alive(member);

        // then
        assertThat(warnings)
                .containsOnlyOnce(
                        "The lease table skips %s: it is a pipe and not a file, so no test JVM made it. Remove it."
                                .formatted(directory.resolve(PLANTED).resolve(file)));
        lease(table());
    }

    @Test
    void aPipeInPlaceOfAMemberIsSkippedAndNamed() throws Exception {
        // given
        DirectoryStore store = store();
        TableState.Member member = member(store, true);
        PipeFixture.make(directory.resolve(PLANTED));

        // when
        store.ring(member);

        // then
        assertThat(store.lives(PLANTED)).isFalse();
        assertThat(store.alive(member)).isFalse();
        assertThat(warnings)
                .containsExactly("The lease table skips %s: it is not a directory, so no test JVM made it. Remove it."
                        .formatted(directory.resolve(PLANTED)));
    }

    @Test
    void aPipeTakesNothingFromAJvmThatMayLive() throws Exception {
        // given
        DirectoryStore store = store();
        TableState.Member member = member(store, false);
        PipeFixture.make(Files.createDirectory(directory.resolve(PLANTED)).resolve("alive"));

        // then
        assertThat(store.alive(member)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "table"})
    void aPipeInPlaceOfTheTableIsRefused(String file) throws Exception {
        // given
        DirectoryStore used = store();
        Files.delete(directory.resolve(file));
        PipeFixture.make(directory.resolve(file));

        // then
        String refusal =
                "The lease table does not use %s: it is a pipe and not a file.".formatted(directory.resolve(file));
        assertThatExceptionOfType(LeaseTableException.class)
                .isThrownBy(this::store)
                .withMessageStartingWith(refusal);
        assertThatExceptionOfType(LeaseTableException.class)
                .isThrownBy(() -> LeaseOverview.of(directory))
                .withMessageStartingWith(refusal);
        assertThatExceptionOfType(LeaseTableException.class).isThrownBy(() -> member(used, true));
    }

    @Test
    void anyNumberOfPlantedFilesGivesFewWarnings() throws Exception {
        // given
        for (int i = 0; i < 50; i++) {
            Files.createFile(directory.resolve("jvm-999999999-0f0f0f0f-" + (i + 1)));
            Files.createDirectory(directory.resolve("jvm-999999998-0f0f0f0f-" + (i + 1)));
            Files.createDirectory(directory.resolve("jvm-999999998-0f0f0f0f-" + (i + 1) + "/alive"));
        }

        // when
        store();

        // then
        assertThat(warnings)
                .hasSize(11)
                .last()
                .isEqualTo("The lease table skips more files in %s that no test JVM made. neuron-test doctor names all."
                        .formatted(directory));
    }

    @Test
    void examinesABoundedNumberOfMembersThatAreLeft() throws Exception {
        // given
        for (int i = 0; i < 1500; i++) {
            Files.createDirectory(directory.resolve("jvm-999999999-0f0f0f0f-" + (i + 1)));
        }

        // when
        store();

        // then: the next JVM removes the others
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("jvm-999999999-")))
                    .hasSize(500);
        }
    }

    @Test
    void aLinkInPlaceOfAMemberLeadsNowhere() throws Exception {
        // given
        Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
        Path bell = Files.writeString(elsewhere.resolve("bell"), "precious");
        Path alive = Files.writeString(elsewhere.resolve("alive"), "precious");
        DirectoryStore store = store();
        Files.createSymbolicLink(directory.resolve(PLANTED), elsewhere);

        // when
        TableState.Member member = member(store, true);
        store.ring(member);

        // then
        assertThat(bell).hasContent("precious");

        // when: what it leads to would be removed as left by a dead JVM
        store.change(
                state -> {
                    state.leave(member.number());
                    return state;
                },
                LockLimit.of(Patience.LIMIT));
        store();

        // then
        assertThat(bell).hasContent("precious");
        assertThat(alive).hasContent("precious");
        assertThat(directory.resolve(PLANTED)).doesNotExist();
    }

    @Test
    void aSecondNameOfABellIsNotWrittenTo() throws Exception {
        // given
        Path precious = Files.writeString(parent.resolve("precious"), "precious");
        DirectoryStore store = store();
        TableState.Member member = member(store, true);
        Files.createLink(Files.createDirectory(directory.resolve(PLANTED)).resolve("bell"), precious);

        // when
        store.ring(member);

        // then
        assertThat(precious).hasContent("precious");
    }

    @Test
    void theNameOfAMemberLeadsNotOutOfTheTable() throws Exception {
        // given
        Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
        Path bell = Files.writeString(elsewhere.resolve("bell"), "precious");
        DirectoryStore store = store();

        // when
        store.ring(store.change(
                state -> state.join(processes.self(), "another JVM", "../elsewhere", Instant.EPOCH),
                LockLimit.of(Patience.LIMIT)));

        // then
        assertThat(bell).hasContent("precious");
    }
}
