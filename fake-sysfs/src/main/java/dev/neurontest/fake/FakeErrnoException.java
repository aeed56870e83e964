package dev.neurontest.fake;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.apiguardian.api.API;

/**
 * An error number with which a read or write of the in-process view fails. For {@link Errno#ENOENT} and {@link Errno#EACCES}, the
 * exceptions of the JDK are thrown instead: {@link NoSuchFileException} and {@link AccessDeniedException}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeErrnoException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    /** The error number. */
    private final Errno errno;

    /** The path of the file. */
    private final String path;

    private FakeErrnoException(Errno errno, String path) {
        super(path + ": " + errno.text() + " (" + errno + ")");
        this.errno = errno;
        this.path = path;
    }

    /**
     * Creates the exception for an error.
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
     * Returns the error number.
     *
     * @return an error other than {@link Errno#ENOENT} and {@link Errno#EACCES}
     */
    public Errno errno() {
        return errno;
    }

    /**
     * Returns the path of the file.
     *
     * @return the path, relative to the host's root
     */
    public String path() {
        return path;
    }
}
