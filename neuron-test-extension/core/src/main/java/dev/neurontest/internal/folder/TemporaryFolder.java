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
 * A folder of one JVM for files of its user alone. A file in it is locked while the JVM runs, and the next JVM that makes such a
 * folder removes it once the lock is free. The name begins with the boot id of the kernel, which no other host and no later boot
 * has: locks of another host may be invisible, so its folders are left alone. {@code PrivateFolder} of the fake host does the same
 * for folders with mounts, since neither module is part of the other.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TemporaryFolder implements AutoCloseable {

    static final String LOCK = "lock";

    private static final String BOOT = boot();
    private static final String OF_THIS_BOOT = "neuron-test-" + BOOT + "-";

    /**
     * Begins the names of this JVM in all class loaders. Its own lock files are never opened again, because closing any
     * descriptor of a file ends all locks of the process on it.
     */
    private static final String OF_THIS_JVM = OF_THIS_BOOT
            + ProcessHandle.current().pid() + "-"
            + Integer.toUnsignedString(
                    ProcessHandle.current().info().startInstant().hashCode(), Character.MAX_RADIX) + "-";

    /** Allows to execute the lock, so that a file system that is mounted noexec shows by it. */
    private static final FileAttribute<?>[] MODE =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                    }
                    : new FileAttribute<?>[0];

    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /** For reading as well, because opening a pipe only for writing would wait for a reader. */
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

    /** Returns 40 bits of the boot id, since paths of sockets are short; an empty text where the kernel has none. */
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
     * Creates an empty folder, and removes those that killed JVMs of this user have left beside it.
     *
     * @return a new folder, to be closed
     * @throws IOException when it cannot be created
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
                // Under another name, so that no other JVM removes the folder.
                return new TemporaryFolder(path, Files.move(lock, path.resolve("unlocked")), channel);
            }
        } catch (NoSuchFileException removed) {
            // Another JVM has taken the folder for one of a killed JVM.
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
                            ? "this user has no right to write to it"
                            : e.getReason() == null ? "its file system takes no folders" : e.getReason();
            throw new IOException(
                    "no temporary folder can be created in %s: %s. Set -Djava.io.tmpdir=DIR of this JVM to a folder that this user can write to"
                            .formatted(parent, reason),
                    e);
        }
    }

    /**
     * Returns the path of the folder.
     *
     * @return an absolute path without links
     */
    public Path path() {
        return path;
    }

    /**
     * Requires that native libraries can be loaded from the folder.
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

    /** Deletes the folder with its files. What cannot be deleted stays until the next JVM tries again. */
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
            // A library that is in use cannot be deleted on every system.
        }
    }

    /**
     * Finds folders that killed JVMs of this user have left beside those that this JVM makes.
     *
     * @param removing true to remove them
     * @return the folders that were found, or removed; none when their directory cannot be read
     */
    public static List<Path> left(boolean removing) {
        return left(parent(), removing);
    }

    static List<Path> left(Path parent, boolean removing) {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent.toRealPath(), OF_THIS_BOOT + "*")) {
            for (Path entry : entries) {
                if (entries instanceof SecureDirectoryStream<Path> secure
                        && !BOOT.isEmpty()
                        && !entry.getFileName().toString().startsWith(OF_THIS_JVM)
                        && isLeft(secure, entry.getFileName(), removing)) {
                    left.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // The next JVM tries again.
        }
        return left;
    }

    /** Works by descriptor, so that no link can take the place of a folder between check and removal. */
    private static boolean isLeft(SecureDirectoryStream<Path> parent, Path name, boolean removing) {
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
                    empty(folder);
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

    /** Opens the folder that was examined, and nothing that has taken its place since. */
    private static SecureDirectoryStream<Path> open(
            SecureDirectoryStream<Path> parent, Path name, PosixFileAttributes found) throws IOException {
        // By its dot, because opening a pipe would wait for a writer.
        SecureDirectoryStream<Path> folder = parent.newDirectoryStream(name.resolve("."));
        BasicFileAttributeView opened = folder.getFileAttributeView(BasicFileAttributeView.class);
        if (!opened.readAttributes().fileKey().equals(found.fileKey())) {
            folder.close();
            throw new IOException(name + " was replaced");
        }
        return folder;
    }

    private static void empty(SecureDirectoryStream<Path> folder) throws IOException {
        for (Path entry : folder) {
            if (!entry.endsWith(LOCK)) {
                folder.deleteFile(entry.getFileName());
            }
        }
        // Last, so that the next JVM finds again what could not be deleted.
        folder.deleteFile(Path.of(LOCK));
    }
}
