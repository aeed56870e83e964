package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.LeaseTableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The mounted file systems, as far as the kernel shows the mount of a directory. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Mounts {

    private static final Set<String> OF_CONTAINERS = Set.of("overlay", "aufs", "fuse.fuse-overlayfs");

    /** File systems with files from another machine, or from the host of a virtual machine. */
    private static final Set<String> OF_NETWORKS = Set.of(
            "9p",
            "acfs",
            "afs",
            "beegfs",
            "ceph",
            "cifs",
            "coda",
            "davfs",
            "fuse",
            "gfs2",
            "gpfs",
            "lustre",
            "ncpfs",
            "nfs",
            "nfs4",
            "ocfs2",
            "orangefs",
            "panfs",
            "prl_fs",
            "pvfs2",
            "smb3",
            "smbfs",
            "vboxsf",
            "virtiofs",
            "wekafs");

    private static final String FUSE = "fuse.";
    private static final String END_OF_MOUNT = " - ";

    private final Path information;

    /** Creates the mounts of this process. */
    public Mounts() {
        this(Path.of("/proc/self/mountinfo"));
    }

    /**
     * Creates the mounts of a file.
     *
     * @param information a file in the format of {@code /proc/self/mountinfo}
     */
    public Mounts(Path information) {
        this.information = information;
    }

    /**
     * A file system.
     *
     * @param type the name in the kernel, such as {@code ext4}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record FileSystem(String type) {

        /**
         * Verifies that all JVMs of this machine share a directory on this file system. An unknown type counts as local.
         *
         * @param directory the directory of the table
         * @param notice the receiver of a warning if other containers do not share the directory
         * @throws LeaseTableException if the directory might not be shared by all JVMs
         */
        public void requireShared(Path directory, Consumer<String> notice) {
            if (OF_CONTAINERS.contains(type)) {
                notice.accept(
                        "The lease table in %s is on the file system of this container (%s): the host and other containers do not share its leases. If they use the same devices, mount one directory of the host in all of them and set neuron.test.lease.directory to it."
                                .formatted(directory, type));
            } else if (type.startsWith(FUSE) || OF_NETWORKS.contains(type)) {
                throw new LeaseTableException(
                        "The lease table cannot be kept in %s: it is on %s, which may fail to separate the JVMs of this machine. Set neuron.test.lease.directory to a directory on a local file system, such as below /run or /var/tmp."
                                .formatted(directory, type));
            }
        }
    }

    /**
     * Returns the file system of a directory. If the directory does not exist, returns the file system of its nearest existing
     * parent.
     *
     * @return empty if the kernel does not show it
     */
    public Optional<FileSystem> of(Path directory) {
        for (Path place = directory.toAbsolutePath(); place != null; place = place.getParent()) {
            if (Files.isDirectory(place)) {
                try (SharedFolder folder = SharedFolder.at(place.toRealPath())) {
                    return of(folder);
                } catch (IOException unreadable) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    Optional<FileSystem> of(SharedFolder folder) {
        OptionalLong mount = folder.mount();
        if (mount.isEmpty()) {
            return Optional.empty();
        }
        String beginning = mount.getAsLong() + " ";
        try (Stream<String> lines = Files.lines(information, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith(beginning) && line.contains(END_OF_MOUNT))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(END_OF_MOUNT) + END_OF_MOUNT.length()))
                    .map(rest -> new FileSystem(rest.split(" ", 2)[0]));
        } catch (IOException | UncheckedIOException unreadable) {
            return Optional.empty();
        }
    }
}
