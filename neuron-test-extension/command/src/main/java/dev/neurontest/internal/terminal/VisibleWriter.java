package dev.neurontest.internal.terminal;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.apiguardian.api.API;

/**
 * Writes what a command prints. Names and logs come from anywhere, and nothing of them moves the cursor, changes a colour or is a
 * command of CI, however many parts it comes in.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class VisibleWriter extends FilterWriter {

    /** The longest beginning of a command, without blanks before it. */
    private static final int KEPT = 16;

    private final AnsiSequences sequences;
    /** The line so far, or its end. */
    private String begun = "";

    private VisibleWriter(Writer terminal, AnsiSequences sequences) {
        super(terminal);
        this.sequences = sequences;
    }

    /**
     * A printer that shows what others had better not send.
     *
     * @param terminal gets it
     * @param sequences the only ones that are sent as they are
     * @return flushes at the end of a line
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
