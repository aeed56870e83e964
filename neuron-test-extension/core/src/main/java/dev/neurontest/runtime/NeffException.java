package dev.neurontest.runtime;

import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when a file is not a NEFF. The message contains the file, its actual content, the expected content and advice. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeffException extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final String NEFF = "a NEFF: a header of 1024 bytes and a gzip'ed tar";
    private static final String WHERE_NEFFS_ARE =
            "Use the compiled graph: compilers write it to their cache or work folder as *.neff.";

    private NeffException(Path path, String what, String advice, @Nullable Throwable cause) {
        super(VisibleText.of("%s %s, expected %s. %s".formatted(path, what, NEFF, advice)), cause);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static NeffException missing(Path path) {
        return new NeffException(
                path,
                "does not exist",
                (path.isAbsolute()
                                ? WHERE_NEFFS_ARE
                                : "A relative path starts from " + Path.of("").toAbsolutePath() + ".")
                        + " For a fake host, fake-sysfs neff FILE creates one.",
                null);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static NeffException noFile(Path path, String what) {
        return new NeffException(path, "is " + what, WHERE_NEFFS_ARE, null);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static NeffException noNeff(Path path, String what) {
        return new NeffException(path, "is not a NEFF: " + what, WHERE_NEFFS_ARE, null);
    }

    /**
     * Creates an exception for a truncated NEFF.
     *
     * @param path path of the file
     * @param bytes actual size in bytes
     * @return an exception to throw
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeffException cut(Path path, long bytes) {
        return new NeffException(
                path, "is truncated: it has %s bytes".formatted(bytes), "Compile or copy it again.", null);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static NeffException cut(Path path, long bytes, long promised) {
        return new NeffException(
                path,
                "is truncated: it has %s bytes after its header, which promises %s".formatted(bytes, promised),
                "Compile or copy it again.",
                null);
    }

    /**
     * Creates an exception for an unreadable NEFF.
     *
     * @param path path of the file
     * @param cause reason why it cannot be read
     * @return an exception to throw
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeffException unreadable(Path path, IOException cause) {
        return cause instanceof AccessDeniedException
                ? new NeffException(path, "is not readable", "Allow this user to read it.", cause)
                : new NeffException(path, "cannot be read (%s)".formatted(cause), "Inspect it with xxd | head.", cause);
    }
}
