package dev.neurontest.neff;

import dev.neurontest.text.VisibleText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A file that was given as a NEFF and is none. The message says which, what it is, what was expected, and what to do. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NeffException extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final String NEFF = "a NEFF: a head of 1024 bytes and a gzip'ed tar";
    private static final String WHERE_NEFFS_ARE =
            "Give the compiled graph; compilers leave it in their cache or work folder as *.neff.";

    /** Which file. */
    private final String path;

    /** What it is. */
    private final String what;

    /** What it should be. */
    private final String expected;

    /** What to do. */
    private final String advice;

    private NeffException(Object path, String what, String expected, String advice, @Nullable Throwable cause) {
        super(VisibleText.of("%s %s, expected %s. %s".formatted(path, what, expected, advice)), cause);
        this.path = path.toString();
        this.what = what;
        this.expected = expected;
        this.advice = advice;
    }

    static NeffException missing(Path path) {
        return new NeffException(
                path,
                "does not exist",
                NEFF,
                path.isAbsolute()
                        ? WHERE_NEFFS_ARE
                        : "It was looked for in " + Path.of("").toAbsolutePath() + ".",
                null);
    }

    static NeffException noFile(Object path, String what) {
        return new NeffException(path, "is " + what, NEFF, WHERE_NEFFS_ARE, null);
    }

    static NeffException noNeff(Object path, String what) {
        return new NeffException(path, "is no NEFF: " + what, NEFF, WHERE_NEFFS_ARE, null);
    }

    /**
     * A NEFF that ends too early.
     *
     * @param path what it is
     * @param bytes how many there are
     * @return to be thrown
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeffException cut(Object path, long bytes) {
        return new NeffException(
                path, "is cut: it has %s bytes".formatted(bytes), NEFF, "Compile or copy it again.", null);
    }

    static NeffException cut(Object path, long bytes, long promised) {
        return new NeffException(
                path,
                "is cut: it has %s bytes behind its head, which promises %s".formatted(bytes, promised),
                NEFF,
                "Compile or copy it again.",
                null);
    }

    /**
     * A NEFF that cannot be read.
     *
     * @param path what it is
     * @param cause why not
     * @return to be thrown
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeffException unreadable(Path path, IOException cause) {
        return cause instanceof AccessDeniedException
                ? new NeffException(path, "may not be read", NEFF, "Allow this user to read it.", cause)
                : new NeffException(
                        path, "cannot be read (%s)".formatted(cause), NEFF, "Read it by hand: xxd | head.", cause);
    }

    /**
     * Which file it is.
     *
     * @return its path as it was given; "a NEFF of 12 bytes" where bytes were given
     */
    public String path() {
        return path;
    }

    /**
     * What it is.
     *
     * @return what was seen
     */
    public String what() {
        return what;
    }

    /**
     * What it should be.
     *
     * @return what was expected
     */
    public String expected() {
        return expected;
    }

    /**
     * What to do about it.
     *
     * @return one sentence
     */
    public String advice() {
        return advice;
    }
}
