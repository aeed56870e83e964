package dev.neurontest.internal.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TemporaryFolderTest {

    @TempDir
    Path parent;

    private String name;

    @BeforeEach
    void findTheNameOfAFolder() throws IOException {
        try (TemporaryFolder made = TemporaryFolder.make(parent)) {
            name = made.path().getFileName().toString();
        }
    }

    /** Creates a folder that a JVM of this boot left behind. */
    private Path left(String jvm) throws IOException {
        return withLock(name.replaceFirst("-[0-9]+-[^-]+-[^-]+$", "-" + jvm));
    }

    private Path withLock(String folder) throws IOException {
        Path left = Files.createDirectory(parent.resolve(folder));
        Files.createFile(left.resolve(TemporaryFolder.LOCK));
        return left;
    }

    @Test
    void isAccessibleOnlyToItsUser() throws IOException {
        try (TemporaryFolder made = TemporaryFolder.make(parent)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.path())))
                    .isEqualTo("rwx------");
            assertThat(made.path()).hasParent(parent.toRealPath());
        }
    }

    @Test
    void isRefusedInUnusableParent() throws IOException {
        // given
        Path absent = parent.resolve("absent");
        Path file = Files.createFile(parent.resolve("file"));

        // then
        for (Path refused : List.of(absent, file, Path.of("/proc"))) {
            assertThatIOException()
                    .isThrownBy(() -> TemporaryFolder.make(refused))
                    .withMessageMatching("no temporary folder can be created in " + refused
                            + ": (there is no such folder|its file system allows no folders|this user cannot write to it)\\."
                            + " Set -Djava\\.io\\.tmpdir=DIR .*");
        }
        Files.delete(file);
    }

    @Test
    void isDeletedWithItsFilesOnClose() throws IOException {
        try (TemporaryFolder made = TemporaryFolder.make(parent)) {
            Files.writeString(made.path().resolve("library.so"), "");
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void removesFoldersOfKilledJvms() throws IOException {
        // given
        Path left = left("1-1-abcdef");
        Files.createFile(left.resolve("s"));

        // when
        assertThat(TemporaryFolder.left(parent, false)).containsExactly(left);
        assertThat(TemporaryFolder.left(parent, true)).containsExactly(left);

        // then
        assertThat(left).doesNotExist();
    }

    @Test
    void leavesFoldersOfOtherBootsAlone() throws IOException {
        // given
        String boot = name.split("-")[2];
        Path other = withLock(name.replace(boot, "z" + boot.substring(1)).replaceFirst("[^-]+$", "abcdef"));

        // when
        assertThat(TemporaryFolder.left(parent, true)).isEmpty();

        // then
        assertThat(other).exists();
    }

    @Test
    void doesNotFollowLinks() throws IOException {
        // given
        Path precious = Files.createFile(
                Files.createDirectory(parent.resolve("elsewhere")).resolve(TemporaryFolder.LOCK));
        Path left = left("1-1-abcdef");
        Files.createSymbolicLink(left.resolve("file"), precious);
        Files.createSymbolicLink(left.resolve("folder"), precious.getParent());
        Path link = Files.createSymbolicLink(
                parent.resolve(left.getFileName().toString().replace("abcdef", "alink1")), precious.getParent());
        Path linkedLock = left("1-1-alink2");
        Files.delete(linkedLock.resolve(TemporaryFolder.LOCK));
        Files.createSymbolicLink(linkedLock.resolve(TemporaryFolder.LOCK), precious);

        // when
        assertThat(TemporaryFolder.left(parent, true)).containsExactly(left);

        // then
        assertThat(left).doesNotExist();
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(linkedLock).exists();
        assertThat(precious).exists();
    }

    @Test
    void doesNotWaitForPipes() throws Exception {
        // given
        Path pipe = left("1-1-apipe1");
        Files.delete(pipe.resolve(TemporaryFolder.LOCK));
        assertThat(new ProcessBuilder(
                                "mkfifo", pipe.resolve(TemporaryFolder.LOCK).toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();

        // then
        assertThat(TemporaryFolder.left(parent, true)).containsExactly(pipe);
        assertThat(pipe).doesNotExist();
    }

    @Test
    void removesDirectoriesOfKilledJvmsWithoutFollowingLinks() throws IOException {
        // given
        Path precious = Files.createFile(
                Files.createDirectory(parent.resolve("elsewhere")).resolve("precious"));
        Path left = left("1-1-abcdef");
        Path deep = Files.createDirectories(left.resolve("rank-1/core-dump"));
        Files.createFile(deep.resolve("dump"));
        Files.createSymbolicLink(deep.resolve("link"), precious.getParent());

        // when
        assertThat(TemporaryFolder.left(parent, true)).containsExactly(left);

        // then
        assertThat(left).doesNotExist();
        assertThat(precious).exists();
    }

    @Test
    void leavesFoldersOfOtherUsersAlone() throws IOException {
        // given
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Path left = left("1-1-abcdef");
        Files.setAttribute(left, "unix:uid", 65534);

        // when
        assertThat(TemporaryFolder.left(parent, true)).isEmpty();

        // then
        assertThat(left).exists();
    }

    @Test
    void leavesOpenFoldersAndOtherNamesAlone() throws IOException {
        try (TemporaryFolder own = TemporaryFolder.make(parent)) {
            // given
            Path other = withLock("neuron-test-leases");

            // when
            assertThat(TemporaryFolder.left(parent, true)).isEmpty();

            // then
            assertThat(own.path()).exists();
            assertThat(other).exists();
        }
    }

    @Test
    void removesOnlyEmptyFolderWithoutLock() throws IOException {
        // given
        Path empty = left("1-1-nolock");
        Files.delete(empty.resolve(TemporaryFolder.LOCK));
        Path withContent = left("1-1-locked");
        Files.move(withContent.resolve(TemporaryFolder.LOCK), withContent.resolve("unlocked"));

        // when
        assertThat(TemporaryFolder.left(parent, true)).containsExactly(empty);

        // then
        assertThat(withContent).exists();
    }
}
