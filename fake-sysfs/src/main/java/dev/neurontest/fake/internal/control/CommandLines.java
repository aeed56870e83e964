package dev.neurontest.fake.internal.control;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a client. A line that is too long is skipped without being stored, because a client must not fill the
 * memory of the host.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CommandLines {

    /** Maximum length of a line in bytes, more than any command needs. */
    static final int LONGEST_LINE = 8192;

    private final InputStream in;

    /**
     * Creates a reader of lines.
     *
     * @param in the input of the client, in UTF-8; invalid bytes are replaced
     */
    public CommandLines(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /**
     * Waits for a line.
     *
     * @return the line without its end, cut after {@value #LONGEST_LINE} bytes and one; null at the end of the input
     * @throws IOException when the connection is lost
     */
    public @Nullable String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean any = false;
        for (int each = in.read(); each >= 0; each = in.read()) {
            if (each == '\n') {
                return text(line);
            }
            any = true;
            if (line.size() <= LONGEST_LINE) {
                line.write(each);
            }
        }
        return any ? text(line) : null;
    }

    private static String text(ByteArrayOutputStream line) {
        // As ISO 8859-1, a line that is too long has as many characters as bytes. In UTF-8 it may have fewer characters
        // and
        // pass as a complete line.
        return line.toString(line.size() > LONGEST_LINE ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }
}
