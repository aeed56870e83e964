package dev.neurontest.internal.lease.store;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A regular file with a single name that several processes use. It is opened without following a link that another user planted
 * in its place.
 *
 * @param descriptor the path of the open file
 * @param mode the permissions
 * @param key the identifier of the file
 */
record SharedFile(FileChannel channel, Path descriptor, int mode, Object key) implements AutoCloseable {

    /** The mode of a file that every user can open for reading and writing, as {@link #open} does. */
    static final int FOR_ALL = 0666;

    /**
     * Opens an existing file. It does not create the file, because in a sticky directory Linux refuses to open another user's
     * file with the create flag. Opening a pipe for reading and writing does not block.
     *
     * @throws PlantedFileException if it is not a regular file or has a second name
     */
    static SharedFile open(Path file) throws IOException {
        return Descriptor.uninterrupted(() -> {
            FileIdentity.named(file).requireFile(file);
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            return examined(channel, descriptor -> {
                FileIdentity opened = FileIdentity.opened(descriptor);
                opened.requireFile(file);
                return opened.permissions();
            });
        });
    }

    /** Creates a file with the given mode, regardless of the umask. The file must not exist. */
    static SharedFile create(Path file, int mode) throws IOException {
        return Descriptor.uninterrupted(() -> {
            FileChannel made = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                return examined(made, descriptor -> {
                    Files.setAttribute(descriptor, "unix:mode", mode);
                    return mode;
                });
            } catch (ClosedByInterruptException interrupted) {
                // The file is created again.
                Files.deleteIfExists(file);
                throw interrupted;
            }
        });
    }

    /** An examination of an open file that returns its mode. */
    private interface Examination {
        int examine(Path descriptor) throws IOException;
    }

    private static SharedFile examined(FileChannel open, Examination examination) throws IOException {
        try {
            Path descriptor = Descriptor.of(open);
            return new SharedFile(
                    open,
                    descriptor,
                    examination.examine(descriptor),
                    attributes(descriptor).fileKey());
        } catch (IOException | RuntimeException failed) {
            open.close();
            throw failed;
        }
    }

    /** Checks whether every user may write to the file. Then a write by this JVM does nothing that other users cannot do. */
    boolean isForAll() {
        return (mode & FOR_ALL) == FOR_ALL;
    }

    private static BasicFileAttributes attributes(Path file, LinkOption... options) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, options);
    }

    /** Returns the size of the open file, even if its name has changed. An interrupt does not close it. */
    long size() throws IOException {
        return Files.size(descriptor);
    }

    /** Returns the size of the file if the given path leads to it; otherwise -1. */
    long sizeAt(Path file) throws IOException {
        try {
            BasicFileAttributes current = attributes(file, LinkOption.NOFOLLOW_LINKS);
            return key.equals(current.fileKey()) ? current.size() : -1;
        } catch (NoSuchFileException removed) {
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
