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
 * The files of a folder that several JVMs read and write. Parent folders may be links. The folder and its files must not be links, because
 * another user may have created them.
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

    /** Returns the sorted names of the files in the folder; empty if the folder does not exist. */
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
        } catch (NoSuchFileException disappeared) {
            return Optional.empty();
        } catch (IOException failed) {
            throw unreadable(file, failed);
        }
    }

    /** Replaces a file atomically. Every reader sees either the old or the new file completely. The caller must hold the lock. */
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

    /** Removes a file, if it exists. The caller must hold the lock. */
    void remove(String name) {
        Path file = path.resolve(name);
        try {
            Files.deleteIfExists(file);
        } catch (IOException failed) {
            throw unwritable(file, failed);
        }
    }

    /** Runs an action while no other thread, class loader or process changes this folder. */
    <T> T locked(Supplier<T> action) {
        make();
        // An interned string is the same object in all class loaders.
        Object jvmMonitor = ("dev.neurontest.baseline " + realPath()).intern();
        synchronized (jvmMonitor) {
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

    /** Removes temporary files of processes that were killed while writing. */
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
        } catch (FileAlreadyExistsException created) {
            if (!isThere()) {
                throw unwritable(path, created);
            }
        } catch (IOException | ReadOnlyFileSystemException failed) {
            throw unwritable(path, failed);
        }
    }

    private boolean isThere() {
        requireNoLink(path);
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw BaselineException.unusable(
                    path,
                    "is not a folder",
                    "Remove it, or set neuron.test.baseline.directory to another folder.",
                    null);
        }
        return Files.exists(path);
    }

    private static void requireNoLink(Path path) {
        if (Files.isSymbolicLink(path)) {
            throw BaselineException.unusable(
                    path, "is a symbolic link, which is not followed", "Replace it with its target.", null);
        }
    }

    private static BaselineException unreadable(Path path, Exception failed) {
        return BaselineException.unusable(
                path,
                "cannot be read: " + reason(failed),
                OpenFileLimit.advice(failed, "Allow this user to read it."),
                failed);
    }

    private static BaselineException unwritable(Path path, Exception failed) {
        return BaselineException.unusable(
                path,
                "cannot be written: " + reason(failed),
                OpenFileLimit.advice(failed, "Free disk space, or allow this user to write there.")
                        + " The previous content is unchanged.",
                failed);
    }

    /** Returns the reason of a failure. The message of a file system exception often contains only the path. */
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
        } catch (IOException failed) {
            refused.addSuppressed(failed);
        }
    }
}
