package dev.neurontest.fake.tree.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A folder that a JVM makes for itself. A file in it is locked as long as the JVM lives, so that the next JVM that makes one
 * beside it removes what a killed one has left behind.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrivateFolder {

    static final String LOCK = "lock";

    private static final String PREFIX = "fake-neuron-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9]+-[0-9a-z]+-[0-9a-z]{6}");

    /**
     * What the names of this JVM begin with, in whatever class loader: closing any descriptor of a file ends all locks that the
     * process has on it, so its own are never opened. A process number alone is also that of a JVM in another container.
     */
    private static final String OF_THIS_JVM = PREFIX + ProcessHandle.current().pid() + "-"
            + Long.toString(
                    ProcessHandle.current()
                            .info()
                            .startInstant()
                            .map(Instant::toEpochMilli)
                            .orElse(0L),
                    Character.MAX_RADIX)
            + "-";

    private static final FileAttribute<Set<PosixFilePermission>> OF_THE_USER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final Set<OpenOption> THERE = Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    /** It has the owner of this process. */
    private static final Path SELF = Path.of("/proc/self");

    private static final Random RANDOM = new SecureRandom();
    private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();

    private final Path path;
    // Null where the file system knows no locks: then no other JVM removes the folder either.
    private final @Nullable FileChannel lock;

    private PrivateFolder(Path path, @Nullable FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes an empty one that only this user can look into, and removes those that killed JVMs of this user have left beside it.
     *
     * @param parent an existing directory
     * @return a new folder, to be deleted
     * @throws IOException when it cannot be made; nothing is left behind then
     */
    public static PrivateFolder make(Path parent) throws IOException {
        Path real = parent.toRealPath();
        PrivateFolder made;
        do {
            made = attempt(real);
        } while (made == null);
        if (SWEPT.add(real)) {
            try {
                sweep(real, Files.getOwner(made.path));
            } catch (IOException | RuntimeException e) {
                // It is no reason to do without a host; the next JVM tries again.
            }
        }
        return made;
    }

    /** Null when the name is taken, or when another JVM took the folder for one that was left behind. */
    private static @Nullable PrivateFolder attempt(Path parent) throws IOException {
        String name = OF_THIS_JVM + Integer.toString(RANDOM.nextInt(1 << 30) | 1 << 30, Character.MAX_RADIX);
        Path path = parent.resolve(name);
        try {
            Files.createDirectory(path, OF_THE_USER);
        } catch (FileAlreadyExistsException e) {
            return null;
        }
        Path file = path.resolve(LOCK);
        FileChannel channel;
        try {
            channel = FileChannel.open(file, NEW, FILE);
        } catch (IOException e) {
            Files.deleteIfExists(path);
            throw e;
        }
        try {
            if (channel.tryLock() != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return new PrivateFolder(path, channel);
            }
            // The other JVM deletes it.
            channel.close();
            return null;
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(file);
            return new PrivateFolder(path, null);
        }
    }

    /** A directory in it, of the same user. */
    Path directory(String name) throws IOException {
        return Files.createDirectory(path.resolve(name), OF_THE_USER);
    }

    /**
     * Where it is.
     *
     * @return an absolute path without links
     */
    public Path path() {
        return path;
    }

    /** Deletes it at the end of the JVM, if it is empty by then, after what is registered for that later. */
    public void deleteOnExit() {
        path.toFile().deleteOnExit();
        path.resolve(LOCK).toFile().deleteOnExit();
    }

    /**
     * Deletes it, unless there still is something in it: that stays, and no JVM removes it later, unless something is mounted in it.
     *
     * @throws IOException when it cannot be deleted
     */
    public void delete() throws IOException {
        try {
            if (!MountPoints.in(path).isEmpty()) {
                return;
            }
            if (lock != null) {
                Files.deleteIfExists(path.resolve(LOCK));
            }
            Files.deleteIfExists(path);
        } catch (DirectoryNotEmptyException e) {
            // It is not this JVM's any more.
        } finally {
            if (lock != null) {
                lock.close();
            }
        }
    }

    /**
     * What killed JVMs of this user have left in a directory.
     *
     * @param parent an existing directory
     * @return their folders
     * @throws IOException when it cannot be looked into
     */
    public static List<Path> left(Path parent) throws IOException {
        Path real = parent.toRealPath();
        return left(real, Files.getOwner(SELF), PrivateFolder::isLeft);
    }

    /**
     * Removes what killed JVMs of this user have left in a directory. What is mounted in it stays, with its folder.
     *
     * @param parent an existing directory
     * @return the folders that are gone
     * @throws IOException when it cannot be looked into
     */
    public static List<Path> removeLeft(Path parent) throws IOException {
        return sweep(parent.toRealPath(), Files.getOwner(SELF));
    }

    static List<Path> sweep(Path parent, UserPrincipal user) throws IOException {
        return left(parent, user, PrivateFolder::removeIfLeft);
    }

    /** Looks at a folder that may be left. */
    private interface Look {
        boolean at(SecureDirectoryStream<Path> parent, Path folder, UserPrincipal user) throws IOException;
    }

    /** By descriptor, so that no link can get in the way between the look and the deed. */
    private static List<Path> left(Path parent, UserPrincipal user, Look look) throws IOException {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            if (!(entries instanceof SecureDirectoryStream<Path> secure)) {
                return left;
            }
            for (Path entry : secure) {
                String name = entry.getFileName().toString();
                if (NAME.matcher(name).matches() && !name.startsWith(OF_THIS_JVM)) {
                    try {
                        if (look.at(secure, parent.resolve(name), user)) {
                            left.add(parent.resolve(name));
                        }
                    } catch (IOException e) {
                        // It belongs to another user, is gone, has no lock yet, or the next JVM tries again.
                    }
                }
            }
        }
        return left;
    }

    /** Something done with a folder whose JVM has ended, while it is locked. */
    private interface Deed {
        boolean on(SecureDirectoryStream<Path> folder, Path lock) throws IOException;
    }

    private static boolean isLeft(SecureDirectoryStream<Path> parent, Path path, UserPrincipal user)
            throws IOException {
        return ifLeft(parent, path, user, (folder, lock) -> true);
    }

    private static boolean removeIfLeft(SecureDirectoryStream<Path> parent, Path path, UserPrincipal user)
            throws IOException {
        boolean empty = ifLeft(parent, path, user, (folder, lock) -> {
            MountPoints mounts = MountPoints.in(path);
            for (Path entry : folder) {
                if (!entry.getFileName().equals(lock)) {
                    HostFolder.delete(folder, path.resolve(entry.getFileName()), mounts);
                }
            }
            if (!mounts.isEmpty()) {
                return false;
            }
            // Last, so that what could not be deleted is found again.
            folder.deleteFile(lock);
            return true;
        });
        if (empty) {
            parent.deleteDirectory(path.getFileName());
        }
        return empty;
    }

    private static boolean ifLeft(SecureDirectoryStream<Path> parent, Path path, UserPrincipal user, Deed deed)
            throws IOException {
        Path name = path.getFileName();
        // First, for opening what another user has put there, such as a pipe, could take for ever.
        PosixFileAttributes found = attributes(parent, name);
        if (!found.isDirectory() || !found.owner().equals(user)) {
            return false;
        }
        Path lock = name.getFileSystem().getPath(LOCK);
        try (SecureDirectoryStream<Path> folder = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            if (!attributes(folder, lock).isRegularFile()) {
                return false;
            }
            try (SeekableByteChannel channel = folder.newByteChannel(lock, THERE)) {
                return channel instanceof FileChannel file && file.tryLock() != null && deed.on(folder, lock);
            }
        }
    }

    private static PosixFileAttributes attributes(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        return folder.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }
}
