package dev.neurontest.internal.text;

import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Text that programs write for terminals. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TerminalText {

    private static final char ESCAPE = '\u001b';
    private static final Pattern SEQUENCE =
            Pattern.compile("\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)?)");

    private TerminalText() {}

    /** Returns a text without the sequences that set colours, move the cursor or name the window. */
    public static String withoutSequences(String text) {
        return text.indexOf(ESCAPE) < 0 ? text : SEQUENCE.matcher(text).replaceAll("");
    }
}
