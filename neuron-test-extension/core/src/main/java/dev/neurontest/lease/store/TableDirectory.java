package dev.neurontest.lease.store;

import dev.neurontest.lease.LeaseTableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apiguardian.api.API;

/**
 * The directory of a table. Users who do not trust each other share it, as they share {@code /tmp}: each of them may make files,
 * none may replace another's.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TableDirectory {

    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 0002;
    private static final int REGULAR_FILE = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int LINK = 0120000;
    private static final int KIND = 0170000;

    /** How long another JVM may need between making a file and opening it to all. */
    private static final Duration BEING_MADE = Duration.ofSeconds(1);

    private TableDirectory() {}

    /**
     * Makes a directory, unless it is there, and looks whether it can be trusted.
     *
     * @return its canonical path
     * @throws LeaseTableException when it cannot be made, or not be trusted
     */
    static Path prepare(Path wanted) {
        try {
            Path absolute = wanted.toAbsolutePath();
            Path parent = absolute.getParent();
            if (parent == null) {
                throw new LeaseTableException(
                        "The lease table cannot be in " + wanted + ": name a directory below it.");
            }
            // The way there may lead over links, as /tmp does on some systems.
            Path directory = Files.createDirectories(parent).toRealPath().resolve(absolute.getFileName());
            make(directory, 01777);
            requireTrusted(directory, DIRECTORY);
            return directory;
        } catch (IOException failed) {
            throw new LeaseTableException(
                    "The lease table cannot be kept in %s: %s. Name a directory that every user of these cores may write to with neuron.test.lease.directory."
                            .formatted(wanted, describe(failed)),
                    failed);
        } catch (UnsupportedOperationException | IllegalArgumentException unknown) {
            throw new LeaseTableException(
                    "The lease table cannot be shared in %s: this system does not know POSIX permissions."
                            .formatted(wanted),
                    unknown);
        }
    }

    /** Makes a directory with these permissions whatever the umask is. */
    static boolean make(Path directory, int mode) throws IOException {
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            Files.setAttribute(directory, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
            return true;
        } catch (FileAlreadyExistsException there) {
            return false;
        }
    }

    /**
     * Refuses what another user may have planted.
     *
     * @throws NoSuchFileException when it is not there
     * @throws LeaseTableException when it is a link or anything else than a file for all that no other user can replace
     */
    static void requireTrustedFile(Path file) throws IOException {
        requireTrusted(file, REGULAR_FILE);
    }

    private static void requireTrusted(Path path, int kind) throws IOException {
        long began = System.nanoTime();
        while (true) {
            Map<String, Object> attributes =
                    Files.readAttributes(path, "unix:mode,nlink,owner", LinkOption.NOFOLLOW_LINKS);
            int mode = (int) attributes.get("mode");
            if ((mode & KIND) == LINK) {
                throw refused(
                        path,
                        "it is a link to " + Files.readSymbolicLink(path) + ", which another user may have planted");
            }
            if ((mode & KIND) != kind) {
                throw refused(path, kind == DIRECTORY ? "it is not a directory" : "it is not a file");
            }
            if (kind == DIRECTORY && (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0) {
                throw refused(
                        path,
                        "every user may replace its files, because its mode is %04o without the sticky bit (01000)"
                                .formatted(mode & 07777));
            }
            if (kind == REGULAR_FILE && (int) attributes.get("nlink") > 1) {
                throw refused(path, "it has a second name, which another user may have planted");
            }
            boolean usable = Files.isReadable(path)
                    && Files.isWritable(path)
                    && (kind == REGULAR_FILE || Files.isExecutable(path));
            if (usable) {
                return;
            }
            if (System.nanoTime() - began > BEING_MADE.toNanos()) {
                throw new AccessDeniedException(
                        path.toString(),
                        null,
                        "its mode is %04o and its owner %s".formatted(mode & 07777, attributes.get("owner")));
            }
            LockSupport.parkNanos(BEING_MADE.toNanos() / 100);
        }
    }

    private static LeaseTableException refused(Path path, String reason) {
        return new LeaseTableException(
                "The lease table does not use %s: %s. Remove it or name another directory with neuron.test.lease.directory."
                        .formatted(path, reason));
    }

    /** What happened, in words: the messages of file system exceptions often are the path alone. */
    public static String describe(IOException failed) {
        String message = failed.getMessage();
        if (failed instanceof AccessDeniedException) {
            return "access to " + message + " is denied";
        }
        if (failed instanceof NoSuchFileException) {
            return message + " is not there";
        }
        return message == null ? failed.toString() : message;
    }
}
