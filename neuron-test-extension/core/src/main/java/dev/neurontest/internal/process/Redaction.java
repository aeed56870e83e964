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
 * Masks secrets in texts that leave the machine: values of secret variables wherever they appear, tokens of a known shape, values
 * of names that look secret ({@code AWS_SECRET_ACCESS_KEY=…}, {@code "hfToken": "…"}, {@code --password …}), passwords in
 * addresses, and private keys. A name is judged by its words, to keep {@code max_tokens}, {@code eos_token} and a number per
 * {@code token} readable.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Redaction {

    static final String MASK = "***";

    /** What a value without quotes ends at. */
    static final String ENDS = " \t\r\n\"',;&)}]";

    /** A password may hold an {@code @} itself. A port and the tag of an image are none. */
    private static final Pattern ADDRESS =
            Pattern.compile("(://[^/\\s:@\"']*+:)(?![0-9]{1,5}+[?#])[^/\\s\"']+@(?!sha256:)");

    private static final Pattern ADDRESS_WITH_TOKEN =
            Pattern.compile("(?<!ssh|sftp)(://)[^/\\s:@\"'?#]{16,}+@(?!sha256:)");
    private static final Pattern ASSIGNMENT = Pattern.compile("-{0,2}(?<name>[A-Za-z_][\\w.-]*+)=(?=.)");
    private static final Pattern OPTION = Pattern.compile("--?[A-Za-z][\\w.-]*+");

    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();
    private static final List<String[]> WORDS = table("secret-words.txt");

    /** Every value that is a secret by its name has one of these near it. */
    private static final List<String> TRACES = List.copyOf(words("trace"));

    private Redaction() {}

    /** Reads a table of this package: lines of words between blanks. Streams would make the first test of a JVM slower. */
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

    /** Returns an expression of a table, compiled when it is needed first: most never are. */
    static Pattern pattern(String expression) {
        return PATTERNS.computeIfAbsent(expression, Pattern::compile);
    }

    /** Returns the words of a kind. */
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
     * Masks what looks secret.
     *
     * @param text any text; JSON stays JSON unless one of its texts itself looks like the name of a secret
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
     * Masks what looks secret in the arguments of a program, also where option and value are two arguments.
     *
     * @param arguments the program and what it gets
     * @return as many, with {@code ***} for each secret
     */
    public static List<String> mask(List<String> arguments) {
        List<String> masked = new ArrayList<>();
        ProgramArguments program = new ProgramArguments();
        String before = "";
        for (String argument : arguments) {
            String probe = before + " x";
            boolean isValue = OPTION.matcher(before).matches() && !mask(probe).equals(probe);
            masked.add(isValue ? MASK : maskArgument(program.masked(argument)));
            before = argument;
        }
        return masked;
    }

    /** Where an argument is a name and its value, the value may have blanks. */
    private static String maskArgument(String argument) {
        Matcher assignment = ASSIGNMENT.matcher(argument);
        return assignment.lookingAt()
                        && SecretNames.secretsOf(assignment.group("name")).test(argument.substring(assignment.end()))
                ? assignment.group() + MASK
                : mask(argument);
    }

    /** Masks what is a secret on its own, whatever is before it. */
    static String maskTokens(String line) {
        String masked = KnownSecrets.ofThisProcess().mask(line);
        if (line.indexOf('@') >= 0) {
            masked = ADDRESS.matcher(masked).replaceAll("$1" + MASK + "@");
            masked = ADDRESS_WITH_TOKEN.matcher(masked).replaceAll("$1" + MASK + "@");
        }
        return ProgramArguments.mask(TokenShapes.mask(masked));
    }

    /** Most lines of a flood name no secret, and the patterns are ten times slower. */
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

    /** The backslash belongs to the quote, which must stay a part of the JSON around it. */
    private static boolean isEscapedQuote(String text, int at) {
        return text.charAt(at) == '\\' && at + 1 < text.length() && text.charAt(at + 1) == '"';
    }
}
