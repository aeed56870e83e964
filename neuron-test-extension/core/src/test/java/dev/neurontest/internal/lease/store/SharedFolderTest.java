package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedFolderTest {

    @TempDir
    Path parent;

    private Path directory;

    @AutoClose
    private SharedFolder folder;

    @BeforeEach
    void open() throws IOException {
        directory = Files.createDirectory(parent.resolve("shared"));
        folder = SharedFolder.at(directory);
    }

    private void plant(String kind, String name) throws Exception {
        Path file = directory.resolve(name);
        Path elsewhere = parent.resolve("elsewhere of " + name);
        switch (kind) {
            case "pipe" -> PipeFixture.make(file);
            case "link" -> Files.createSymbolicLink(file, Files.createFile(elsewhere));
            case "link to a directory" -> Files.createSymbolicLink(file, Files.createDirectory(elsewhere));
            case "second name" -> Files.createLink(file, Files.createFile(elsewhere));
            case "directory" -> Files.createDirectory(file);
            case "file" -> Files.createFile(file);
            default -> throw new IllegalArgumentException(kind);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipe", "link", "link to a directory", "second name", "directory"})
    void opensOnlyRegularFilesWithoutHardLinks(String kind) throws Exception {
        // given
        plant(kind, "file");

        // then
        assertThatExceptionOfType(PlantedFileException.class)
                .isThrownBy(() -> folder.open("file"))
                .withMessageStartingWith(directory.resolve("file") + ": it ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipe", "link", "link to a directory", "second name", "directory", "file"})
    void refusesToCreateExistingName(String kind) throws Exception {
        // given
        plant(kind, "name");

        // then
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> folder.create("name", 0666))
                .withMessage(directory.resolve("name").toString());
        assertThat(folder.make("name", 0777)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipe", "link", "link to a directory", "file"})
    void opensOnlyDirectoriesAsSubfolders(String kind) throws Exception {
        // given
        plant(kind, "name");

        // then
        assertThatExceptionOfType(PlantedFileException.class)
                .isThrownBy(() -> folder.folder("name"))
                .withMessageStartingWith(directory.resolve("name") + ": it is ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../shared", "/etc", "a/b"})
    void refusesNamesThatLeaveFolder(String name) {
        // then
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> folder.folder(name));
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> folder.open(name));
    }

    @Test
    void setsModesDespiteUmask() throws IOException {
        // when
        folder.create("file", 0666).close();
        folder.make("folder", 01777).orElseThrow().close();

        // then
        assertThat((int) Files.getAttribute(directory.resolve("file"), "unix:mode") & 07777)
                .isEqualTo(0666);
        assertThat((int) Files.getAttribute(directory.resolve("folder"), "unix:mode") & 07777)
                .isEqualTo(01777);
    }

    @Test
    void followsDirectoryWhenItIsMoved() throws IOException {
        // given
        Path moved = Files.move(directory, parent.resolve("moved"));
        Files.createSymbolicLink(directory, Files.createDirectory(parent.resolve("other")));

        // when
        folder.create("file", 0644).close();

        // then
        assertThat(moved.resolve("file")).isEmptyFile();
        assertThat(parent.resolve("other")).isEmptyDirectory();
    }

    @Test
    void findsItsDescriptorAmongManyThatAreOpen() throws IOException {
        // given
        List<FileChannel> many = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                many.add(FileChannel.open(directory.resolve("."), StandardOpenOption.READ));
            }
            many.get(7).close();

            // then
            for (int i = 0; i < 100; i++) {
                try (SharedFile file = folder.create("file" + i, 0600)) {
                    file.channel().write(ByteBuffer.wrap(Integer.toString(i).getBytes(StandardCharsets.US_ASCII)), 0);
                }
                assertThat(directory.resolve("file" + i)).hasContent(Integer.toString(i));
                if (i == 50) {
                    many.get(3).close();
                }
            }
        } finally {
            for (FileChannel each : many) {
                each.close();
            }
        }
    }

    @Test
    void worksOnInterruptedThread() throws IOException {
        // given
        Thread.currentThread().interrupt();

        // when
        try (SharedFile file = folder.create("file", 0666);
                SharedFolder below = folder.make("folder", 0755).orElseThrow()) {
            file.sizeAt(directory.resolve("file"));
            folder.open("file").close();
            below.create("file", 0600).close();
        }

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(directory.resolve("file")).isEmptyFile();
    }

    @Test
    void refusesUseAfterClose() throws IOException {
        // when
        folder.close();

        // then
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> folder.create("file", 0600));
    }

    @Test
    void deletesLinkAndNotItsTarget() throws Exception {
        // given
        plant("link", "file");

        // when
        folder.delete("file");

        // then
        assertThat(directory).isEmptyDirectory();
        assertThat(parent.resolve("elsewhere of file")).exists();
    }

    @Test
    void refusesFileClosedToOtherUsers() throws IOException {
        // given
        folder.create("file", 0600).close();
        int before = OpenFilesFixture.in(directory).size();

        // then
        for (ThrowingCallable opening :
                List.<ThrowingCallable>of(() -> folder.open("file"), () -> folder.openOrCreate("file"))) {
            assertThatExceptionOfType(PlantedFileException.class)
                    .isThrownBy(opening)
                    .withMessage(
                            "%s: its mode is 0600 and not 0666, so another user may have moved it there",
                            directory.resolve("file"));
        }
        assertThat(OpenFilesFixture.in(directory)).hasSize(before);
    }

    @Test
    void waitsUntilAnotherJvmOpensFileToAll() {
        // then, unless the other one is not served for a second
        Patience.await().ignoreException(PlantedFileException.class).untilAsserted(() -> {
            folder.delete("file");
            folder.create("file", 0600).close();
            CompletableFuture<Void> another = CompletableFuture.runAsync(
                    () -> setMode(directory.resolve("file"), 0666),
                    CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
            try (SharedFile file = folder.openOrCreate("file")) {
                assertThat(file.mode()).isEqualTo(0666);
            } finally {
                another.join();
            }
        });
    }

    private static void setMode(Path file, int mode) {
        try {
            Files.setAttribute(file, "unix:mode", mode);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void keyIsEqualOnlyForSameFolder() throws IOException {
        // then
        try (SharedFolder same = SharedFolder.at(directory);
                SharedFolder another = SharedFolder.at(parent)) {
            assertThat(same.key()).isEqualTo(folder.key()).isNotEmpty();
            assertThat(another.key()).isNotEqualTo(folder.key());
        }
    }

    @Test
    void describesModeAndOwnerOfInaccessibleFile() throws IOException {
        // given
        folder.create("file", 04640).close();

        // then
        assertThat(FileIdentity.access(directory.resolve("file")))
                .isEqualTo("its mode is 4640 and its owner %s", Files.getOwner(directory.resolve("file")));
    }
}
