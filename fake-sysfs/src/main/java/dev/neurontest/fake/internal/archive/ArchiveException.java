package dev.neurontest.fake.internal.archive;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import org.apiguardian.api.API;

/** Thrown for a file that is not an archive, was cut short, or was edited wrongly. The message has one line. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ArchiveException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private static final int LONGEST_QUOTE = 80;

    private ArchiveException(String message) {
        super(message);
    }

    /**
     * Creates an exception for a wrong line.
     *
     * @param expected the expected content and the advice, following the word "expected"
     */
    static ArchiveException at(Path file, int line, String read, String expected) {
        String quote = read.length() <= LONGEST_QUOTE ? read : read.substring(0, LONGEST_QUOTE) + "...";
        return new ArchiveException(file + ":" + line + ": read \"" + Archive.printable(quote) + "\", expected "
                + Archive.printable(expected));
    }

    /**
     * Creates an exception for a missing end.
     *
     * @param expected as for {@link #at}
     */
    static ArchiveException atEnd(Path file, int line, String expected) {
        return new ArchiveException(file + ":" + line + ": read the end of the file, expected " + expected);
    }

    static ArchiveException of(Path file, String reason) {
        return new ArchiveException(file + ": " + reason);
    }
}
