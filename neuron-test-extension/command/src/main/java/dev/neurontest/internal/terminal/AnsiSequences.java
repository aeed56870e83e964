package dev.neurontest.internal.terminal;

import dev.neurontest.internal.text.VisibleText;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Control sequences of this program for the terminal. {@link VisibleWriter} passes them on and escapes all others. They begin with a random
 * key, which text from outside cannot contain.
 *
 * @param key letters and digits, new in each run
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record AnsiSequences(String key) {

    private static final char ESCAPE = '\u001b';
    private static final char END = '\u0007';

    /** Pattern of colors and of the sequences that rewrite a line. No other sequence is sent, even with the key. */
    private static final String SENT = "(?<sent>\r|\\[[0-9;]*[mK])";

    /** Returns the sequences of a new run, with a random key. */
    public static AnsiSequences random() {
        return new AnsiSequences(new BigInteger(80, new SecureRandom()).toString(36));
    }

    /**
     * Returns a sequence with the key, for the writer.
     *
     * @param sequence the sequence without the escape, such as <code>[31m</code>, or a carriage return
     */
    public String of(String sequence) {
        return ESCAPE + key + sequence + END;
    }

    /**
     * Returns the text for the terminal. The sequences of this program become real ones, and everything else becomes visible text.
     *
     * @param begun the part of the line that was already sent
     */
    String sent(String begun, String text) {
        if (text.indexOf(ESCAPE) < 0) {
            return VisibleText.next(begun, text);
        }
        StringBuilder sent = new StringBuilder(text.length());
        Matcher own = Pattern.compile(ESCAPE + Pattern.quote(key) + SENT + END).matcher(text);
        int end = 0;
        while (own.find()) {
            String sequence = own.group("sent");
            sent.append(VisibleText.next(end == 0 ? begun : "", text.substring(end, own.start())))
                    .append(sequence.equals("\r") ? "" : String.valueOf(ESCAPE))
                    .append(sequence);
            end = own.end();
        }
        return sent.append(VisibleText.next(end == 0 ? begun : "", text.substring(end)))
                .toString();
    }
}
