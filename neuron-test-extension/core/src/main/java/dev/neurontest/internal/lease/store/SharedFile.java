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
 * A regular file with one name that several processes use, opened without following a link that another user planted in its place.
 *
 * @param descriptor leads to what is open
 * @param mode its permissions
 * @param key tells it from other files
 */
record SharedFile(FileChannel channel, Path descriptor, int mode, Object key) implements AutoCloseable {

    /** The mode of a file that every user opens to read and to write, as {@link #open} does. */
    static final int FOR_ALL = 0666;

    /**
     * Opens a file that is there: in a sticky directory Linux refuses to open another user's file for creation. To open a pipe for
     * reading and writing does not wait.
     *
     * @throws PlantedFileException when it is no regular file, or has a second name
     */
    static SharedFile open(Path file) throws IOException {
        return Descriptor.uninterrupted(() -> {
            FileIdentity.named(file).requireFile(file);
            FileChannel found = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            return examined(found, descriptor -> {
                FileIdentity opened = FileIdentity.opened(descriptor);
                opened.requireFile(file);
                return opened.permissions();
            });
        });
    }

    /** Makes a file that must not be there, with this mode whatever the umask is. */
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
                // It is made anew.
                Files.deleteIfExists(file);
                throw interrupted;
            }
        });
    }

    /** Examines what is open and returns its mode. */
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

    /** Returns whether every user may write to it, so that a JVM that writes to it does no more than any other user may. */
    boolean isForAll() {
        return (mode & FOR_ALL) == FOR_ALL;
    }

    private static BasicFileAttributes attributes(Path file, LinkOption... options) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, options);
    }

    /** Returns its size, whatever has become of its name; an interrupt does not close it. */
    long size() throws IOException {
        return Files.size(descriptor);
    }

    /** Returns the size of the file when a name leads to it; -1 otherwise. */
    long sizeAt(Path file) throws IOException {
        try {
            BasicFileAttributes found = attributes(file, LinkOption.NOFOLLOW_LINKS);
            return key.equals(found.fileKey()) ? found.size() : -1;
        } catch (NoSuchFileException removed) {
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
