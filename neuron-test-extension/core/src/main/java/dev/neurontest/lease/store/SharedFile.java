package dev.neurontest.lease.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A regular file with one name that several processes use, opened without following a link that another user planted in its place.
 *
 * <p>An ordinary file channel is closed, with all locks on the file, when a thread that uses it is interrupted. This is an
 * asynchronous channel, which does not know interrupts, with an executor that does everything at once on the thread that asks.
 */
final class SharedFile implements AutoCloseable {

    private static final ExecutorService AT_ONCE = new AtOnce();

    /** The mode of a file that every user opens to read and to write, as {@link #open} does. */
    static final int FOR_ALL = 0666;

    private final AsynchronousFileChannel channel;

    /** Stays open as long as the other one: closing any channel on a file drops all locks that the process has on it. */
    private final FileChannel first;

    private final int mode;
    private final Object key;

    private SharedFile(AsynchronousFileChannel channel, FileChannel first, int mode, Object key) {
        this.channel = channel;
        this.first = first;
        this.mode = mode;
        this.key = key;
    }

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
            return again(found, descriptor -> {
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
                return again(made, descriptor -> {
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

    /** Opens once more what is open, in a channel that does not know interrupts. */
    private static SharedFile again(FileChannel first, Examination examination) throws IOException {
        try {
            Path descriptor = Descriptor.of(first);
            int mode = examination.examine(descriptor);
            return new SharedFile(
                    AsynchronousFileChannel.open(
                            descriptor, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE), AT_ONCE),
                    first,
                    mode,
                    key(descriptor));
        } catch (IOException | RuntimeException failed) {
            first.close();
            throw failed;
        }
    }

    /** Returns whether every user may write to it, so that a JVM that writes to it does no more than any other user may. */
    boolean isForAll() {
        return (mode & FOR_ALL) == FOR_ALL;
    }

    int mode() {
        return mode;
    }

    private static Object key(Path file, LinkOption... options) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, options).fileKey();
    }

    /** Returns whether a name leads to this file. */
    boolean isAt(Path file) throws IOException {
        try {
            return key.equals(key(file, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException removed) {
            return false;
        }
    }

    /** Reads so many bytes, with zeros behind the end of the file. */
    byte[] read(long position, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (get(channel.read(buffer, position + buffer.position())) < 0) {
                break;
            }
        }
        return buffer.array();
    }

    void write(long position, byte[] content) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(content);
        while (buffer.hasRemaining()) {
            if (get(channel.write(buffer, position + buffer.position())) == 0) {
                throw new EOFException("nothing could be written");
            }
        }
    }

    /** Locks a byte; null when it is locked, by this JVM or another process. */
    @Nullable
    FileLock tryLock(long position) throws IOException {
        try {
            return channel.tryLock(position, 1, false);
        } catch (OverlappingFileLockException inThisJvm) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        first.close();
    }

    private static int get(Future<Integer> done) throws IOException {
        try {
            return done.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("what is done was waited for", impossible);
        }
    }

    private static final class AtOnce extends AbstractExecutorService {

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
