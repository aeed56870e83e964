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

/** The mounted file systems, as far as the kernel shows which of them a directory is on. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Mounts {

    private static final Set<String> OF_CONTAINERS = Set.of("overlay", "aufs", "fuse.fuse-overlayfs");

    /** Those that get their files from another machine, or pass through to those of the host of a virtual machine. */
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

    /** Creates those of this process. */
    public Mounts() {
        this(Path.of("/proc/self/mountinfo"));
    }

    /**
     * Creates those of a file.
     *
     * @param information in the form of {@code /proc/self/mountinfo}
     */
    public Mounts(Path information) {
        this.information = information;
    }

    /**
     * A file system.
     *
     * @param type as the kernel names it, such as {@code ext4}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record FileSystem(String type) {

        /**
         * Verifies that all JVMs of this machine share a directory in it. A type that is not known is taken for a local one.
         *
         * @param directory of the table
         * @param notice told when other containers do not share it
         * @throws LeaseTableException when perhaps not all share it
         */
        public void requireShared(Path directory, Consumer<String> notice) {
            if (OF_CONTAINERS.contains(type)) {
                notice.accept(
                        "The lease table in %s is on the file system of this container (%s): the host and other containers do not share its leases. Where they use the same devices, mount one directory of the host in all of them and name it with neuron.test.lease.directory."
                                .formatted(directory, type));
            } else if (type.startsWith(FUSE) || OF_NETWORKS.contains(type)) {
                throw new LeaseTableException(
                        "The lease table cannot be kept in %s: it is on %s, which may not keep apart all JVMs of this machine. Name a directory on a local file system, such as below /run or /var/tmp, with neuron.test.lease.directory."
                                .formatted(directory, type));
            }
        }
    }

    /**
     * Returns the file system that a directory is on or, as long as it is not there, would be made on.
     *
     * @param directory that perhaps is not there
     * @return empty where the kernel does not show it
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
