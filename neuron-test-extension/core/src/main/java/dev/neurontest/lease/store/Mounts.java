package dev.neurontest.lease.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The mounted file systems, as far as the kernel shows which of them a directory is on. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Mounts {

    /** Which JVMs a lock of a file keeps apart. */
    public enum Sharing {
        /** All of this machine. */
        MACHINE,
        /** Those of one container, which has the file system to itself. */
        CONTAINER,
        /** Perhaps those of other machines, perhaps not even all of this one. */
        NETWORK
    }

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
         * Returns which JVMs its locks keep apart. A type that is not known is taken for a local one.
         *
         * @return which
         */
        public Sharing sharing() {
            if (OF_CONTAINERS.contains(type)) {
                return Sharing.CONTAINER;
            }
            return type.startsWith(FUSE) || OF_NETWORKS.contains(type) ? Sharing.NETWORK : Sharing.MACHINE;
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
