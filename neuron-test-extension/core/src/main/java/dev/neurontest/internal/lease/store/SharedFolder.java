package dev.neurontest.internal.lease.store;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A directory in which several users create files, held by its descriptor. Its owner can replace any name at any time. Therefore
 * files and directories are created and opened relative to the descriptor. Opening follows no link at the name and does not wait
 * for the other end of a pipe. Files are examined after opening.
 */
final class SharedFolder implements AutoCloseable {

    private static final int MADE = 0755;
    private static final int INHERITED_GROUP = 02000;

    private static final Path SELF = Path.of("/proc/self");

    private final Path shown;
    private final FileChannel channel;
    private final Path descriptor;
    private final FileIdentity identity;

    private SharedFolder(Path shown, FileChannel channel, Path descriptor, FileIdentity identity) {
        this.shown = shown;
        this.channel = channel;
        this.descriptor = descriptor;
        this.identity = identity;
    }

    /**
     * Opens a directory. Its path may contain links, but must not end at a link.
     *
     * @throws PlantedFileException if the path is not a directory
     */
    static SharedFolder at(Path directory) throws IOException {
        return open(directory, directory);
    }

    private static SharedFolder open(Path path, Path shown) throws IOException {
        return Descriptor.uninterrupted(() -> {
            FileIdentity.named(path).requireDirectory(path);
            // With the dot the system refuses a pipe instead of waiting for its writer.
            FileChannel channel = FileChannel.open(path.resolve("."), StandardOpenOption.READ);
            try {
                Path descriptor = Descriptor.of(channel);
                FileIdentity opened = FileIdentity.opened(descriptor);
                FileIdentity named = FileIdentity.named(path);
                named.requireDirectory(path);
                if (!named.isSame(opened)) {
                    throw new PlantedFileException(path.toString(), "another directory has just been put in its place");
                }
                return new SharedFolder(shown, channel, descriptor, opened);
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
        });
    }

    /** Returns the path for messages. */
    Path shown() {
        return shown;
    }

    /** Returns the path of a contained file for messages. */
    Path shown(String name) {
        return shown.resolve(name);
    }

    /** Returns the path of the open directory, valid even if its name has changed. */
    Path path() throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        return descriptor;
    }

    /** Reads the current attributes. */
    FileIdentity identity() throws IOException {
        return FileIdentity.opened(path());
    }

    /** Returns an identifier of the directory that is unique on this machine. */
    String key() {
        return identity.device() + ":" + identity.inode();
    }

    /** Returns the mount id of the directory. */
    OptionalLong mount() {
        return Descriptor.mount(descriptor);
    }

