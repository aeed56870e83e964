package dev.neurontest.internal.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * A filter that masks secrets in texts that leave the machine. These are values of secret variables in any place, tokens of a known shape,
 * passwords in addresses, private keys, and values of secret names ({@code AWS_SECRET_ACCESS_KEY=…}, {@code "hfToken": "…"},
 * {@code --password …}). The words of a name decide whether it is secret, to keep {@code max_tokens}, {@code eos_token} and a
 * number per {@code token} readable.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Redaction {

    static final String MASK = "***";

    /** The characters that end a value without quotes. */
    static final String ENDS = " \t\r\n\"',;&)}]";

    /** The pattern of an address with a password. A password may contain an {@code @}. A port and the tag of an image are no passwords. */
    private static final String ADDRESS = "(://[^/\\s:@\"']*+:)(?![0-9]{1,5}+[?#])[^/\\s\"']+@(?!sha256:)";

    private static final String ADDRESS_WITH_TOKEN = "(?<!ssh|sftp)(://)[^/\\s:@\"'?#]{16,}+@(?!sha256:)";
    private static final String ASSIGNMENT = "-{0,2}(?<name>[A-Za-z_][\\w.-]*+)=(?=.)";
    private static final String OPTION = "--?[A-Za-z][\\w.-]*+";

    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();
    private static final List<String[]> WORDS = table("secret-words.txt");

    /** Texts of secret names. Every value with a secret name has at least one of these near it. */
    private static final List<String> TRACES = List.copyOf(words("trace"));

    private Redaction() {}

    /** Reads a table of this package: lines of words separated by blanks. Streams would slow down the first test of a JVM. */
    static List<String[]> table(String resource) {
        List<String[]> rows = new ArrayList<>();
        try (InputStream table = Redaction.class.getResourceAsStream(resource)) {
            for (String line : new String(table.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (!line.isEmpty() && line.charAt(0) != '#') {
                    rows.add(line.split(" "));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    /** Returns a pattern. It is compiled at its first use, because most patterns are never used. */
    static Pattern pattern(String expression) {
        Pattern pattern = PATTERNS.get(expression);
        if (pattern == null) {
            pattern = Pattern.compile(expression);
            PATTERNS.put(expression, pattern);
        }
        return pattern;
    }

    static Set<String> words(String kind) {
        Set<String> words = new LinkedHashSet<>();
        for (String[] row : WORDS) {
            if (row[0].equals(kind)) {
                words.addAll(Arrays.asList(row).subList(1, row.length));
            }
        }
        return words;
    }

    /**
     * Masks texts that look secret.
     *
     * @param text any text; JSON stays valid unless a text in it resembles a secret name
     * @return the text with {@code ***} for each secret
     */
    public static String mask(String text) {
        StringBuilder masked = new StringBuilder(text.length());
        LineRedaction lines = new LineRedaction(Integer.MAX_VALUE);
        for (int start = 0; start < text.length(); ) {
            int end = text.indexOf('\n', start) + 1;
            end = end == 0 ? text.length() : end;
            masked.append(lines.mask(text.substring(start, end)));
            start = end;
        }
        return masked.toString();
    }

    /**
     * Masks texts that look secret in the arguments of a program, also if option and value are separate arguments.
     *
     * @param arguments the program and its arguments
     * @return the same number of arguments, with {@code ***} for each secret
     */
    public static List<String> mask(List<String> arguments) {
        List<String> masked = new ArrayList<>();
        ProgramArguments program = new ProgramArguments();
        String before = "";
        for (String argument : arguments) {
            String probe = before + " x";
            boolean isValue =
                    pattern(OPTION).matcher(before).matches() && !mask(probe).equals(probe);
            masked.add(isValue ? MASK : maskArgument(program.masked(argument)));
            before = argument;
        }
        return masked;
    }

    /** Masks an argument. If it is a name and a value, the value may contain blanks. */
    private static String maskArgument(String argument) {
        Matcher assignment = pattern(ASSIGNMENT).matcher(argument);
        return assignment.lookingAt()
                        && SecretNames.secretsOf(assignment.group("name")).test(argument.substring(assignment.end()))
                ? assignment.group() + MASK
                : mask(argument);
    }

    /** Masks secrets that are recognizable without a name. */
    static String maskTokens(String line) {
        String masked = KnownSecrets.ofThisProcess().mask(line);
        if (line.indexOf('@') >= 0) {
            masked = pattern(ADDRESS).matcher(masked).replaceAll("$1" + MASK + "@");
            masked = pattern(ADDRESS_WITH_TOKEN).matcher(masked).replaceAll("$1" + MASK + "@");
        }
        return ProgramArguments.mask(TokenShapes.mask(masked));
    }

    /**
     * Checks quickly whether a line might contain a secret name. In large outputs most lines have none, and the patterns are ten
     * times slower.
     */
    static boolean mayNameSecret(String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        for (String trace : TRACES) {
            if (lower.contains(trace)) {
                return true;
            }
        }
        return false;
    }

    static int quotedEnd(String text, int start, String quote) {
        int end = start;
        while (end < text.length() && text.charAt(end) != '\n' && !text.startsWith(quote, end)) {
            end += text.charAt(end) == '\\' && quote.length() == 1 ? 2 : 1;
        }
        return Math.min(end, text.length());
    }

    static int bareEnd(String text, int start, String ends) {
        int end = start;
        while (end < text.length() && ends.indexOf(text.charAt(end)) < 0 && !isEscapedQuote(text, end)) {
            end += text.startsWith("\\\\", end) ? 2 : 1;
        }
        return end;
    }

    /** Checks for an escaped quote. The backslash belongs to the quote, which must remain in the surrounding JSON. */
    private static boolean isEscapedQuote(String text, int at) {
        return text.charAt(at) == '\\' && at + 1 < text.length() && text.charAt(at + 1) == '"';
    }
}
