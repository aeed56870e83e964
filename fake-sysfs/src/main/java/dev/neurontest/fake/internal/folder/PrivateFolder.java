package dev.neurontest.fake.internal.folder;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * A folder of one JVM, accessible only to its user. A file in it is locked while the JVM runs. The next JVM that creates such a folder in
 * the same parent deletes it, if the lock is free. The name begins with the boot id of the kernel, which is unique to a host and a boot.
 * Locks of another host may be invisible, so its folders are not touched. {@code TemporaryFolder} of the test extension does the same for
 * files; it is a separate class, because neither module contains the other.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrivateFolder {

    static final String LOCK = "lock";

    private static final String BOOT = boot();
    private static final String OF_THIS_BOOT = "fake-neuron-" + BOOT + "-";

    /**
     * Prefix of all names of this JVM, in all class loaders. The JVM never opens its own lock files again, because closing any
     * descriptor of a file ends all locks of the process on it.
     */
    private static final String OF_THIS_JVM = OF_THIS_BOOT
            + ProcessHandle.current().pid() + "-"
            + Integer.toUnsignedString(
                    ProcessHandle.current().info().startInstant().hashCode(), Character.MAX_RADIX) + "-";

    private static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /** Options to open a lock file. They include reading, because opening a pipe only for writing would wait for a reader. */
    private static final Set<OpenOption> PRESENT =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Path lock;
    // Asynchronous, because an interrupt would close another channel together with its lock.
    private final AsynchronousFileChannel channel;

    private PrivateFolder(Path path, Path lock, AsynchronousFileChannel channel) {
        this.path = path;
        this.lock = lock;
        this.channel = channel;
    }

    /** Returns 40 bits of the boot id, because paths of sockets must be short; an empty text if the kernel has none. */
    private static String boot() {
        try {
            String id = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
            return Long.toUnsignedString(
                    UUID.fromString(id.trim()).getMostSignificantBits() >>> 24, Character.MAX_RADIX);
        } catch (IOException | IllegalArgumentException none) {
            return "";
        }
    }

    /**
     * Creates an empty folder, and deletes folders of killed JVMs of this user in the same parent.
     *
     * @param parent an existing directory
     * @return a new folder; the caller must delete it
     * @throws IOException when it cannot be created
     */
    public static PrivateFolder make(Path parent) throws IOException {
        Path path = directoryIn(parent);
        Path lock = path.resolve(LOCK);
        if (SWEPT.add(path.getParent())) {
            left(path.getParent(), true);
        }
        try {
            AsynchronousFileChannel channel = AsynchronousFileChannel.open(lock, NEW, null, MODE);
            try {
                if (channel.tryLock() != null && Files.exists(lock)) {
                    return new PrivateFolder(path, lock, channel);
                }
                channel.close();
            } catch (IOException noLocks) {
                // Under another name, so that no other JVM removes the folder.
                return new PrivateFolder(path, Files.move(lock, path.resolve("unlocked")), channel);
            }
        } catch (NoSuchFileException removed) {
            // Another JVM has mistaken the folder for that of a killed JVM.
        }
        return make(parent);
    }

    private static Path directoryIn(Path parent) throws IOException {
        String name = OF_THIS_JVM + UUID.randomUUID().toString().substring(0, 6);
        try {
            return Files.createDirectory(parent.toRealPath().resolve(name), MODE);
        } catch (FileSystemException e) {
            String reason = !Files.isDirectory(parent)
                    ? "there is no such folder"
                    : e instanceof AccessDeniedException
                            ? "this user cannot write to it"
                            : e.getReason() == null ? "its file system accepts no folders" : e.getReason();
            throw new IOException(
                    "no temporary folder can be created in %s: %s. Set -Djava.io.tmpdir=DIR of this JVM to a folder that this user can write to"
                            .formatted(parent, reason),
                    e);
        }
    }

    /** Returns the path of the folder, which is absolute and without links. */
    public Path path() {
        return path;
    }

    /**
     * Checks that native libraries and programs in the folder can be used.
     *
     * @throws IOException when its file system is mounted noexec
     */
    public void requireExecutable() throws IOException {
        if (!Files.isExecutable(lock)) {
            throw new IOException(
                    "the temporary folder %s is mounted noexec, and native libraries and programs in it cannot be used. Set -Djava.io.tmpdir=DIR of this JVM to a folder without noexec"
                            .formatted(path.getParent()));
        }
    }

    /** Returns the locked file in the folder. It is executable, unless the file system is mounted noexec. */
    public Path lock() {
        return lock;
    }

    /**
     * Creates a directory in the folder, accessible only to the same user.
     *
     * @param name the name of the directory
     * @return its path
     * @throws IOException when it cannot be created
     */
    public Path directory(String name) throws IOException {
        return Files.createDirectory(path.resolve(name), MODE);
    }

    /** Deletes the folder at the end of the JVM if it is empty at that time. Files that are registered later are deleted earlier. */
    public void deleteOnExit() {
        path.toFile().deleteOnExit();
        lock.toFile().deleteOnExit();
    }

    /**
     * Deletes the folder if it is empty. Otherwise it is kept, and another JVM deletes it later only if it contains a mount.
     *
     * @throws IOException when the folder cannot be deleted
     */
    public void delete() throws IOException {
        try (channel) {
            if (MountPoints.in(path).isEmpty()) {
                Files.deleteIfExists(lock);
                Files.deleteIfExists(path);
            }
        } catch (DirectoryNotEmptyException e) {
            // The content belongs to other programs.
        }
    }

    /**
     * Finds the folders of killed JVMs of this user in a directory.
     *
     * @param parent a directory
     * @param removing true to delete them, except those with a mount
     * @return the folders that were found, or deleted; none when the directory cannot be read
     */
    public static List<Path> left(Path parent, boolean removing) {
        List<Path> remaining = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent.toRealPath(), OF_THIS_BOOT + "*")) {
            for (Path entry : entries) {
                if (entries instanceof SecureDirectoryStream<Path> secure
                        && !BOOT.isEmpty()
                        && !entry.getFileName().toString().startsWith(OF_THIS_JVM)
                        && isLeft(secure, entry, removing)) {
                    remaining.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // The next JVM tries again.
        }
        return remaining;
    }

    /**
     * Returns whether a folder belonged to a killed JVM, and deletes it on request. Works by descriptor, because a link must not replace a
     * folder between check and removal.
     */
    private static boolean isLeft(SecureDirectoryStream<Path> parent, Path path, boolean removing) {
        Path name = path.getFileName();
        try {
            PosixFileAttributes found = parent.getFileAttributeView(
                            name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
            if (!found.owner().equals(Files.getOwner(Path.of("/proc/self")))) {
                return false;
            }
            try (SecureDirectoryStream<Path> folder = open(parent, name, found);
                    SeekableByteChannel channel = folder.newByteChannel(Path.of(LOCK), PRESENT)) {
                if (!(channel instanceof FileChannel file) || file.tryLock() == null) {
                    return false;
                }
                if (removing) {
                    empty(folder, path);
                }
            } catch (NoSuchFileException noLock) {
                // A JVM may be about to create the lock. It creates another folder when this one, being empty, is
                // deleted.
                if (!removing) {
                    return false;
                }
            }
            if (removing) {
                parent.deleteDirectory(name);
            }
            return true;
        } catch (IOException stays) {
            // The next JVM tries again, unless the folder is gone.
            return false;
        }
    }

    /** Opens the examined folder. Throws an exception if another folder has replaced it since. */
    private static SecureDirectoryStream<Path> open(
            SecureDirectoryStream<Path> parent, Path name, PosixFileAttributes found) throws IOException {
        // With a dot at the end, because opening a pipe would wait for a writer.
        SecureDirectoryStream<Path> folder = parent.newDirectoryStream(name.resolve("."));
        BasicFileAttributeView opened = folder.getFileAttributeView(BasicFileAttributeView.class);
        if (!opened.readAttributes().fileKey().equals(found.fileKey())) {
            folder.close();
            throw new IOException(name + " was replaced");
        }
        return folder;
    }

    private static void empty(SecureDirectoryStream<Path> folder, Path path) throws IOException {
        MountPoints mounts = MountPoints.in(path.getParent());
        if (mounts.has(path)) {
            throw mounts.keeping(path);
        }
        for (Path entry : folder) {
            if (!entry.endsWith(LOCK)) {
                mounts.delete(folder, path.resolve(entry.getFileName()));
            }
        }
        if (mounts.hasIn(path)) {
            throw mounts.keeping(path);
        }
        // Last, because the next JVM must find the folder again if something could not be deleted.
        folder.deleteFile(Path.of(LOCK));
    }
}
