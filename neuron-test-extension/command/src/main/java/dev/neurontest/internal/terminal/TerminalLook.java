package dev.neurontest.internal.terminal;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How text looks where it is read.
 *
 * @param width in columns, beyond which lines are folded
 * @param colours with which words are coloured; empty where they are not
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TerminalLook(int width, Optional<AnsiSequences> colours) {

    /** What lines have at most. */
    public static final int WIDEST = 120;

    /** Without colours, as wide as lines get. */
    public static final TerminalLook PLAIN = new TerminalLook(WIDEST, Optional.empty());

    private static final String RESET = "[0m";

    /**
     * A line in as many as it takes, folded between words; a word that is wider has a line of its own.
     *
     * @param line without colours
     * @param indent begins the lines below the first
     * @return lines, the last one not ended
     */
    public String folded(String line, String indent) {
        StringBuilder folded = new StringBuilder();
        String rest = line;
        while (rest.length() > width) {
            int begin = rest.length() - rest.stripLeading().length();
            int end = rest.lastIndexOf(' ', width);
            if (end < begin) {
                end = rest.indexOf(' ', Math.max(width, begin));
            }
            if (end < 0) {
                break;
            }
            folded.append(rest.substring(0, end).stripTrailing()).append('\n');
            rest = indent + rest.substring(end).strip();
        }
        return folded.append(rest).toString();
    }

    /**
     * A word as it looks.
     *
     * @param style what it says
     * @param text the word
     * @return the same; where there are colours, with sequences that {@link VisibleWriter} sends on
     */
    public String show(Style style, String text) {
        return colours.map(all -> all.of(style.sequence()) + text + all.of(RESET))
                .orElse(text);
    }
}
