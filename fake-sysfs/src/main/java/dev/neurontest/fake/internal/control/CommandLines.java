package dev.neurontest.fake.internal.control;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a speaker. A line that is too long is passed over without being kept, so that a speaker cannot fill the
 * memory of the host.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CommandLines {

    /** More than any command needs. */
    static final int LONGEST_LINE = 8192;

    private final InputStream in;

    /**
     * Begins to listen.
     *
     * @param in what the speaker says, in UTF-8; what is not is replaced
     */
    public CommandLines(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /**
     * Waits for a line.
     *
     * @return the line without its end, cut after {@value #LONGEST_LINE} bytes and one; null when the speaker has gone
     * @throws IOException when it is lost
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
        // A line that is too long has as many characters as bytes: in UTF-8 it may have so few that it is taken for a
        // whole one.
        return line.toString(line.size() > LONGEST_LINE ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }
}
