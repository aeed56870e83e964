package dev.neurontest.fake.help;

import org.apiguardian.api.API;

/** Text from outside as a terminal shows it. What moves the cursor, sets colours or turns the direction of writing is escaped. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class VisibleText {

    private VisibleText() {}

    /**
     * Escapes what a terminal would not show as a character.
     *
     * @param text with anything in it
     * @return the same with escapes such as <code>&#92;u001b</code>; line feeds and tabs stay
     */
    public static String of(String text) {
        if (text.codePoints().allMatch(VisibleText::isShown)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> {
            if (isShown(point)) {
                shown.appendCodePoint(point);
            } else {
                for (char each : Character.toChars(point)) {
                    shown.append("\\u")
                            .append(Integer.toHexString(0x10000 + each).substring(1));
                }
            }
        });
        return shown.toString();
    }

    private static boolean isShown(int point) {
        if (point < 0x7f) {
            return point >= ' ' || point == '\n' || point == '\t';
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
}
