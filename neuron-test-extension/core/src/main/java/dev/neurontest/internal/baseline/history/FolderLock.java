package dev.neurontest.internal.baseline.history;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock on a folder among processes: a locked file in the folder. The holder removes the file at the end, to leave no file in a
 * repository. Within one JVM, at most one thread may use the lock of a folder at a time.
 *
 * <p>A process that waited for a file may lock it after it was removed. Such a lock has no effect. Therefore, each process writes a token
 * into the locked file and checks whether the path leads to that token. The channels for this check stay open as long as the lock, because
 * closing any channel of a file releases all locks of the process on it. They are asynchronous channels, because an interrupt would close a
 * file channel.
 */
final class FolderLock implements Closeable {

    private static final String NAME = ".lock";
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final Path file;
    private final List<AsynchronousFileChannel> open = new ArrayList<>();
    private boolean interrupted;

    private FolderLock(Path file) {
        this.file = file;
    }

    static FolderLock of(Path folder, Duration patience) throws IOException {
        long began = System.nanoTime();
        while (true) {
            FolderLock lock = new FolderLock(folder.resolve(NAME));
            boolean isAcquired = false;
            try {
                isAcquired = lock.acquire(began, patience);
                if (isAcquired) {
                    return lock;
                }
            } finally {
                if (!isAcquired) {
                    lock.closeChannels();
                }
                if (lock.interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private boolean acquire(long began, Duration patience) throws IOException {
        requireFile();
        // Opening for both reading and writing does not block, even if another process puts a pipe there at this
        // moment.
        AsynchronousFileChannel locked =
                open(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        while (!tryLock(locked)) {
            if (System.nanoTime() - began > patience.toNanos()) {
                throw BaselineException.unusable(
                        file,
                        "has been locked by another process for " + patience.toSeconds() + " s",
                        "End that process, or try again when it is done.",
                        null);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            interrupted |= Thread.interrupted();
        }
        ByteBuffer token = ByteBuffer.wrap(UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
        await(locked.write(token.duplicate(), 0));
        try {
            ByteBuffer content = ByteBuffer.allocate(token.capacity());
            await(open(StandardOpenOption.READ).read(content, 0));
            return content.flip().equals(token);
        } catch (NoSuchFileException removed) {
            return false;
        }
    }

    private void requireFile() {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw BaselineException.unusable(file, "is not a file", "Remove it.", null);
        }
    }

    private AsynchronousFileChannel open(StandardOpenOption... modes) throws IOException {
        Set<OpenOption> options = new HashSet<>(List.of(modes));
        options.add(LinkOption.NOFOLLOW_LINKS);
        AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, options, null);
        open.add(channel);
        return channel;
    }

    private static boolean tryLock(AsynchronousFileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException inThisJvm) {
            return false;
        }
    }

    private void await(Future<Integer> operation) throws IOException {
        while (true) {
            try {
                operation.get();
                return;
            } catch (InterruptedException later) {
                interrupted = true;
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(file);
        } finally {
            closeChannels();
        }
    }

    private void closeChannels() throws IOException {
        for (AsynchronousFileChannel channel : open) {
            channel.close();
        }
    }
}
