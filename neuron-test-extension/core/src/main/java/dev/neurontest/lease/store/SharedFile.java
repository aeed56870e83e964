package dev.neurontest.lease.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A file that several processes use, opened without following a link that another user planted in its place.
 *
 * <p>An ordinary file channel is closed, with all locks on the file, when a thread that uses it is interrupted. This is an
 * asynchronous channel, which does not know interrupts, with an executor that does everything at once on the thread that asks.
 */
final class SharedFile implements AutoCloseable {

    private static final ExecutorService AT_ONCE = new AtOnce();

    private final AsynchronousFileChannel channel;

    private SharedFile(AsynchronousFileChannel channel) {
        this.channel = channel;
    }

    /** Opens a file that is there: in a sticky directory Linux refuses to open another user's file for creation. */
    static SharedFile open(Path file, OpenOption... how) throws IOException {
        Set<OpenOption> options = new HashSet<>(List.of(how));
        options.add(LinkOption.NOFOLLOW_LINKS);
        return new SharedFile(AsynchronousFileChannel.open(file, options, AT_ONCE));
    }

    /** Makes a file that must not be there, with these permissions whatever the umask is. */
    static SharedFile create(Path file, String permissions) throws IOException {
        Set<PosixFilePermission> mode = PosixFilePermissions.fromString(permissions);
        FileAttribute<?> mine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        SharedFile made = new SharedFile(AsynchronousFileChannel.open(
                file,
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                AT_ONCE,
                mine));
        try {
            Files.setPosixFilePermissions(file, mode);
            return made;
        } catch (IOException failed) {
            made.close();
            throw failed;
        }
    }

    /** Reads up to so many bytes; fewer at the end of the file. */
    byte[] read(long position, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (get(channel.read(buffer, position + buffer.position())) < 0) {
                break;
            }
        }
        byte[] read = new byte[buffer.position()];
        buffer.flip().get(read);
        return read;
    }

    void write(long position, byte[] content) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(content);
        while (buffer.hasRemaining()) {
            if (get(channel.write(buffer, position + buffer.position())) == 0) {
                throw new EOFException("nothing could be written");
            }
        }
    }

    /** Locks the whole file until it is closed, unless another has it locked. */
    boolean tryLock(boolean shared) throws IOException {
        try {
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
            return lock != null;
        } catch (OverlappingFileLockException inThisJvm) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
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
