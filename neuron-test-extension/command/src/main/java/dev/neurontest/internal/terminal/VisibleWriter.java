package dev.neurontest.internal.terminal;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.apiguardian.api.API;

/**
 * Writer for the output of a command. Names and logs come from anywhere. The writer ensures that they do not move the cursor, change a
 * color or run a CI command, even if they arrive in several parts.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class VisibleWriter extends FilterWriter {

    /** Maximum length of the beginning of a CI command, without blanks before it. */
    private static final int KEPT = 16;

    private final AnsiSequences sequences;
    /** The current line so far, or its end. */
    private String begun = "";

    private VisibleWriter(Writer terminal, AnsiSequences sequences) {
        super(terminal);
        this.sequences = sequences;
    }

    /**
     * Creates a printer that escapes unsafe text and flushes at the end of each line.
     *
     * @param terminal receives the text
     * @param sequences the only escape sequences that are sent unchanged
     */
    public static PrintWriter on(Writer terminal, AnsiSequences sequences) {
        return new PrintWriter(new VisibleWriter(terminal, sequences), true);
    }

    @Override
    public void write(int character) throws IOException {
        write(String.valueOf((char) character), 0, 1);
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
        write(new String(characters, offset, length), 0, length);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        String part = text.substring(offset, offset + length);
        out.write(sequences.sent(begun, part));
        String line = begun + part;
        line = line.substring(line.lastIndexOf('\n') + 1);
        begun = line.isBlank() || line.length() <= KEPT ? line.strip() : "…" + line.substring(line.length() - KEPT);
    }
}
