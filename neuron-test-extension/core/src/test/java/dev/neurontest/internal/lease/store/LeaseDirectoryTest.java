package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.lease.LeaseTableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseDirectoryTest {

    @TempDir
    Path folder;

    @Test
    void describesCauseOfFileErrors() {
        // then
        assertThat(LeaseDirectory.describe(new AccessDeniedException("/x"))).isEqualTo("access to /x is denied");
        assertThat(LeaseDirectory.describe(new AccessDeniedException("/x", null, "its mode is 0755")))
                .isEqualTo("access to /x is denied: its mode is 0755");
        assertThat(LeaseDirectory.describe(new NoSuchFileException("/x"))).isEqualTo("/x is not there");
        assertThat(LeaseDirectory.describe(new IOException("No space left on device")))
                .isEqualTo("No space left on device");
        assertThat(LeaseDirectory.describe(new IOException())).isEqualTo("java.io.IOException");
    }

    @ParameterizedTest
    @CsvSource({"0777, 'its mode is 0777 without the sticky bit'", "0722, 'its mode is 0722 without the sticky bit'"})
    void refusesDirectoryWritableByAllWithoutStickyBit(String mode, String reason) throws IOException {
        // given
        Path open = Files.createDirectory(folder.resolve("table"));
        Files.setAttribute(open, "unix:mode", Integer.parseInt(mode, 8));

        // then
        assertThatExceptionOfType(LeaseTableException.class)
                .isThrownBy(() -> LeaseDirectory.prepare(open))
                .withMessageContaining("every user may replace its files")
                .withMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({"0700", "0775", "1777"})
    void acceptsPrivateGroupAndStickyDirectories(String mode) throws IOException {
        // given
        Path closed = Files.createDirectory(folder.resolve("table"));
        Files.setAttribute(closed, "unix:mode", Integer.parseInt(mode, 8));

        // then
        try (SharedFolder folder = LeaseDirectory.prepare(closed)) {
            assertThat(folder.shown()).isEqualTo(closed.toRealPath());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"table/.", "table/jvm/.."})
    void acceptsPathEndingWithDots(String path) throws IOException {
        // given
        Files.createDirectories(folder.resolve("table/jvm"));

        // then
        try (SharedFolder found = LeaseDirectory.prepare(Path.of(folder + "/" + path))) {
            assertThat(found.shown()).isEqualTo(folder.toRealPath().resolve("table"));
        }
    }

    @Test
    void canBeCreatedByTwoJvmsAtOnce() throws Exception {
        // given
        ExecutorService jvms = Executors.newFixedThreadPool(2);

        // then
        try {
            for (int round = 0; round < 500; round++) {
                Path made = folder.resolve("table-" + round);
                Callable<Integer> jvm = () -> {
                    try (SharedFolder table = LeaseDirectory.prepare(made);
                            SharedFile lock = table.openOrCreate(SharedSlots.FILE)) {
                        return lock.mode();
                    }
                };
                for (Future<Integer> mode : jvms.invokeAll(List.of(jvm, jvm))) {
                    assertThat(mode.get()).isEqualTo(0666);
                }
                assertThat(Files.getAttribute(made, "unix:mode")).isEqualTo(041777);
            }
        } finally {
            jvms.shutdown();
        }
    }

    @Test
    void isCreatedForAllUsersDespiteUmask() throws IOException {
        // when
        try (SharedFolder made = LeaseDirectory.prepare(folder.resolve("a").resolve("table"))) {

            // then
            assertThat(made.identity().permissions()).isEqualTo(01777);
            try (SharedFolder above = SharedFolder.at(folder.resolve("a"))) {
                assertThat(above.make("table", 0700)).as("there already").isEmpty();
            }
            assertThat(made.identity().permissions()).isEqualTo(01777);
        }
    }

    @Test
    void resolvesLinksInParentPath() throws IOException {
        // given
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("a")));

        // then
        assertThat(LeaseDirectory.place(link.resolve("table")))
                .isEqualTo(folder.toRealPath().resolve("a/table"));
        assertThat(LeaseDirectory.place(Path.of("/"))).isEqualTo(Path.of("/"));
    }
}
