package dev.neurontest.baseline;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The files of a folder that several JVMs read and write. Directories above it may be links; the folder itself and its files may
 * not, because somebody may have planted them.
 */
final class BaselineDirectory {

    private static final String LOCK = ".lock";
    private static final String TEMPORARY = ".tmp";
    private static final int LARGEST_FILE = 64 << 20;
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final Path path;
    private final Duration patience;

    BaselineDirectory(Path path, Duration patience) {
        this.path = path;
        this.patience = patience;
    }

    Path path() {
        return path;
    }

    /** The names of the files in it, in order; none where the folder is not there. */
    List<String> names(String extension) {
        List<String> names = new ArrayList<>();
        if (!isThere()) {
            return names;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            files.forEach(file -> names.add(file.getFileName().toString()));
        } catch (IOException failed) {
            throw unreadable(path, failed);
        }
        names.removeIf(name -> name.startsWith(".") || !name.endsWith(extension));
        names.sort(null);
        return names;
    }

    Optional<byte[]> read(String name) {
        Path file = path.resolve(name);
        if (!isThere() || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        requireNoLink(file);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw BaselineException.unusable(file, "is not a file", "Remove it.", null);
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = in.readNBytes(LARGEST_FILE);
            if (content.length == LARGEST_FILE) {
                throw BaselineException.unusable(file, "is larger than any baseline file", "Remove it.", null);
            }
            return Optional.of(content);
        } catch (NoSuchFileException goneMeanwhile) {
            return Optional.empty();
        } catch (IOException failed) {
            throw unreadable(file, failed);
        }
    }

    /** Puts a file in the place of the one before, so that every reader sees one of them whole. Only under the lock. */
    void write(String name, String content) {
        Path file = path.resolve(name);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            requireNoLink(file);
        }
        Path temporary = path.resolve("." + UUID.randomUUID() + TEMPORARY);
        try {
            Files.write(
                    temporary,
                    content.getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.SYNC);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            BaselineException refused = unwritable(file, failed);
            removeQuietly(temporary, refused);
            throw refused;
        }
    }

    /** Removes a file, if it is there. Only under the lock. */
    void remove(String name) {
        Path file = path.resolve(name);
        try {
            Files.deleteIfExists(file);
        } catch (IOException failed) {
            throw unwritable(file, failed);
        }
    }

    /** Does something that no other thread, class loader or process does to this folder at the same time. */
    <T> T locked(Supplier<T> action) {
        make();
        // The same object for all class loaders. Within a JVM file locks do not do: closing any channel of the file
        // ends them.
        Object ofThisJvm = ("dev.neurontest.baseline " + realPath()).intern();
        synchronized (ofThisJvm) {
            Path file = path.resolve(LOCK);
            try {
                AsynchronousFileChannel lock = lock(file);
                try {
                    removeLeftovers();
                    return action.get();
                } finally {
                    Files.deleteIfExists(file);
                    lock.close();
                }
            } catch (IOException | ReadOnlyFileSystemException failed) {
                throw unwritable(path, failed);
            }
        }
    }

    /**
     * Locks a file that whoever has it removes at the end, so that nothing is left in the repository. Who waited for one that was
     * removed has a lock on nothing, and sees it by what the path leads to.
     */
    private AsynchronousFileChannel lock(Path file) throws IOException {
        long began = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                // Not a FileChannel, which an interrupt closes.
                AsynchronousFileChannel channel = AsynchronousFileChannel.open(
                        file,
                        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, LinkOption.NOFOLLOW_LINKS),
                        null);
                boolean mine = false;
                try {
                    while (!tryLock(channel)) {
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
                    mine = leadsTo(file, channel);
                    if (mine) {
                        return channel;
                    }
                } finally {
                    if (!mine) {
                        channel.close();
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean tryLock(AsynchronousFileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException inThisJvm) {
            return false;
        }
    }

    private static boolean leadsTo(Path file, AsynchronousFileChannel channel) throws IOException {
        byte[] token = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
        Future<Integer> written = channel.write(ByteBuffer.wrap(token), 0);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    written.get();
                    return Arrays.equals(token, Files.readAllBytes(file));
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (NoSuchFileException removed) {
            return false;
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What somebody who was killed while writing left. */
    private void removeLeftovers() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, ".*" + TEMPORARY)) {
            for (Path leftover : files) {
                Files.deleteIfExists(leftover);
            }
        }
    }

    private Path realPath() {
        try {
            return path.toRealPath();
        } catch (IOException failed) {
            throw unreadable(path, failed);
        }
    }

    private void make() {
        try {
            Path parent = path.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(path);
        } catch (FileAlreadyExistsException there) {
            isThere();
        } catch (IOException | ReadOnlyFileSystemException failed) {
            throw unwritable(path, failed);
        }
    }

    private boolean isThere() {
        requireNoLink(path);
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw BaselineException.unusable(
                    path, "is not a folder", "Remove it, or name another with neuron.test.baseline.directory.", null);
        }
        return Files.exists(path);
    }

    private static void requireNoLink(Path path) {
        if (Files.isSymbolicLink(path)) {
            throw BaselineException.unusable(
                    path, "is a symbolic link, which is not followed", "Put what it leads to in its place.", null);
        }
    }

    private static BaselineException unreadable(Path path, Exception failed) {
        return BaselineException.unusable(
                path, "cannot be read: " + reason(failed), "Give this user the right to read it.", failed);
    }

    private static BaselineException unwritable(Path path, Exception failed) {
        return BaselineException.unusable(
                path,
                "cannot be written: " + reason(failed),
                "Make room, or give this user the right to write there. What was there before is unchanged.",
                failed);
    }

    /** The messages of file system exceptions often are the path alone. */
    private static String reason(Exception failed) {
        if (failed instanceof AccessDeniedException) {
            return "access is denied";
        }
        String message = failed instanceof FileSystemException of ? of.getReason() : failed.getMessage();
        return message == null ? failed.getClass().getSimpleName() : message;
    }

    private static void removeQuietly(Path temporary, BaselineException refused) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException left) {
            refused.addSuppressed(left);
        }
    }
}
