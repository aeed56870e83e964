package dev.neurontest.fake.internal.tree.directory;

import dev.neurontest.fake.internal.folder.MountPoints;
import dev.neurontest.fake.internal.folder.PrivateFolder;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The root folder of a host. It is created or claimed empty, and emptied at the end. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostFolder {

    private static final FileAttribute<Set<PosixFilePermission>> NOT_FOR_OTHERS_TO_WRITE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

    /** A file that is owned by the owner of this process. */
    private static final Path SELF = Path.of("/proc/self");

    private static final int STICKY = 01000;
    private static final int ATTEMPTS = 50;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path root;
    private final boolean ours;
    private final @Nullable PrivateFolder parent;
    // The identity of the directory, independent of its name; null if the file system does not provide it.
    private final @Nullable Object key;
    // The root, or its new path after it was moved for deletion.
    private Path place;

    private HostFolder(Path root, boolean ours, @Nullable PrivateFolder enclosing) throws IOException {
        this.root = root.toRealPath();
        this.place = this.root;
        this.key = Staging.attributes(this.root).fileKey();
        this.ours = ours;
        this.parent = enclosing;
    }

    /** Creates the root in a private folder, which is deleted together with it. */
    static HostFolder in(PrivateFolder folder) throws IOException {
        return new HostFolder(folder.directory("host"), true, folder);
    }

    /**
     * Claims a folder that is absent or empty.
     *
     * @param path path of the folder
     * @return the folder, which is created if it was absent
     * @throws IOException if the path is in use; the message gives the reason
     */
    public static HostFolder claim(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            Path absolute = path.toAbsolutePath();
            Path parent = absolute.getParent();
            if (parent != null && !Files.exists(parent)) {
                throw new IOException(path + " cannot be created: its parent " + parent + " does not exist");
            }
            return new HostFolder(Files.createDirectory(absolute, NOT_FOR_OTHERS_TO_WRITE), true, null);
        }
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(
                    path + " is not a directory: a fake host requires an absent or empty directory, not a link to one");
        }
        try (DirectoryStream<Path> content = Files.newDirectoryStream(path)) {
            if (content.iterator().hasNext()) {
                throw new IOException(
                        path + " is not empty: a fake host requires an absent or empty directory" + whatIsIn(path));
            }
        }
        requireOwn(path);
        return new HostFolder(path, false, null);
    }

    /** Rejects a directory in which another user could replace files of the host, or that another user might have created. */
    private static void requireOwn(Path path) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        Path parent = path.toRealPath().getParent();
        if (view == null || parent == null || !Files.exists(SELF)) {
            return;
        }
        PosixFileAttributes folder = view.readAttributes();
        boolean isSticky = ((int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & STICKY) != 0;
        if (folder.permissions().contains(PosixFilePermission.OTHERS_WRITE) && !isSticky) {
            throw new IOException(path
                    + " is writable for every user, who could replace the files of the host: use an absent directory,"
                    + " or chmod o-w "
                    + path);
        }
        if (!folder.owner().equals(Files.getOwner(SELF))
                && Files.getPosixFilePermissions(parent).contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(
                    "%s belongs to %s, and every user can create directories in %s: use an absent directory"
                            .formatted(path, folder.owner().getName(), parent));
        }
    }

    /** Describes the content of a folder if it is recognized. Nothing is deleted on a guess. */
    private static String whatIsIn(Path folder) {
        Path socket = folder.resolve("control.sock");
        if (!Files.exists(folder.resolve("env.sh")) || !Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return "";
        }
        try {
            SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
            return "; a running fake host uses it";
        } catch (ConnectException e) {
            return "; it was left behind by a killed fake host: rm -r " + folder;
        } catch (IOException e) {
            return "";
        }
    }

    Path root() {
        return root;
    }

    /** Returns advice on a failed write, to append to the message. Returns empty if the file system is not full. */
    String advice(IOException failure) {
        if (!isFull(failure)) {
            return "";
        }
        return "; its file system is full: "
                + (parent == null ? "choose a root on another file system" : HostPlaces.ADVICE);
    }

    private boolean isFull(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.contains("No space left on device") || message.contains("Disk quota exceeded")) {
            return true;
        }
        try {
            // The message may be in another language.
            FileStore store = Files.getFileStore(root);
            return store.getTotalSpace() > 0 && store.getUsableSpace() < store.getBlockSize();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Deletes the content of the folder, and the folder too if this process created it. Other programs may write to it at the same
     * time.
     *
     * @throws IOException if the folder was replaced, and then nothing is deleted; if something is mounted in it, and then
     *     everything else is deleted; or if others write faster than this deletes
     */
    void delete() throws IOException {
        try {
            deleteRoot();
        } finally {
            if (parent != null) {
                parent.delete();
            }
        }
    }

    private void deleteRoot() throws IOException {
        for (int attempt = 1; Files.exists(place, LinkOption.NOFOLLOW_LINKS); attempt++) {
            requireUnchanged(Staging.attributes(place).fileKey());
            requireReal(place);
            MountPoints mounts = MountPoints.in(place);
            try {
                if (mounts.isEmpty() && ours && place == root) {
                    moveAway();
                }
                deleteEntries(mounts);
                if (ours && mounts.isEmpty()) {
                    Files.deleteIfExists(place);
                }
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
                continue;
            }
            if (!mounts.isEmpty()) {
                throw mounts.keeping(place);
            }
            return;
        }
    }

    /** Renames the root. From then on other programs that use the old name write into a folder of their own. */
    private void moveAway() throws IOException {
        Path away = root.resolveSibling("." + root.getFileName() + "-closing-" + UUID.randomUUID());
        try {
            Files.move(root, away, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // The parent may have become read-only, or the root may be a mount point. The root is emptied at its path.
            return;
        }
        if (!Objects.equals(Staging.attributes(away).fileKey(), key)) {
            // Another folder replaced the root between the check and the move.
            Files.move(away, root, StandardCopyOption.ATOMIC_MOVE);
            return;
        }
        place = away;
    }

    private void deleteEntries(MountPoints mounts) throws IOException {
        try (DirectoryStream<Path> entries = open()) {
            for (Path entry : entries) {
                if (entries instanceof SecureDirectoryStream<Path> secure) {
                    mounts.delete(secure, place.resolve(entry.getFileName()));
                } else {
                    delete(entry);
                }
            }
        }
    }

    /** Opens the root. Throws if it was replaced since the check. */
    private DirectoryStream<Path> open() throws IOException {
        DirectoryStream<Path> entries = Files.newDirectoryStream(place);
        try {
            if (entries instanceof SecureDirectoryStream<Path> secure) {
                requireUnchanged(secure.getFileAttributeView(BasicFileAttributeView.class)
                        .readAttributes()
                        .fileKey());
            }
        } catch (IOException e) {
            entries.close();
            throw e;
        }
        return entries;
    }

    private void requireUnchanged(@Nullable Object found) throws IOException {
        if (!Objects.equals(found, key)) {
            throw new IOException(place + " was replaced by another file, which is not deleted");
        }
    }

    /** Rejects a directory that no longer exists or that was replaced by a link. */
    static void requireReal(Path directory) throws IOException {
        Path real;
        try {
            real = directory.toRealPath();
        } catch (NoSuchFileException e) {
            throw new IOException(directory + " was deleted or moved by another program", e);
        }
        if (!real.equals(directory)) {
            throw new IOException(directory + " was replaced by a link, which is not followed");
        }
    }

    /**
     * Deletes a file, a link without its target, or a directory with its content.
     *
     * @throws IOException also if something is mounted in the directory; everything else is deleted then
     */
    static void delete(Path path) throws IOException {
        try (DirectoryStream<Path> parent = Files.newDirectoryStream(path.getParent())) {
            if (parent instanceof SecureDirectoryStream<Path> secure) {
                MountPoints mounts = MountPoints.in(path);
                mounts.delete(secure, path);
                if (!mounts.isEmpty()) {
                    throw mounts.keeping(path);
                }
            } else {
                deleteAll(path);
            }
        } catch (NoSuchFileException e) {
            // Another program has already deleted it.
        }
    }

    private static void deleteAll(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    deleteAll(entry);
                }
            }
        }
        Files.delete(path);
    }
}
