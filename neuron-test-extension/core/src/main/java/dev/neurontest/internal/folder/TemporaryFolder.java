package dev.neurontest.internal.folder;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apiguardian.api.API;

/**
 * A folder of one JVM for files that only its user can access. A file in it is locked while the JVM runs, and the next JVM that creates
 * such a folder removes it once the lock is free. The name begins with the boot id of the kernel, which is unique to this host and boot.
 * Locks of another host may be invisible, therefore its folders are not touched. {@code PrivateFolder} of the fake host does the same for
 * folders with mounts, because neither module can depend on the other.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TemporaryFolder implements AutoCloseable {

    static final String LOCK = "lock";

    private static final String BOOT = boot();
    private static final String OF_THIS_BOOT = "neuron-test-" + BOOT + "-";

    /**
     * Prefix of the folder names of this JVM in all class loaders. Its own lock files are never opened again, because closing any
     * descriptor of a file releases all locks of the process on it.
     */
    private static final String OF_THIS_JVM = OF_THIS_BOOT
            + ProcessHandle.current().pid() + "-"
            + Integer.toUnsignedString(
                    ProcessHandle.current().info().startInstant().hashCode(), Character.MAX_RADIX) + "-";

    /** Permissions of folders and locks. The lock is executable, to detect a file system that is mounted noexec. */
    private static final FileAttribute<?>[] MODE =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                    }
                    : new FileAttribute<?>[0];

    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /**
     * Options for opening an existing lock. Reading is included, because opening a pipe only for writing would block until it has a reader.
     */
    private static final Set<OpenOption> PRESENT =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private static final AtomicBoolean SWEPT = new AtomicBoolean();

    private final Path path;
    private final Path lock;
    // Asynchronous, because an interrupt would close another channel together with its lock.
    private final AsynchronousFileChannel channel;

    private TemporaryFolder(Path path, Path lock, AsynchronousFileChannel channel) {
        this.path = path;
        this.lock = lock;
        this.channel = channel;
    }

    /** Returns 40 bits of the boot id, because paths of sockets must be short; empty when the kernel provides none. */
    private static String boot() {
        try {
            String id = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
            return Long.toUnsignedString(
                    UUID.fromString(id.trim()).getMostSignificantBits() >>> 24, Character.MAX_RADIX);
        } catch (IOException | IllegalArgumentException none) {
            return "";
        }
    }

    private static Path parent() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Creates an empty folder, and removes those of killed JVMs of this user next to it.
     *
     * @return a new folder, which must be closed
     * @throws IOException when the folder cannot be created
     */
    public static TemporaryFolder make() throws IOException {
        TemporaryFolder made = make(parent());
        if (!SWEPT.getAndSet(true)) {
            left(true);
        }
        return made;
    }

    static TemporaryFolder make(Path parent) throws IOException {
        Path path = directoryIn(parent);
        Path lock = path.resolve(LOCK);
        try {
            AsynchronousFileChannel channel = AsynchronousFileChannel.open(lock, NEW, null, MODE);
            try {
                if (channel.tryLock() != null && Files.exists(lock)) {
                    return new TemporaryFolder(path, lock, channel);
                }
                channel.close();
            } catch (IOException noLocks) {
                // Another name, because other JVMs remove folders with a free lock.
                return new TemporaryFolder(path, Files.move(lock, path.resolve("unlocked")), channel);
            }
        } catch (NoSuchFileException removed) {
            // Another JVM has removed the folder as that of a killed JVM.
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
                            : e.getReason() == null ? "its file system allows no folders" : e.getReason();
            throw new IOException(
                    "no temporary folder can be created in %s: %s. Set -Djava.io.tmpdir=DIR of this JVM to a folder that this user can write to"
                            .formatted(parent, reason),
                    e);
        }
    }

    /** Returns the absolute path of the folder, without links. */
    public Path path() {
        return path;
    }

    /**
     * Requires that native libraries can be loaded from the folder.
     *
     * @throws IOException when the file system is mounted noexec
     */
    public void requireExecutable() throws IOException {
        if (!Files.isExecutable(lock)) {
            throw new IOException(
                    "the temporary folder %s is mounted noexec, and native libraries and programs in it cannot be used. Set -Djava.io.tmpdir=DIR of this JVM to a folder without noexec"
                            .formatted(path.getParent()));
        }
    }

    /** Deletes the folder with its files. Files that cannot be deleted remain until the next JVM tries again. */
    @Override
    public void close() {
        try (channel;
                DirectoryStream<Path> files = Files.newDirectoryStream(path, file -> !file.equals(lock))) {
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(lock);
            Files.delete(path);
        } catch (IOException | DirectoryIteratorException stays) {
            // Not every system can delete a library that is in use.
        }
    }

    /**
     * Finds folders of killed JVMs of this user in the parent folder of this JVM's folders.
     *
     * @param removing true to remove them
     * @return the found or removed folders; empty when the parent folder cannot be read
     */
    public static List<Path> left(boolean removing) {
        return left(parent(), removing);
    }

    static List<Path> left(Path parent, boolean removing) {
        List<Path> leftovers = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent.toRealPath(), OF_THIS_BOOT + "*")) {
            for (Path entry : entries) {
                if (entries instanceof SecureDirectoryStream<Path> secure
                        && !BOOT.isEmpty()
                        && !entry.getFileName().toString().startsWith(OF_THIS_JVM)
                        && isLeft(secure, entry.getFileName(), removing)) {
                    leftovers.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // The next JVM tries again.
        }
        return leftovers;
    }

    /**
     * Checks whether a folder belongs to a killed JVM, and removes it on request. It works by descriptor, because a link could otherwise
     * replace the folder between check and removal.
     */
    private static boolean isLeft(SecureDirectoryStream<Path> parent, Path name, boolean removing) {
        try {
            PosixFileAttributes attributes = parent.getFileAttributeView(
                            name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
            if (!attributes.owner().equals(Files.getOwner(Path.of("/proc/self")))) {
                return false;
            }
            try (SecureDirectoryStream<Path> folder = open(parent, name, attributes);
                    SeekableByteChannel channel = folder.newByteChannel(Path.of(LOCK), PRESENT)) {
                if (!(channel instanceof FileChannel file) || file.tryLock() == null) {
                    return false;
                }
                if (removing) {
                    empty(folder);
                }
            } catch (NoSuchFileException noLock) {
                // A JVM may be about to create the lock. If the empty folder is deleted, that JVM creates another
                // folder.
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

    /** Opens the examined folder, and throws an exception if another file has replaced it. */
    private static SecureDirectoryStream<Path> open(
            SecureDirectoryStream<Path> parent, Path name, PosixFileAttributes attributes) throws IOException {
        // Opened by its dot, because opening a pipe would block until it has a writer.
        SecureDirectoryStream<Path> folder = parent.newDirectoryStream(name.resolve("."));
        BasicFileAttributeView opened = folder.getFileAttributeView(BasicFileAttributeView.class);
        if (!opened.readAttributes().fileKey().equals(attributes.fileKey())) {
            folder.close();
            throw new IOException(name + " was replaced");
        }
        return folder;
    }

    private static void empty(SecureDirectoryStream<Path> folder) throws IOException {
        for (Path entry : folder) {
            if (!entry.endsWith(LOCK)) {
                remove(folder, entry.getFileName());
            }
        }
        // Deleted last; if another deletion fails, the next JVM finds the folder again.
        folder.deleteFile(Path.of(LOCK));
    }

    /** Removes a file, or a directory with its files. Links are removed and not followed. */
    private static void remove(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        BasicFileAttributeView attributes =
                folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.readAttributes().isDirectory()) {
            folder.deleteFile(name);
            return;
        }
        try (SecureDirectoryStream<Path> files = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path file : files) {
                remove(files, file.getFileName());
            }
        }
        folder.deleteDirectory(name);
    }
}
