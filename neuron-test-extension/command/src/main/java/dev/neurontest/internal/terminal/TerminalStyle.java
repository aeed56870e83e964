package dev.neurontest.internal.terminal;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The look of text: its width and its colors.
 *
 * @param width maximum number of columns; longer lines are folded
 * @param colours sequences for colored words; empty for no colors
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TerminalStyle(int width, Optional<AnsiSequences> colours) {

    /** Maximum number of columns of a line. */
    public static final int WIDEST = 120;

    /** A look without colors and with the maximum width. */
    public static final TerminalStyle PLAIN = new TerminalStyle(WIDEST, Optional.empty());

    private static final String RESET = "[0m";

    /**
     * Folds a line between words. A word that is wider than the width has a separate line.
     *
     * @param line a line without colors
     * @param indent the beginning of the lines after the first
     * @return lines, without a line end after the last
     */
    public String folded(String line, String indent) {
        StringBuilder folded = new StringBuilder();
        String remaining = line;
        while (remaining.length() > width) {
            int begin = remaining.length() - remaining.stripLeading().length();
            int end = remaining.lastIndexOf(' ', width);
            if (end < begin) {
                end = remaining.indexOf(' ', Math.max(width, begin));
            }
            if (end < 0) {
                break;
            }
            folded.append(remaining.substring(0, end).stripTrailing()).append('\n');
            remaining = indent + remaining.substring(end).strip();
        }
        return folded.append(remaining).toString();
    }

    /** Returns a word in its color. With colors, the word has sequences that {@link VisibleWriter} passes on. */
    public String show(Style style, String text) {
        return colours.map(all -> all.of(style.sequence()) + text + all.of(RESET))
                .orElse(text);
    }
}
