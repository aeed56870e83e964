package dev.neurontest.internal.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Text from outside, as a terminal, a log of CI or a page may show it. Characters that move the cursor, change its colour or turn the
 * direction of writing are shown as <code>&#92;u001b</code> instead of being sent. Where a CI server would read a command, one
 * character of it is shown so: <code>:&#92;u003aerror::</code>, <code>##&#92;u005berror]</code>. JSON that is shown so still means
 * the same.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class VisibleText {

    /**
     * The beginning of a command: for GitHub {@code ::} after blanks at the beginning of a line, and in older logs {@code ##[}
     * anywhere; for Azure Pipelines {@code ##vso[} and {@code ##[}, for TeamCity {@code ##teamcity[}, anywhere. A section of GitLab
     * needs control characters, which are shown anyway.
     */
    private static final String COMMAND = "^[\\s\\p{Z}&&[^\\n]]*+::|##(?i:vso|teamcity)?+\\[";

    private static final Pattern COMMAND_IN_LINE = Pattern.compile(COMMAND);
    private static final Pattern COMMAND_IN_LINES = Pattern.compile("(?md)" + COMMAND);

    private VisibleText() {}

    /**
     * Text of several lines.
     *
     * @param text with anything in it
     * @return the same; line feeds and tabs stay
     */
    public static String of(String text) {
        return shown("", text, true);
    }

    /**
     * Text that must not begin a new line.
     *
     * @param text with anything in it
     * @return one line
     */
    public static String line(String text) {
        return shown("", text, false);
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

    /**
     * The next part of a text that is sent in parts.
     *
     * @param begun the part of its line that was sent already
     * @param text with anything in it
     * @return the same; line feeds and tabs stay
     */
    public static String next(String begun, String text) {
        return shown(begun, text, true);
    }

    private static String shown(String begun, String text, boolean severalLines) {
        String harmless = withoutCommands(begun, text, severalLines ? COMMAND_IN_LINES : COMMAND_IN_LINE);
        if (harmless.codePoints().allMatch(each -> stays(each, severalLines))) {
            return harmless;
        }
        StringBuilder shown = new StringBuilder(harmless.length() + 16);
        (severalLines ? harmless.replace("\r\n", "\n") : harmless).codePoints().forEach(point -> {
            if (stays(point, severalLines)) {
                shown.appendCodePoint(point);
            } else {
                for (char each : Character.toChars(point)) {
                    shown.append(escaped(each));
                }
            }
        });
        return shown.toString();
    }

    private static String withoutCommands(String begun, String text, Pattern commands) {
        if (text.indexOf(':') < 0 && text.indexOf('[') < 0) {
            return text;
        }
        String all = begun + text;
        Matcher command = commands.matcher(all);
        StringBuilder harmless = null;
        int done = begun.length();
        while (command.find()) {
            int at = command.end() - 1;
            if (at >= begun.length()) {
                harmless = harmless == null ? new StringBuilder(text.length() + 16) : harmless;
                harmless.append(all, done, at).append(escaped(all.charAt(at)));
                done = at + 1;
            }
        }
        return harmless == null
                ? text
                : harmless.append(all, done, all.length()).toString();
    }

    private static String escaped(char character) {
        return "\\u%04x".formatted((int) character);
    }

    private static boolean stays(int point, boolean severalLines) {
        return isShown(point) || severalLines && (point == '\n' || point == '\t');
    }
}
