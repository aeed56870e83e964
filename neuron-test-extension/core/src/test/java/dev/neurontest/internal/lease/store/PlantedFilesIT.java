package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.device.HostFixture;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.WarningsFixture;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ProcessTable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

/** Tests of files that another user put into the directory of a table. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlantedFilesIT {

    private static final String PLANTED = "jvm-4000000-1-1";

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

    private LeaseStore store() {
        LeaseStore store = LeaseStore.in(directory, null, processes, warnings::add);
        toClose.add(store);
        store.prepare(List.of());
        return store;
    }

    private LeaseTable table() throws IOException {
        LeaseTable table = LeaseTable.builder(new HostFixture(root).host())
                .directory(directory)
                .observer(new WarningsFixture(warnings))
                .open();
        toClose.add(table);
        return table;
    }

    private static void lease(LeaseTable table) throws InterruptedException {
        table.lease(new LeaseRequest("test", List.of(CoreRequest.inARow(2))), Duration.ZERO)
                .close();
    }

    @Test
    void pipeInPlaceOfSocketIsSkippedWithWarning() throws Exception {
        // given
        LeaseStore store = store();
        PipeFixture.make(Files.createDirectory(directory.resolve(PLANTED)).resolve("bell"));

        // when
        store.ring(PLANTED);

        // then
        assertThat(store.isAlive(PLANTED)).isFalse();
        lease(table());
        assertThat(warnings)
                .containsExactly(
                        "The lease table skips %s: it is a pipe and not a socket, so no test JVM made it. Remove it."
                                .formatted(directory.resolve(PLANTED).resolve("bell")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bell", ""})
    void linkAsMemberOrSocketIsNotFollowed(String link) throws Exception {
        // given a socket of another program
        Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
        Path bell = elsewhere.resolve("bell");
        LeaseStore store = store();
        try (ServerSocketChannel program = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            program.bind(UnixDomainSocketAddress.of(bell)).configureBlocking(false);
            if (link.isEmpty()) {
                Files.createSymbolicLink(directory.resolve(PLANTED), elsewhere);
            } else {
                Files.createSymbolicLink(
                        Files.createDirectory(directory.resolve(PLANTED)).resolve(link), bell);
            }

            // when
            store.ring(PLANTED);

            // then
            assertThat(store.isAlive(PLANTED)).isFalse();
            assertThat(program.accept()).as("a connection").isNull();
        }
    }

    @Test
    void aPipeInPlaceOfAMemberIsSkippedAndNamed() throws Exception {
        // given
        LeaseStore store = store();
        PipeFixture.make(directory.resolve(PLANTED));

        // when
        store.ring(PLANTED);
        store();

        // then
        assertThat(store.isAlive(PLANTED)).isFalse();
        assertThat(warnings)
                .containsExactly("The lease table skips %s: it is not a directory, so no test JVM made it. Remove it."
                        .formatted(directory.resolve(PLANTED)));
    }

    @Test
    void aPipeInPlaceOfTheTableIsRefused() throws Exception {
        // given
        String file = "leases-1";
        LeaseStore used = store();
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
        assertThatExceptionOfType(LeaseTableException.class).isThrownBy(used.cores()::requireInPlace);
    }

    @Test
    void manyPlantedFilesCauseFewWarnings() throws Exception {
        // given
        for (int i = 0; i < 50; i++) {
            Files.createFile(directory.resolve("jvm-4000000-" + (i + 1) + "-1"));
        }

        // when
        store();

        // then
        assertThat(warnings)
                .hasSize(11)
                .last()
                .isEqualTo("The lease table skips more files in %s that no test JVM made. neuron-test doctor lists all."
                        .formatted(directory));
    }

    @Test
    void removesAtMostThousandDeadMembersPerStart() throws Exception {
        // given
        for (int i = 0; i < 1500; i++) {
            Files.createDirectory(directory.resolve("jvm-4000000-" + (i + 1) + "-1"));
        }

        // when
        store();

        // then: the next JVM removes the others
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("jvm-4000000-")))
                    .hasSize(500);
        }
    }

    @Test
    void linkInPlaceOfMemberIsRemovedNotFollowed() throws Exception {
        // given
        Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
        Path bell = Files.writeString(elsewhere.resolve("bell"), "precious");
        LeaseStore store = store();
        Files.createSymbolicLink(directory.resolve(PLANTED), elsewhere);

        // when: its target would be removed as a leftover of a dead JVM
        store.ring(PLANTED);
        store();

        // then
        assertThat(bell).hasContent("precious");
        assertThat(directory.resolve(PLANTED)).doesNotExist();
    }

    @Test
    void memberNameCannotLeaveTableDirectory() throws Exception {
        // given
        Files.writeString(Files.createDirectory(parent.resolve("elsewhere")).resolve("bell"), "precious");

        // then
        assertThat(store().isAlive("../elsewhere")).isFalse();
    }
}
