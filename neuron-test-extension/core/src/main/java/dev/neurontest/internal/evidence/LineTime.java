package dev.neurontest.internal.evidence;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Parser of the times of lines. It reads the format of {@link Instant#toString} digit by digit, because the standard parser took
 * more time than all other parts of a line.
 */
final class LineTime {

    private static final String SHAPE = "0000-00-00T00:00:00";
    private static final int NANO_DIGITS = 9;

    private LineTime() {}

    /**
     * Parses a time.
     *
     * @throws DateTimeException if the text is malformed
     */
    static Instant parse(String text) {
        int end = text.length() - 1;
        int fraction = SHAPE.length();
        boolean whole = end == fraction;
        boolean plain = end >= fraction
                && end - fraction <= NANO_DIGITS + 1
                && text.charAt(end) == 'Z'
                && (whole || text.charAt(fraction) == '.' && end > fraction + 1 && digits(text, fraction + 1, end))
                && isInShape(text);
        if (!plain || number(text, 11, 13) > 23 || number(text, 17, 19) > 59) {
            return Instant.parse(text);
        }
        LocalDateTime second = LocalDateTime.of(
                number(text, 0, 4),
                number(text, 5, 7),
                number(text, 8, 10),
                number(text, 11, 13),
                number(text, 14, 16),
                number(text, 17, 19));
        int nanos = whole ? 0 : number(text, fraction + 1, end);
        for (int digit = whole ? NANO_DIGITS : end - fraction - 1; digit < NANO_DIGITS; digit++) {
            nanos *= 10;
        }
        return Instant.ofEpochSecond(second.toEpochSecond(ZoneOffset.UTC), nanos);
    }

    private static boolean isInShape(String text) {
        for (int at = 0; at < SHAPE.length(); at++) {
            boolean digit = SHAPE.charAt(at) == '0';
            if (digit ? !digits(text, at, at + 1) : text.charAt(at) != SHAPE.charAt(at)) {
                return false;
            }
        }
        return true;
    }

    private static boolean digits(String text, int from, int to) {
        for (int at = from; at < to; at++) {
            if (text.charAt(at) < '0' || text.charAt(at) > '9') {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }
}
