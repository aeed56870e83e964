package dev.neurontest.internal.baseline.history;

import dev.neurontest.internal.file.OpenFileLimit;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The files of a folder that several JVMs read and write. Directories above it may be links; the folder itself and its files may
 * not, because another user may have planted them.
 */
final class BaselineDirectory {

    private static final String TEMPORARY = ".tmp";
    private static final int LARGEST_FILE = 16 << 20;

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
        // The same object for all class loaders.
        Object ofThisJvm = ("dev.neurontest.baseline " + realPath()).intern();
        synchronized (ofThisJvm) {
            try {
                FolderLock lock = FolderLock.of(path, patience);
                try {
                    removeLeftovers();
                    return action.get();
                } finally {
                    lock.close();
                }
            } catch (IOException | ReadOnlyFileSystemException failed) {
                throw unwritable(path, failed);
            }
        }
    }

    /** Removes what a process that was killed while writing left. */
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
            if (!isThere()) {
                Files.createDirectory(path);
            }
        } catch (FileAlreadyExistsException meanwhile) {
            if (!isThere()) {
                throw unwritable(path, meanwhile);
            }
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
                path,
                "cannot be read: " + reason(failed),
                OpenFileLimit.advice(failed, "Give this user the right to read it."),
                failed);
    }

    private static BaselineException unwritable(Path path, Exception failed) {
        return BaselineException.unusable(
                path,
                "cannot be written: " + reason(failed),
                OpenFileLimit.advice(failed, "Make room, or give this user the right to write there.")
                        + " What was there before is unchanged.",
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