    /** Returns the path of a name below the descriptor. */
    private Path in(String name) throws IOException {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
            throw new NoSuchFileException(shown + "/" + name);
        }
        return path().resolve(name);
    }

    /** Returns the exception of an access to a name with the path for people. */
    private FileSystemException shown(String name, FileSystemException failed) {
        String file = shown(name).toString();
        if (failed instanceof PlantedFileException) {
            return new PlantedFileException(file, failed.getReason());
        } else if (failed instanceof NoSuchFileException) {
            return new NoSuchFileException(file);
        } else if (failed instanceof FileAlreadyExistsException) {
            return new FileAlreadyExistsException(file);
        } else if (failed instanceof AccessDeniedException) {
            return new AccessDeniedException(file, null, failed.getReason());
        }
        return new FileSystemException(file, null, failed.getReason());
    }

    /**
     * Opens a file.
     *
     * @throws PlantedFileException if it is not a regular file, has a second name, or does not have the mode for all users, as
     *     all files of a table have: the owner of the directory might have moved a file of another user to this name
     */
    SharedFile open(String name) throws IOException {
        SharedFile file = openAny(name);
        if (!file.isForAll()) {
            file.close();
            throw notForAll(name, file);
        }
        return file;
    }

    private SharedFile openAny(String name) throws IOException {
        Path path = in(name);
        try {
            return SharedFile.open(path);
        } catch (FileSystemException failed) {
            throw shown(name, failed);
        }
    }

    private PlantedFileException notForAll(String name, SharedFile file) {
        return new PlantedFileException(
                shown(name).toString(),
                "its mode is %04o and not %04o, so another user may have moved it there"
                        .formatted(file.mode(), SharedFile.FOR_ALL));
    }

    /** Verifies that a name is that of a socket. */
    void requireSocket(String name) throws IOException {
        Path path = in(name);
        try {
            FileIdentity.named(path).requireSocket(path);
        } catch (FileSystemException failed) {
            throw shown(name, failed);
        }
    }

    /** Checks whether a name exists. */
    boolean has(String name) throws IOException {
        return Files.exists(in(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** Creates a file with the given mode, regardless of the umask. The file must not exist. */
    SharedFile create(String name, int mode) throws IOException {
        Path path = in(name);
        try {
            return SharedFile.create(path, mode);
        } catch (FileSystemException failed) {
            throw shown(name, failed);
        }
    }

    /** Opens a file, or creates it for all users. */
    SharedFile openOrCreate(String name) throws IOException {
        return CreationWait.await(last -> {
            try {
                SharedFile file = openAny(name);
                if (file.isForAll()) {
                    return Optional.of(file);
                }
                file.close();
                if (last) {
                    throw notForAll(name, file);
                }
            } catch (NoSuchFileException absent) {
                try {
                    return Optional.of(create(name, SharedFile.FOR_ALL));
                } catch (FileAlreadyExistsException anotherJvmDid) {
                    // The file is opened in the next attempt.
                }
            } catch (AccessDeniedException denied) {
                if (last) {
                    throw new AccessDeniedException(denied.getFile(), null, access(name));
                }
            }
            return Optional.empty();
        });
    }

    private String access(String name) throws IOException {
        Path path = in(name);
        try {
            return FileIdentity.access(path, LinkOption.NOFOLLOW_LINKS);
        } catch (FileSystemException failed) {
            throw shown(name, failed);
        }
    }

    /**
     * Opens a directory.
     *
     * @throws PlantedFileException if it is not a directory
     */
    SharedFolder folder(String name) throws IOException {
        Path path = in(name);
        try {
            return open(path, shown(name));
        } catch (FileSystemException failed) {
            throw shown(name, failed);
        }
    }

    /** Creates a directory with the given mode, regardless of the umask; empty if the name exists. */
    Optional<SharedFolder> make(String name, int mode) throws IOException {
        Path path = in(name);
        try {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        } catch (FileAlreadyExistsException exists) {
            return Optional.empty();
        } catch (FileSystemException failed) {
            throw shown(name, failed);
        }
        SharedFolder made = folder(name);
        try {
            made.requireJustMade();
            Files.setAttribute(made.path(), "unix:mode", mode);
            return Optional.of(made);
        } catch (IOException | RuntimeException failed) {
            made.close();
            throw failed;
        }
    }

    /**
     * Rejects a directory that replaced a newly created one, before its mode is set. Another JVM of the same user might already
     * use the new directory.
     */
    private void requireJustMade() throws IOException {
        boolean isOfThisUser = identity.owner() == (int) Files.getAttribute(SELF, "unix:uid");
        boolean isOpener = (identity.permissions() & ~(MADE | INHERITED_GROUP)) != 0;
        boolean isOfATable = true;
        for (String name : names("")) {
            isOfATable &= isOfATable(name);
        }
        if (!isOfThisUser || isOpener || !isOfATable) {
            throw new PlantedFileException(
                    shown.toString(), "a directory that was just created was replaced by another");
        }
    }

    private static boolean isOfATable(String name) {
        return name.equals(SharedSlots.FILE) || name.startsWith(Membership.PREFIX) || name.startsWith(Membership.NEW);
    }

    /** Returns the names with the given prefix. */
    List<String> names(String prefix) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path())) {
            for (Path each : entries) {
                String name = each.getFileName().toString();
                if (name.startsWith(prefix)) {
                    names.add(name);
                }
            }
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        return names;
    }

    /** Renames a file or directory. The new name must not exist. */
    void rename(String from, String to) throws IOException {
        Path path = in(to);
        try {
            Files.move(path().resolve(from), path);
        } catch (FileSystemException failed) {
            throw shown(to, failed);
        }
    }

    /** Deletes a name of any kind. A directory must be empty. */
    void delete(String name) throws IOException {
        Path path = in(name);
        try {
            Files.deleteIfExists(path);
        } catch (FileSystemException failed) {
            throw shown(name, failed);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
