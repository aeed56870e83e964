package dev.neurontest.internal.report.show;

import org.apiguardian.api.API;

/**
 * The space that a view has. What a report leaves out is decided by these numbers alone.
 *
 * @param tests tests in full
 * @param rows further tests in one line each
 * @param lines lines of a part, and rows of a table
 * @param changes tests of each kind in a comparison of two runs
 * @param characters characters of a message
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Limits(int tests, int rows, int lines, int changes, int characters) {

    /** One screen. */
    public static final Limits CONSOLE = new Limits(5, 0, 4, 20, 360);

    /** The page of a CI job. */
    public static final Limits SUMMARY = new Limits(50, 200, 50, 20, 8_000);

    /** A page that a browser opens in about a second. */
    public static final Limits PAGE = new Limits(200, 10_000, 100, 100, Integer.MAX_VALUE);

    /** Returns limits for a text of half the size. */
    Limits half() {
        return new Limits(tests / 2, rows / 2, lines / 2, changes / 2, characters);
    }

    /**
     * Cuts a text.
     *
     * @param text of any length
     * @param most characters of it
     * @return its beginning, without half a character at its end
     */
    public static String bounded(String text, int most) {
        return text.length() <= most
                ? text
                : text.substring(0, most - (Character.isHighSurrogate(text.charAt(most - 1)) ? 1 : 0)) + "\u2026";
    }
}
