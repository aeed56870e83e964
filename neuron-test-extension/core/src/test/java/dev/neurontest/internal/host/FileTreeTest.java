package dev.neurontest.internal.host;

import static dev.neurontest.patience.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileTreeTest {

    private static final Duration LONG = Patience.LIMIT;

    @TempDir
    Path temporary;

    private Path root;
    private Path outside;
    private FileTree tree;

    @BeforeEach
    void makeHost() throws IOException {
        root = Files.createDirectory(temporary.resolve("host")).toRealPath();
        outside = Files.createDirectory(temporary.resolve("outside")).toRealPath();
        Files.createDirectories(root.resolve("sys/neuron0"));
        tree = FileTree.at(root);
    }

    private Path file(String path, String content) throws IOException {
        return Files.writeString(root.resolve(path), content);
    }

    private String read(String path) throws IOException {
        return new String(tree.read(path), UTF_8);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void readsRootOfMachineThroughLinks() throws IOException {
        // given files that have a reported size of zero, behind a link
        FileTree machine = FileTree.at(Path.of("/"));

        // then
        assertThat(new String(machine.read("proc/self/status"), UTF_8)).startsWith("Name:");
        assertThat(machine.name()).isEqualTo("/");
        assertThat(machine.location("proc/self/status")).isEqualTo("/proc/self/status");
        assertThat(machine.list("proc/self")).contains("status", "fd");
    }

    @Test
    void namesItsRootAndLocations() {
        // then
        assertThat(tree.name()).isEqualTo("root:" + root);
        assertThat(tree.location("sys/neuron0/reset")).isEqualTo(root + "/sys/neuron0/reset");
    }

    @Test
    void refusesMissingRoot() {
        // then
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> FileTree.at(root.resolve("nowhere")));
    }

    @Test
    void reportsMissingFile() {
        // then
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> tree.read("sys/neuron0/serial"))
                .withMessageContaining("serial");
        assertThat(tree.exists("sys/neuron0/serial")).isFalse();
        assertThat(tree.mode("sys/neuron0/serial")).isEmpty();
    }

    @Test
    void listsNames() throws IOException {
        // given
        file("sys/neuron0/reset", "1\n");
        Files.createDirectory(root.resolve("sys/neuron0/neuron_core0"));

        // then
        assertThat(tree.list("sys/neuron0")).containsExactlyInAnyOrder("reset", "neuron_core0");
    }

    @Test
    void readsFileMode() throws IOException {
        // given
        Files.setPosixFilePermissions(
                file("sys/neuron0/core_count", "2"), PosixFilePermissions.fromString("r--------"));

        // then
        assertThat(tree.mode("sys/neuron0/core_count")).hasValue(0400);
    }

    @Test
    void readsLinkTargetWithoutFollowingIt() throws IOException {
        // given a descriptor of a process, which names a device of the host and not of the root
        Files.createSymbolicLink(root.resolve("sys/3"), Path.of("/dev/neuron0"));
        file("sys/4", "no link");

        // then
        assertThat(tree.linkTarget("sys/3")).contains("/dev/neuron0");
        assertThat(tree.linkTarget("sys/4")).isEmpty();
        assertThat(tree.linkTarget("sys/5")).isEmpty();
        assertThat(tree.linkTargets("sys")).containsExactly("/dev/neuron0");
        assertThat(tree.linkTargets("proc/77/fd")).isEmpty();
    }

    @Test
    void keepsLinksListedBeforeDirectoryVanishes() throws IOException {
        // given
        Path link = Files.createSymbolicLink(root.resolve("3"), Path.of("/dev/neuron0"));
        Iterable<Path> vanishing = () -> Stream.iterate(link, next -> {
                    throw new DirectoryIteratorException(new NoSuchFileException("fd"));
                })
                .iterator();

        // then
        assertThat(FileTree.targets(vanishing)).containsExactly("/dev/neuron0");
    }

    @Test
    void listsNoLinksBehindLinkOutOfRoot() throws IOException {
        // given
        Files.createSymbolicLink(outside.resolve("3"), Path.of("/dev/neuron0"));
        Files.createSymbolicLink(root.resolve("fd"), outside);

        // then
        assertThat(tree.linkTargets("fd")).isEmpty();
    }

    @Test
    void distinguishesReplacedDirectoryByInode() throws IOException {
        // given
        Path device = Files.createDirectory(root.resolve("neuron0"));
        Object inode = Files.getAttribute(device, "unix:ino");

        // then
        assertThat(tree.identity("neuron0")).contains("inode " + inode);
        assertThat(tree.identity("neuron1")).isEmpty();

        // when
        Files.move(device, root.resolve("gone"));
        Files.createDirectory(device);

        // then
        assertThat(tree.identity("neuron0")).isPresent().isNotEqualTo(tree.identity("gone"));
    }

    @Test
    void reportsKindWithoutFollowingFinalLink() throws IOException {
        // given
        file("sys/neuron0/core_count", "2");
        Files.createSymbolicLink(root.resolve("sys/link"), Path.of("neuron0"));
        Files.createFile(outside.resolve("secret"));
        Files.createSymbolicLink(root.resolve("sys/out"), outside);

        // then
        assertThat(tree.kind("sys/neuron0")).contains(EntryKind.DIRECTORY);
        assertThat(tree.kind("sys/link/core_count")).contains(EntryKind.FILE);
        assertThat(tree.kind("sys/link")).contains(EntryKind.LINK);
        assertThat(tree.kind("sys/out")).contains(EntryKind.LINK);
        assertThat(tree.kind("sys/out/secret")).isEmpty();
        assertThat(tree.kind("sys/none")).isEmpty();
        assertThat(FileTree.at(Path.of("/")).kind("dev/null")).contains(EntryKind.OTHER);
    }

    @Test
    void opensOnlyDirectoriesBelowAnOpenOne() throws IOException, InterruptedException {
        // given
        Files.createDirectory(root.resolve("sys/neuron0/stats"));
        file("sys/neuron0/stats/total", "2");
        Files.createFile(outside.resolve("secret"));
        Files.createSymbolicLink(root.resolve("sys/neuron0/inside"), Path.of("stats"));
        Files.createSymbolicLink(root.resolve("sys/neuron0/loop"), Path.of("../neuron0"));
        Files.createSymbolicLink(root.resolve("sys/neuron0/out"), outside);
        Path pipe = root.resolve("sys/neuron0/pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        try (HostDirectory opened = tree.open("sys/neuron0")) {
            // then
            assertThat(opened.names()).containsExactlyInAnyOrder("stats", "inside", "loop", "out", "pipe");
            assertThat(opened.kind("stats")).contains(EntryKind.DIRECTORY);
            assertThat(List.of("inside", "loop", "out"))
                    .allMatch(link -> opened.kind(link).equals(Optional.of(EntryKind.LINK)));
            assertThat(opened.kind("pipe")).contains(EntryKind.OTHER);
            assertThat(opened.kind("none")).isEmpty();
            try (HostDirectory stats = opened.open("stats")) {
                assertThat(stats.names()).containsExactly("total");
            }
            for (String link : List.of("inside", "loop", "out")) {
                assertThatExceptionOfType(FileSystemException.class)
                        .isThrownBy(() -> opened.open(link))
                        .withMessageContaining(root.resolve("sys/neuron0/" + link) + ": Too many levels");
            }
            assertThatExceptionOfType(NoSuchFileException.class)
                    .isThrownBy(() -> opened.open("none"))
                    .withMessage(root.resolve("sys/neuron0/none").toString());
        }
    }

    @Test
    void staysInAnOpenDirectoryThatIsReplacedByALink() throws IOException {
        // given
        Files.createDirectory(root.resolve("sys/neuron0/stats"));
        file("sys/neuron0/stats/total", "2");
        Files.createFile(Files.createDirectory(outside.resolve("stats")).resolve("secret"));

        try (HostDirectory opened = tree.open("sys/neuron0")) {
            // when
            Files.move(root.resolve("sys/neuron0"), root.resolve("sys/moved"));
            Files.createSymbolicLink(root.resolve("sys/neuron0"), outside);

            // then
            try (HostDirectory stats = opened.open("stats")) {
                assertThat(stats.names()).containsExactly("total");
            }
        }
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> tree.open("sys/neuron0"))
                .withMessageContaining("leads out of the host's root");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/hostname", "../outside/secret", "sys/../../outside/secret"})
    void refusesPathsThatLeaveTheTree(String path) {
        // then
        assertThatIllegalArgumentException().isThrownBy(() -> tree.read(path)).withMessageContaining(path);
        assertThatIllegalArgumentException().isThrownBy(() -> tree.write(path, new byte[] {'1'}));
        assertThatIllegalArgumentException().isThrownBy(() -> tree.list(path));
        assertThatIllegalArgumentException().isThrownBy(() -> tree.exists(path));
    }

    @Test
    void followsLinksThatStayInside() throws IOException {
        // given the class directory, as the kernel links it
        file("sys/neuron0/core_count", "2");
        Files.createDirectories(root.resolve("sys/class"));
        Files.createSymbolicLink(root.resolve("sys/class/neuron0"), Path.of("../neuron0"));

        // then
        assertThat(read("sys/class/neuron0/core_count")).isEqualTo("2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void doesNotFollowALinkedFileOutOfTheTree(boolean absolute) throws IOException {
        // given
        Path secret = Files.writeString(outside.resolve("secret"), "secret");
        Path target = absolute ? secret : Path.of("../../../outside/secret");
        Path link = Files.createSymbolicLink(root.resolve("sys/neuron0/planted"), target);
        assertThat(link).hasContent("secret");

        // then
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> tree.read("sys/neuron0/planted"))
                .withMessageContaining("leads out of the host's root");
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> tree.write("sys/neuron0/planted", new byte[] {'1'}));
        assertThat(secret).hasContent("secret");
        assertThat(tree.exists("sys/neuron0/planted")).isFalse();
        assertThat(tree.mode("sys/neuron0/planted")).isEmpty();
    }

    @Test
    void doesNotFollowALinkedDirectoryOutOfTheTree() throws IOException {
        // given
        Path secret = Files.writeString(outside.resolve("secret"), "secret");
        Files.createDirectory(outside.resolve("below"));
        Files.createSymbolicLink(root.resolve("sys/neuron1"), outside);

        // then
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> tree.list("sys/neuron1"))
                .withMessageContaining("leads out of the host's root");
        assertThatExceptionOfType(FileSystemException.class).isThrownBy(() -> tree.list("sys/neuron1/below"));
        assertThat(tree.linkTargets("sys/neuron1")).isEmpty();
        assertThatExceptionOfType(FileSystemException.class).isThrownBy(() -> tree.read("sys/neuron1/secret"));
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> tree.write("sys/neuron1/secret", new byte[] {'1'}));
        assertThat(secret).hasContent("secret");
    }

    @Test
    void replacesContentOfExistingFile() throws IOException {
        // given
        Path total = file("sys/neuron0/total", "777\n");

        // when
        tree.write("sys/neuron0/total", "1".getBytes(UTF_8));

        // then the old content is gone, as after a redirection of a shell
        assertThat(total).hasContent("1");
    }

    @Test
    void neverCreatesAFile() {
        // then
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> tree.write("sys/neuron0/totall", "1".getBytes(UTF_8)));
        assertThat(root.resolve("sys/neuron0/totall")).doesNotExist();
    }

    @Test
    void refusesToWriteNonRegularFile() {
        // then: a device node that is opened for writing only gives up the cores of its process
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> tree.write("sys/neuron0", "1".getBytes(UTF_8)))
                .withMessageContaining("not a regular file");
    }

    @Test
    void readsAndWritesInInterruptedThread() throws IOException {
        // given a test after its timeout
        file("sys/neuron0/total", "7\n");
        Thread.currentThread().interrupt();

        try {
            // when
            String content = read("sys/neuron0/total");
            tree.write("sys/neuron0/total", "8".getBytes(UTF_8));

            // then
            assertThat(content).isEqualTo("7\n");
            assertThat(read("sys/neuron0/total")).isEqualTo("8");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void awaitsAChangeByRename() throws Exception {
        // given
        Path total = file("sys/neuron0/total", "7\n");
        CompletableFuture<Boolean> changed = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                changed.complete(tree.awaitChange("sys/neuron0/total", "7\n".getBytes(UTF_8), LONG));
            } catch (IOException failed) {
                changed.completeExceptionally(failed);
            }
        });
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

        // when
        Path next = Files.writeString(root.resolve("next"), "8\n");
        Files.move(next, total, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

        // then
        await().untilAsserted(() -> assertThat(changed).isCompletedWithValue(true));
    }

    @Test
    void returnsAtOnceWhenFileHasAlreadyChanged() throws IOException {
        // given
        file("sys/neuron0/total", "8\n");

        // then
        assertThat(tree.awaitChange("sys/neuron0/total", "7\n".getBytes(UTF_8), Duration.ZERO))
                .isTrue();
    }

    @Test
    void stopsAwaitingChangeAfterTimeout() throws IOException {
        // given
        file("sys/neuron0/total", "7\n");

        // then
        assertThat(tree.awaitChange("sys/neuron0/total", "7\n".getBytes(UTF_8), Duration.ofMillis(30)))
                .isFalse();
    }

    @Test
    void stopsAwaitingWhenFileIsMissing() throws IOException {
        // then
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> tree.awaitChange("sys/neuron0/total", new byte[0], LONG));
    }

    @Test
    void stopsAwaitingWhenInterrupted() throws Exception {
        // given
        file("sys/neuron0/total", "7\n");
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            try {
                return tree.awaitChange("sys/neuron0/total", "7\n".getBytes(UTF_8), LONG);
            } finally {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
        });
        Thread waiting = new Thread(task);
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

        // when
        waiting.interrupt();

        // then
        assertThatThrownBy(task::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(InterruptedIOException.class)
                .hasMessageContaining("sys/neuron0/total");
    }

    @Test
    void isEqualForSameRoot() throws IOException {
        // then
        assertThat(FileTree.at(root)).isEqualTo(tree).hasSameHashCodeAs(tree);
        assertThat(FileTree.at(outside)).isNotEqualTo(tree);
    }
}
