package dev.neurontest.internal.report.show;

import org.apiguardian.api.API;

/**
 * The space limits of a view. These numbers alone decide about the omissions of a report.
 *
 * @param tests number of tests in full
 * @param rows number of further tests in one line each
 * @param lines number of lines of a part, and of rows of a table
 * @param messageLines number of lines of a message
 * @param changes number of tests of each kind in a comparison of two runs
 * @param characters number of characters of a message
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Limits(int tests, int rows, int lines, int messageLines, int changes, int characters) {

    /** Limits for one screen. */
    public static final Limits CONSOLE = new Limits(5, 0, 4, 12, 20, 360);

    /** Limits for the page of a CI job. */
    public static final Limits SUMMARY = new Limits(50, 200, 50, 50, 20, 8_000);

    /** Limits for a page that a browser opens in about a second. */
    public static final Limits PAGE = new Limits(200, 10_000, 100, 100, 100, Integer.MAX_VALUE);

    /** Returns limits for a text of half the size. */
    Limits half() {
        return new Limits(tests / 2, rows / 2, lines / 2, messageLines / 2, changes / 2, characters);
    }

    /**
     * Shortens a text.
     *
     * @param text text of any length
     * @param most maximum number of characters
     * @return the beginning of the text; a surrogate pair is not cut
     */
    public static String bounded(String text, int most) {
        return text.length() <= most
                ? text
                : text.substring(0, most - (Character.isHighSurrogate(text.charAt(most - 1)) ? 1 : 0)) + "\u2026";
    }
}
