package dev.neurontest.text;

import org.apiguardian.api.API;

/**
 * Text from outside, as a terminal or a page may show it: what moves the cursor, changes its colour or turns the direction of writing
 * is shown as <code>&#92;u001b</code> instead of being sent. JSON that is shown so still means the same.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class VisibleText {

    private VisibleText() {}

    /**
     * Text of several lines.
     *
     * @param text with anything in it
     * @return the same; line feeds and tabs stay
     */
    public static String of(String text) {
        return shown(text, true);
    }

    /**
     * Text that must not begin a new line.
     *
     * @param text with anything in it
     * @return one line
     */
    public static String line(String text) {
        return shown(text, false);
    }

    /**
     * Whether a character only shows itself.
     *
     * @param point the character
     * @return false for control characters, those of C1 among them, for marks of direction and other formats, for half a character,
     *     and for what separates lines
     */
    public static boolean isShown(int point) {
        if (point < 0x7f) {
            return point >= ' ';
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static String shown(String text, boolean severalLines) {
        if (text.codePoints().allMatch(each -> stays(each, severalLines))) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        (severalLines ? text.replace("\r\n", "\n") : text).codePoints().forEach(point -> {
            if (stays(point, severalLines)) {
                shown.appendCodePoint(point);
            } else {
                for (char each : Character.toChars(point)) {
                    shown.append("\\u%04x".formatted((int) each));
                }
            }
        });
        return shown.toString();
    }

    private static boolean stays(int point, boolean severalLines) {
        return isShown(point) || severalLines && (point == '\n' || point == '\t');
    }
}
