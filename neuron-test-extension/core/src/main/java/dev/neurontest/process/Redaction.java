package dev.neurontest.process;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Masks secrets in texts that leave the machine: the values of keys that look secret ({@code AWS_SECRET_ACCESS_KEY=…},
 * {@code "hfToken": "…"}, {@code --password …}), bearer tokens, passwords in addresses, and private keys. A key is
 * judged by its words, so {@code max_tokens}, {@code eos_token} and a number per {@code token} stay readable.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Redaction {

    static final String MASK = "***";

    /** What a value without quotes ends at. */
    static final String ENDS = " \t\r\n\"',;&)}]";

    /** A key and what separates it from its value: {@code =}, {@code :}, {@code ": }, for an option also space or comma. */
    private static final Pattern KEY = Pattern.compile("(?<![\\w.-])(?:"
            + "-{1,2}(?<option>[A-Za-z][\\w.-]*+)(?:\\\\?[\"'])?+[ \\t]*+[=:,]?+[ \\t]*+"
            + "|(?<name>[A-Za-z_][\\w.-]*+)(?<quote>(?:\\\\?[\"'])?+)[ \\t]*+[=:][ \\t]*+)");

    private static final Pattern BEARER = Pattern.compile("(?i)\\b(Bearer)[ \\t]++[\\w.~+/=-]{16,}+");
    /** A password may hold an {@code @} itself. */
    private static final Pattern ADDRESS = Pattern.compile("(://[^/\\s:@\"']*+:)[^/\\s\"']+@");

    private static final Pattern ADDRESS_WITH_TOKEN = Pattern.compile("(://)[^/\\s:@\"']{16,}+@");
    private static final Pattern ASSIGNMENT = Pattern.compile("-{0,2}(?<name>[A-Za-z_][\\w.-]*+)=(?=.)");
    private static final Pattern OPTION = Pattern.compile("--?[A-Za-z][\\w.-]*+");

    /** Every secret has one of these near it, or is a token of a known shape or an argument of a known program. */
    private static final List<String> TRACES = List.of(
            "key",
            "token",
            "secret",
            "pass",
            "pwd",
            "credential",
            "authorization",
            "auth\"",
            "auth'",
            "auth=",
            "auth:",
            "cookie",
            "bearer",
            "_pat",
            "sig=",
            "signature",
            "sas=",
            "hmac=",
            "jwt=",
            "code=");

    private static final String QUERY_IN_JSON = "u0026";

    private Redaction() {}

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
                        && SecretNames.secretsOf(assignment.group("name"), SecretNames.Place.ASSIGNMENT)
                                .test(argument.substring(assignment.end()))
                ? assignment.group() + MASK
                : mask(argument);
    }

    /**
     * A line, and the brackets of a secret value that it leaves open.
     */
    record MaskedLine(String text, BracketedValue open) {}

    static MaskedLine maskLine(String line) {
        if (!mayHoldSecret(line)) {
            return new MaskedLine(line, BracketedValue.CLOSED);
        }
        String masked = ADDRESS.matcher(line).replaceAll("$1" + MASK + "@");
        masked = ADDRESS_WITH_TOKEN.matcher(masked).replaceAll("$1" + MASK + "@");
        masked = BEARER.matcher(masked).replaceAll("$1 " + MASK);
        return values(ProgramArguments.mask(TokenShapes.mask(masked)));
    }

    /** Most lines of a flood hold none of these, and the patterns are ten times slower. */
    private static boolean mayHoldSecret(String line) {
        if (line.isBlank()) {
            return false;
        }
        if (line.indexOf('@') >= 0) {
            return true;
        }
        String lower = line.toLowerCase(Locale.ROOT);
        return holdsOne(lower, TRACES) || holdsOne(lower, TokenShapes.TRACES) || ProgramArguments.mayBeIn(line);
    }

    private static boolean holdsOne(String line, Collection<String> traces) {
        for (String trace : traces) {
            if (line.contains(trace)) {
                return true;
            }
        }
        return false;
    }

    private static MaskedLine values(String text) {
        StringBuilder masked = new StringBuilder(text.length());
        Matcher key = KEY.matcher(text);
        BracketedValue open = BracketedValue.CLOSED;
        int done = 0;
        while (key.find(done)) {
            String name = key.group("name") == null ? key.group("option") : key.group("name");
            name = name.startsWith(QUERY_IN_JSON) ? name.substring(QUERY_IN_JSON.length()) : name;
            masked.append(text, done, key.end());
            done = key.end();
            Predicate<String> secrets = SecretNames.secretsOf(name, place(text, key));
            if (secrets == SecretNames.NEVER) {
                continue;
            }
            String quote = quoteAt(text, done);
            int start = done + quote.length();
            String ends = endsOf(name);
            int end = quote.isEmpty() ? bareEnd(text, start, ends) : quotedEnd(text, start, quote);
            // A header goes on behind its brackets.
            boolean header = !ends.equals(ENDS) && !"\"".equals(key.group("quote"));
            if (quote.isEmpty() && !header && BracketedValue.startAt(text, start)) {
                BracketedValue value = BracketedValue.CLOSED.read(text, start);
                end = value.end();
                open = value;
            }
            if (end > start && secrets.test(text.substring(start, end))) {
                boolean json = quote.isEmpty() && "\"".equals(key.group("quote"));
                masked.append(quote).append(json ? '"' + MASK + '"' : MASK);
                done = end;
            }
        }
        return new MaskedLine(masked.append(text, done, text.length()).toString(), open);
    }

    private static SecretNames.Place place(String text, Matcher key) {
        int start = key.start();
        char before = start == 0 ? ' ' : text.charAt(start - 1);
        boolean escaped = before == '\\' && text.startsWith(QUERY_IN_JSON, start);
        if (before == '?' || before == '&' || escaped) {
            return SecretNames.Place.QUERY;
        }
        boolean assigned = key.group("option") != null
                || !key.group("quote").isEmpty()
                || text.substring(key.end("quote"), key.end()).contains("=");
        return assigned ? SecretNames.Place.ASSIGNMENT : SecretNames.Place.LABEL;
    }

    private static String quoteAt(String text, int start) {
        for (String quote : List.of("\\\"", "\\'", "\"", "'")) {
            if (text.startsWith(quote, start)) {
                return quote;
            }
        }
        return "";
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

    private static String endsOf(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        return lower.endsWith("authorization") || lower.endsWith("cookie") ? "\r\n\"'" : ENDS;
    }

    /** The backslash belongs to the quote, which must stay a part of the JSON around it. */
    private static boolean isEscapedQuote(String text, int at) {
        return text.charAt(at) == '\\' && at + 1 < text.length() && text.charAt(at + 1) == '"';
    }
}
