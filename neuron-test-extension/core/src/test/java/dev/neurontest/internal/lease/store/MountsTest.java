package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.WarningsFixture;
import dev.neurontest.internal.lease.store.Mounts.FileSystem;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountsTest {

    @TempDir
    Path parent;

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    /** Returns the mounts of this machine with another type for the file system of the directory. */
    private Mounts mounts(String type) throws IOException {
        StringBuilder lines = new StringBuilder();
        try (SharedFolder folder = SharedFolder.at(parent.toRealPath())) {
            String beginning = folder.mount().orElseThrow() + " ";
            for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
                lines.append(line.startsWith(beginning) ? line.replaceFirst(" - [^ ]+ ", " - " + type + " ") : line)
                        .append('\n');
            }
        }
        return new Mounts(Files.writeString(parent.resolve("mountinfo"), lines));
    }

    private LeaseStore open(Mounts mounts) {
        return LeaseStore.in(parent.resolve("leases"), mounts, new ProcessTable(), warnings::add);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ext4",
                "xfs",
                "btrfs",
                "tmpfs",
                "zfs",
                "f2fs",
                "ramfs",
                "bcachefs",
                "fuseblk",
                "none",
                "unheardof"
            })
    void localAndUnknownFileSystemsAreAccepted(String type) throws IOException {
        // given
        Mounts mounts = mounts(type);
        assertThat(mounts.of(parent.resolve("not there/nor that"))).contains(new FileSystem(type));

        // when
        open(mounts).close();

        // then
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nfs",
                "nfs4",
                "cifs",
                "smb3",
                "lustre",
                "9p",
                "virtiofs",
                "fuse",
                "fuse.sshfs",
                "fuse.glusterfs",
                "ceph",
                "gpfs",
                "beegfs",
                "afs"
            })
    void networkFileSystemIsRefusedWithAdvice(String type) throws IOException {
        // given
        Mounts mounts = mounts(type);

        // then
        assertThatExceptionOfType(LeaseTableException.class)
                .isThrownBy(() -> open(mounts))
                .withMessage(
                        "The lease table cannot be kept in %s: it is on %s, which may fail to separate the JVMs"
                                + " of this machine. Set neuron.test.lease.directory to a directory on a local file system, such as below /run or"
                                + " /var/tmp.",
                        parent.toRealPath().resolve("leases"), type);
        assertThat(parent.resolve("leases")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"overlay", "fuse.fuse-overlayfs", "aufs"})
    void containerFileSystemCausesWarning(String type) throws IOException {
        // when
        open(mounts(type)).close();

        // then
        assertThat(warnings)
                .containsExactly(
                        "The lease table in %s is on the file system of this container (%s): the host and other containers do not share its leases. If they use the same devices, mount one directory of the host in all of them and set neuron.test.lease.directory to it."
                                .formatted(parent.toRealPath().resolve("leases"), type));
    }

    @Test
    void unreadableMountsAreIgnored() throws IOException {
        // when
        open(new Mounts(parent.resolve("not there"))).close();
        open(new Mounts(Files.writeString(parent.resolve("rubbish"), "rubbish\n\n - \n")))
                .close();
        open(new Mounts(Files.write(parent.resolve("binary"), new byte[] {-1, -2, 0, '\n'})))
                .close();

        // then
        assertThat(warnings).isEmpty();
    }

    @Test
    void overlayMountedByKernelIsRecognized() throws Exception {
        // given: a mount point with a blank in its name
        for (String each : List.of("disk", "host", "overlay of a container")) {
            Files.createDirectory(parent.resolve(each));
        }
        Path place = parent.resolve("overlay of a container");
        Path disk = parent.resolve("disk");
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk.toString()))
                .as("mounting is allowed")
                .isTrue();
        try {
            for (String each : List.of("lower", "upper", "work")) {
                Files.createDirectory(disk.resolve(each));
            }
            String layers = "lowerdir=%1$s/lower,upperdir=%1$s/upper,workdir=%1$s/work".formatted(disk);
            assumeThat(run("mount", "-t", "overlay", "-o", layers, "overlay", place.toString()))
                    .as("an overlay can be mounted")
                    .isTrue();
            try {
                LeaseTable.builder(new HostFixture(parent.resolve("host"))
                                .devices(HostFixture.Kind.TRN1, 0)
                                .host())
                        .directory(place.resolve("leases"))
                        .onHardware()
                        .observer(new WarningsFixture(warnings))
                        .open()
                        .close();

                // then
                assertThat(warnings)
                        .singleElement()
                        .asString()
                        .contains("is on the file system of this container (overlay)");
            } finally {
                run("umount", "-l", place.toString());
            }
        } finally {
            run("umount", "-l", disk.toString());
        }
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
