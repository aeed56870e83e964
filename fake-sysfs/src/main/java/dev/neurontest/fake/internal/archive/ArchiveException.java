package dev.neurontest.fake.internal.archive;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import org.apiguardian.api.API;

/** A file that is no archive, or one that was cut short or edited wrongly. The message has one line. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ArchiveException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private static final int LONGEST_QUOTE = 80;

    private ArchiveException(String message) {
        super(message);
    }

    /** @param expected what should have stood there, and what to do, after "expected" */
    static ArchiveException at(Path file, int line, String read, String expected) {
        String quote = read.length() <= LONGEST_QUOTE ? read : read.substring(0, LONGEST_QUOTE) + "...";
        return new ArchiveException(file + ":" + line + ": read \"" + Archive.printable(quote) + "\", expected "
                + Archive.printable(expected));
    }

    /** @param expected as for {@link #at} */
    static ArchiveException atEnd(Path file, int line, String expected) {
        return new ArchiveException(file + ":" + line + ": read the end of the file, expected " + expected);
    }

    static ArchiveException of(Path file, String what) {
        return new ArchiveException(file + ": " + what);
    }
}
