package dev.neurontest.process;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks a text line by line, where a secret may go on for several lines: a private key, or a secret value in brackets. What is
 * masked of such a secret takes its lines with it. A secret that never ends is given up after some lines, so that it does not
 * take the rest of a log; a line that was cut may have lost the end.
 */
final class LineRedaction {

    /** The largest keys in use have about 200 lines. */
    static final int LINES_OF_A_SECRET = 500;

    private static final Pattern KEY_BEGIN = Pattern.compile("-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----");
    private static final String KEY_END = "-----END";

    private final int linesOfASecret;
    private boolean insideKey;
    private BracketedValue bracketed = BracketedValue.CLOSED;
    private int lines;

    LineRedaction(int linesOfASecret) {
        this.linesOfASecret = linesOfASecret;
    }

    /**
     * Masks the next line.
     *
     * @param line with its end, if it has one
     * @return what may be shown of it
     */
    String mask(String line) {
        if ((insideKey || bracketed.isOpen()) && ++lines > linesOfASecret) {
            insideKey = false;
            bracketed = BracketedValue.CLOSED;
        }
        int start = 0;
        if (insideKey) {
            start = line.indexOf(KEY_END);
            insideKey = start < 0;
            if (insideKey) {
                return "";
            }
        }
        if (bracketed.isOpen()) {
            bracketed = bracketed.read(line, start);
            if (bracketed.isOpen()) {
                return "";
            }
            start = bracketed.end();
        }
        Redaction.MaskedLine masked = Redaction.maskLine(withoutKeys(line.substring(start)));
        bracketed = masked.open();
        lines = 0;
        return masked.text();
    }

    /** A key with something behind its first line, such as one in JSON, has no further lines. */
    private String withoutKeys(String line) {
        if (!line.contains("-----BEGIN")) {
            return line;
        }
        StringBuilder masked = new StringBuilder(line.length());
        Matcher begin = KEY_BEGIN.matcher(line);
        int lastEnd = line.lastIndexOf(KEY_END);
        int at = 0;
        while (begin.find(at)) {
            masked.append(line, at, begin.end()).append(Redaction.MASK);
            at = begin.end();
            insideKey = isBlank(line, at);
            if (insideKey) {
                return masked.toString();
            }
            if (at <= lastEnd) {
                at = line.indexOf(KEY_END, at);
            } else {
                at = Redaction.bareEnd(line, at, "\"\n");
            }
        }
        return masked.append(line, at, line.length()).toString();
    }

    private static boolean isBlank(String line, int start) {
        int at = start;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at == line.length();
    }
}
