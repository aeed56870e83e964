package dev.neurontest.fake.internal.tree.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.folder.PrivateFolder;
import dev.neurontest.jvm.JvmCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a host does not delete mounts of others inside its folder. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class MountedFolderIT {

    @TempDir
    private Path temporary;

    private Path place;
    private Path outside;

    @BeforeEach
    void requireTheRightToMount() throws IOException, InterruptedException {
        place = Files.createDirectory(temporary.toRealPath().resolve("place"));
        outside = Files.createDirectory(place.resolveSibling("outside"));
        Files.writeString(outside.resolve("file"), "precious");
        Path probe = Files.createDirectory(place.resolveSibling("probe"));
        String said = run("mount", "-t", "tmpfs", "none", probe.toString());
        assumeTrue(said.isEmpty(), "a file system can be mounted by root alone: " + said);
        unmount(probe);
    }

    @AfterEach
    void unmountAll() throws IOException, InterruptedException {
        // The mounts are unmounted at their current places, in the reverse order of the system's list.
        String table = Files.readString(Path.of("/proc/self/mountinfo"));
        List<String> points = new ArrayList<>(table.lines()
                .map(line -> line.split(" ")[4].replace("\\040", " ").replace("\\134", "\\"))
                .filter(point -> Path.of(point).startsWith(place))
                .toList());
        Collections.reverse(points);
        for (String point : points) {
            unmount(Path.of(point));
        }
        assertThat(outside.resolve("file")).hasContent("precious");
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : said + " (" + process.exitValue() + ")";
    }

    private void unmount(Path point) throws IOException, InterruptedException {
        assertThat(run("umount", point.toString())).isEmpty();
    }

    private Path tmpfs(Path point) throws IOException, InterruptedException {
        assertThat(run("mount", "-t", "tmpfs", "none", point.toString())).isEmpty();
        Files.createDirectories(point.resolve("a/b"));
        Files.writeString(point.resolve("a/b/file"), "precious");
        return point;
    }

    /** Mounts the same file system at another place, with the same device number. */
    private Path bound(Path source, Path point) throws IOException, InterruptedException {
        assertThat(run("mount", "--bind", source.toString(), point.toString())).isEmpty();
        return point;
    }

    private List<Path> below(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.equals(folder)).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deletionKeepsForeignMountsUntilUnmounted(boolean made) throws Exception {
        // given
        Path root = place.resolve("host");
        if (!made) {
            Files.createDirectory(root);
        }
        HostFolder folder = HostFolder.claim(root);
        Files.createDirectories(root.resolve("sys/devices/neuron0"));
        Files.createDirectory(root.resolve("top"));
        Path deep = Files.createDirectories(root.resolve("opt/it's \\ here/mount"));
        Files.writeString(deep.resolveSibling("file"), "");
        Path file = Files.writeString(root.resolve("opt/file"), "");
        bound(outside, root.resolve("top"));
        tmpfs(deep);
        bound(outside.resolve("file"), file);
        tmpfs(deep.resolve("a"));

        // when
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThatThrownBy(folder::delete)
                    .isInstanceOf(IOException.class)
                    .hasMessage(root + " contains mounts of other programs, which are not deleted: umount "
                            + deep.resolve("a")
                            + " " + file + " " + deep + " " + root.resolve("top") + ", then delete the rest of "
                            + root);
        }

        // then
        assertThat(deep.resolve("a/a/b/file")).hasContent("precious");
        assertThat(below(root))
                .filteredOn(path -> !path.startsWith(deep.resolve("a")))
                .containsExactlyInAnyOrder(
                        root.resolve("top"),
                        root.resolve("top/file"),
                        root.resolve("opt"),
                        file,
                        deep.getParent(),
                        deep);
        assertThat(below(place)).allMatch(path -> path.startsWith(root));

        // when
        unmountAll();
        folder.delete();

        // then
        if (made) {
            assertThat(place).isEmptyDirectory();
        } else {
            assertThat(root).isEmptyDirectory();
        }
    }

    @Test
    void mountPointAsFolderIsOnlyEmptied() throws Exception {
        Path root = Files.createDirectory(place.resolve("host"));
        assertThat(run("mount", "-t", "tmpfs", "none", root.toString())).isEmpty();
        HostFolder folder = HostFolder.claim(root);
        Files.createDirectories(root.resolve("sys/devices"));

        // when
        folder.delete();

        // then
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void closeReportsForeignMountInOneLine() throws Exception {
        FakeNeuronHost host =
                FakeNeuronHost.builder().root(place.resolve("host")).start();
        Path mount = tmpfs(Files.createDirectories(host.directory().resolve("opt/mount")));

        assertThatThrownBy(host::close)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("umount " + mount + ", then delete the rest of " + place.resolve("host"))
                .hasMessageNotContaining("Exception")
                .satisfies(failure -> assertThat(failure.getMessage().lines()).hasSize(1));

        assertThat(mount.resolve("a/b/file")).hasContent("precious");
        assertThat(place.resolve("host/sys")).doesNotExist();
    }

    /** A JVM that ends without closing its host. */
    static final class EndingJvmFixture {

        private EndingJvmFixture() {}

        public static void main(String[] arguments) throws IOException {
            FakeNeuronHost host =
                    FakeNeuronHost.builder().root(Path.of(arguments[0])).start();
            System.out.println(host.directory());
            System.in.read();
        }
    }

    @Test
    void endingJvmReportsForeignMountInOneLine() throws Exception {
        // given
        Process process = new ProcessBuilder(JvmCommand.program(
                        EndingJvmFixture.class, place.resolve("host").toString()))
                .start();
        Path mount = tmpfs(
                Files.createDirectory(Path.of(process.inputReader().readLine()).resolve("mount")));

        // when
        process.getOutputStream().close();

        // then
        assertThat(process.errorReader().lines())
                .singleElement()
                .asString()
                .contains("umount " + mount + ", then delete the rest of " + place.resolve("host"));
        assertThat(process.waitFor()).isZero();
        assertThat(mount.resolve("a/b/file")).hasContent("precious");
    }

    @Test
    void removedDeviceKeepsForeignMount() throws Exception {
        // given
        FakeNeuronHost host = FakeNeuronHost.builder()
                .instance("inf2.24xlarge")
                .root(place.resolve("host"))
                .start();
        Path device = host.directory().resolve("sys/devices/virtual/neuron_device/neuron3");
        bound(outside, Files.createDirectory(device.resolve("mount")));

        // when
        host.device(3).remove();
        host.awaitPublished();
        host.device(3).restore();
        host.awaitPublished();

        // then
        assertThat(device.resolve("core_count")).exists();
        assertThat(host.journal()).anyMatch(entry -> entry.contains("umount "));
        assertThatThrownBy(host::close).isInstanceOf(UncheckedIOException.class);
        assertThat(outside.resolve("file")).hasContent("precious");
    }

    @Test
    void leftoverOfAKilledJvmKeepsForeignMount() throws Exception {
        // given
        PrivateFolder own = PrivateFolder.make(place);
        own.delete();
        Path left = Files.createDirectory(
                Path.of(own.path().toString().replaceFirst("-[0-9]+-[^-]+-[^-]+$", "-1-1-abcdef")));
        Files.createFile(left.resolve("lock"));
        Path host = Files.createDirectories(left.resolve("host/sys/devices"));
        Path mount = Files.createDirectories(left.resolve("host/opt/mount"));
        bound(outside, mount);

        // when
        PrivateFolder.left(place, true);

        // then
        assertThat(mount.resolve("file")).hasContent("precious");
        assertThat(host).doesNotExist();
        assertThat(left.resolve("lock")).exists();

        // when
        unmount(mount);
        PrivateFolder.left(place, true);

        // then
        assertThat(place).isEmptyDirectory();
    }

    @Test
    void folderKeptForAMountKeepsItsLock() throws Exception {
        // given
        PrivateFolder around = PrivateFolder.make(place);
        HostFolder folder = HostFolder.in(around);
        Path mount = tmpfs(Files.createDirectory(folder.root().resolve("mount")));

        // when
        assertThatThrownBy(folder::delete).hasMessageContaining("umount " + mount);

        // then
        assertThat(around.path().resolve("lock")).exists();

        // when
        unmount(mount);
        folder.delete();

        // then
        assertThat(place).isEmptyDirectory();
    }
}
