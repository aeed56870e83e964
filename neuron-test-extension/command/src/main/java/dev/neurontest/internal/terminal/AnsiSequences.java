package dev.neurontest.internal.terminal;

import dev.neurontest.internal.text.VisibleText;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Control sequences of this program on their way to the terminal. {@link VisibleWriter} sends them on and shows all others, since
 * they begin with a key that no name and no log can know.
 *
 * @param key letters and digits, new in each run
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record AnsiSequences(String key) {

    private static final char ESCAPE = '\u001b';
    private static final char END = '\u0007';

    /** Colours, and what rewrites a line: nothing else is sent, whatever the key. */
    private static final String SENT = "(?<sent>\r|\\[[0-9;]*[mK])";

    /**
     * Those of a new run.
     *
     * @return with a key at random
     */
    public static AnsiSequences random() {
        return new AnsiSequences(new BigInteger(80, new SecureRandom()).toString(36));
    }

    /**
     * One sequence, for the writer.
     *
     * @param sequence without the escape, such as <code>[31m</code>, or a carriage return
     * @return the same with the key
     */
    public String of(String sequence) {
        return ESCAPE + key + sequence + END;
    }

    /**
     * What the terminal gets: these sequences as it understands them, and all else as text.
     *
     * @param begun the part of the line that was sent already
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
