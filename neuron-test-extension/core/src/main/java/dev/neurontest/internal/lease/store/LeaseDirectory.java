package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.text.ShellText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The directory of a table. Users who do not trust each other share it, as they share {@code /tmp}. Each user can create files,
 * but cannot replace files of other users.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseDirectory {

    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 0002;
    private static final int OF_ALL = 01777;

    /** The mode of the parent directories. No other user can rename files in them. */
    private static final FileAttribute<?> OF_ITS_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

    private LeaseDirectory() {}

    /**
     * Creates a directory if it does not exist, opens it, and checks whether it can be trusted.
     *
     * @throws LeaseTableException if it cannot be created or cannot be trusted
     */
    static SharedFolder prepare(Path configured) {
        try {
            Path absolute = withName(configured);
            Path parent = absolute.getParent();
            if (parent == null) {
                throw new LeaseTableException(
                        "The lease table cannot be kept in " + configured + ": set a directory below it.");
            }
            // The path of the parent may contain links, as /tmp does on some systems.
            SharedFolder folder = open(
                    Files.createDirectories(parent, OF_ITS_OWNER).toRealPath(),
                    absolute.getFileName().toString());
            try {
                requireTrusted(folder);
                return folder;
            } catch (IOException | RuntimeException failed) {
                folder.close();
                throw failed;
            }
        } catch (PlantedFileException planted) {
            throw refused(planted);
        } catch (IOException failed) {
            throw new LeaseTableException(
                    "The lease table cannot be kept in %s: %s. %s"
                            .formatted(
                                    configured,
                                    describe(failed),
                                    OpenFileLimit.advice(
                                            failed,
                                            "Set neuron.test.lease.directory to a directory that every user of these cores can write to.")),
                    failed);
        } catch (UnsupportedOperationException | IllegalArgumentException unknown) {
            throw new LeaseTableException(
                    "The lease table cannot be shared in %s: this system does not support POSIX permissions."
                            .formatted(configured),
                    unknown);
        }
    }

    /** Returns the path of an existing directory. Its parents may be links, but the directory itself must not be a link. */
    static Path place(Path configured) throws IOException {
        Path absolute = withName(configured);
        Path parent = absolute.getParent();
        return parent == null ? absolute : parent.toRealPath().resolve(absolute.getFileName());
    }

    private static Path withName(Path configured) throws IOException {
        return configured.endsWith(".") || configured.endsWith("..")
                ? configured.toRealPath()
                : configured.toAbsolutePath();
    }

    private static SharedFolder open(Path parent, String name) throws IOException {
        SharedFolder above;
        try {
            above = SharedFolder.at(parent);
        } catch (AccessDeniedException closed) {
            // This user might only have search permission for the parent. Then an existing directory can be opened, but
            // not created.
            return SharedFolder.at(parent.resolve(name));
        }
        try (above) {
            Optional<SharedFolder> made = above.make(name, OF_ALL);
            return made.isPresent() ? made.get() : opened(above, name);
        }
    }

    /** Opens a directory that another JVM might be creating. */
    private static SharedFolder opened(SharedFolder above, String name) throws IOException {
        return CreationWait.await(last -> {
            try {
                return Optional.of(above.folder(name));
            } catch (AccessDeniedException denied) {
                if (last) {
                    throw new AccessDeniedException(
                            denied.getFile(), null, FileIdentity.access(above.shown(name), LinkOption.NOFOLLOW_LINKS));
                }
                return Optional.empty();
            }
        });
    }

    /** Verifies that this user can use a directory and no other user can replace files in it. */
    static void requireTrusted(SharedFolder folder) throws IOException {
        CreationWait.await(last -> {
            Path path = folder.path();
            int mode = folder.identity().permissions();
            if ((mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0) {
                throw new LeaseTableException(
                        "The lease table does not use %s: every user may replace its files, because its mode is %04o without the sticky bit (01000). Set it with sudo chmod 1777 %s, or set neuron.test.lease.directory to another directory."
                                .formatted(
                                        folder.shown(),
                                        mode,
                                        ShellText.of(folder.shown().toString())));
            }
            if (Files.isReadable(path) && Files.isWritable(path) && Files.isExecutable(path)) {
                return Optional.of(folder);
            }
            if (last) {
                throw new AccessDeniedException(
                        folder.shown().toString(),
                        null,
                        Files.getFileStore(folder.shown()).isReadOnly()
                                ? "its file system is read-only"
                                : FileIdentity.access(path));
            }
            return Optional.empty();
        });
    }

    static LeaseTableException refused(PlantedFileException planted) {
        return new LeaseTableException(
                "The lease table does not use %s: %s. Remove it, or set neuron.test.lease.directory to another directory."
                        .formatted(planted.getFile(), planted.getReason()),
                planted);
    }

    /** Describes a failure in words. Messages of file system exceptions often contain only the path. */
    public static String describe(IOException failed) {
        String message = failed.getMessage();
        if (failed instanceof AccessDeniedException denied) {
            return "access to %s is denied%s"
                    .formatted(denied.getFile(), denied.getReason() == null ? "" : ": " + denied.getReason());
        }
        if (failed instanceof NoSuchFileException) {
            return message + " is not there";
        }
        return message == null ? failed.toString() : message;
    }
}
