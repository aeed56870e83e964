package dev.neurontest.internal.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * External text in a form that is safe for terminals, CI logs and pages. Characters that move the cursor, change its colour or change the
 * direction of writing are replaced with visible escapes such as <code>&#92;u001b</code>. Text that a CI server would read as a command
 * gets one escaped character: <code>:&#92;u003aerror::</code>, <code>##&#92;u005berror]</code>. Escaped JSON keeps its meaning.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class VisibleText {

    /**
     * Beginning of a command of a CI server. GitHub: {@code ::} after blanks at the beginning of a line, and in older logs {@code ##[}
     * anywhere. Azure Pipelines: {@code ##vso[} and {@code ##[} anywhere. TeamCity: {@code ##teamcity[} anywhere. A section of GitLab needs
     * control characters, which are escaped anyway.
     */
    private static final String COMMAND = "^[\\s\\p{Z}&&[^\\n]]*+::|##(?i:vso|teamcity)?+\\[";

    private static final Pattern COMMAND_IN_LINE = Pattern.compile(COMMAND);
    private static final Pattern COMMAND_IN_LINES = Pattern.compile("(?md)" + COMMAND);

    private VisibleText() {}

    /** Escapes text of several lines; line feeds and tabs remain. */
    public static String of(String text) {
        return shown("", text, true);
    }

    /** Escapes text that must remain on one line. */
    public static String line(String text) {
        return shown("", text, false);
    }

    /**
     * Checks whether a character is printable.
     *
     * @return false for control characters (including those of C1), marks of direction and other formats, unpaired surrogates, and line
     *     separators
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
     * Escapes the next part of a text that is sent in parts; line feeds and tabs remain.
     *
     * @param begun the already sent part of the line
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
