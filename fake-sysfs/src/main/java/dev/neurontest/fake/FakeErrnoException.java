package dev.neurontest.fake;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.apiguardian.api.API;

/**
 * An error number that a read or write of the in-process view ends with. For {@link Errno#ENOENT} and {@link Errno#EACCES} the
 * JDK has exceptions of its own, {@link NoSuchFileException} and {@link AccessDeniedException}, which are thrown instead.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeErrnoException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    /** The error. */
    private final Errno errno;

    /** The file. */
    private final String path;

    private FakeErrnoException(Errno errno, String path) {
        super(path + ": " + errno.text() + " (" + errno + ")");
        this.errno = errno;
        this.path = path;
    }

    /**
     * The exception for an error.
     *
     * @param errno the error
     * @param path the file
     * @return an exception to throw
     */
    public static IOException of(Errno errno, String path) {
        return switch (errno) {
            case ENOENT -> new NoSuchFileException(path);
            case EACCES -> new AccessDeniedException(path);
            default -> new FakeErrnoException(errno, path);
        };
    }

    /**
     * The error.
     *
     * @return neither {@link Errno#ENOENT} nor {@link Errno#EACCES}
     */
    public Errno errno() {
        return errno;
    }

    /**
     * The file.
     *
     * @return its path, relative to the host's root
     */
    public String path() {
        return path;
    }
}
