package dev.neurontest.fake.internal.help;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Text from outside in a form that is safe for a terminal or a CI log. Characters that move the cursor, set colors or change the direction
 * of writing are escaped. The commands of a CI server are escaped too.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class VisibleText {

    /** Pattern of CI commands: those of GitHub at the beginning of a line, and those of Azure Pipelines and TeamCity anywhere. */
    private static final Pattern COMMAND =
            Pattern.compile("(?md)(^[\\s\\p{Z}&&[^\\n]]*+:(?=:)|##(?i:vso|teamcity)?+(?=\\[))(.)");

    private VisibleText() {}

    /**
     * Escapes the characters that a terminal would not show, and one character of each CI command.
     *
     * @param text any text
     * @return the text with escapes such as <code>&#92;u001b</code>; line feeds and tabs are kept
     */
    public static String of(String text) {
        return shown(withoutCommands(text));
    }

    private static String withoutCommands(String text) {
        return COMMAND.matcher(text)
                .replaceAll(command -> Matcher.quoteReplacement(
                        command.group(1) + escaped(command.group(2).charAt(0))));
    }

    private static String escaped(char character) {
        return "\\u" + Integer.toHexString(0x10000 + character).substring(1);
    }

    private static String shown(String text) {
        if (text.codePoints().allMatch(VisibleText::isShown)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> {
            if (isShown(point)) {
                shown.appendCodePoint(point);
            } else {
                for (char each : Character.toChars(point)) {
                    shown.append(escaped(each));
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
