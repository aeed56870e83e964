package dev.neurontest.process;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

    /** A key and what separates it from its value: {@code =}, {@code :}, {@code ": }, for an option also space or comma. */
    private static final Pattern KEY = Pattern.compile("(?<![\\w.-])(?:"
            + "--(?<option>[A-Za-z][\\w.-]*+)(?:\\\\?[\"'])?+[ \\t]*+[=:,]?+[ \\t]*+"
            + "|(?<name>[A-Za-z_][\\w.-]*+)(?<quote>(?:\\\\?[\"'])?+)[ \\t]*+[=:][ \\t]*+)");

    private static final Pattern BEARER = Pattern.compile("(?i)\\b(Bearer)[ \\t]++[\\w.~+/=-]{16,}+");
    private static final Pattern ADDRESS = Pattern.compile("(://[^/\\s:@\"']*+:)[^/\\s@\"']++@");
    private static final Pattern OPTION = Pattern.compile("--[A-Za-z][\\w.-]*+");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9.]++(?:e[+-]?[0-9]++)?+");
    private static final Pattern WORDS = Pattern.compile("[_.-]+|(?<=[a-z0-9])(?=[A-Z])");

    private static final Set<String> SECRET = Set.of(
            "password",
            "passwd",
            "passphrase",
            "secret",
            "secrets",
            "credential",
            "credentials",
            "apikey",
            "authorization",
            "cookie");
    /** What every secret key, bearer token and password in an address has in it. */
    private static final List<String> TRACES = List.of(
            "key", "token", "secret", "passw", "passphrase", "pwd", "credential", "authorization", "cookie", "bearer");

    private static final Set<String> WHOLE_LINE = Set.of("authorization", "cookie");
    private static final Set<String> BEFORE_KEY =
            Set.of("access", "api", "private", "secret", "signing", "encryption", "ssh", "auth", "account");
    /** Language models have tokens too. */
    private static final Set<String> NOT_BEFORE_TOKEN =
            Set.of("bos", "eos", "pad", "unk", "sep", "cls", "mask", "next", "stop", "special", "per");

    private Redaction() {}

    /**
     * Masks what looks secret.
     *
     * @param text any text, also JSON: it stays JSON
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
        String before = "";
        for (String argument : arguments) {
            String probe = before + " x";
            boolean isValue = OPTION.matcher(before).matches() && !mask(probe).equals(probe);
            masked.add(isValue ? MASK : mask(argument));
            before = argument;
        }
        return masked;
    }

    /**
     * A line, and the brackets of a secret value that it leaves open.
     */
    record MaskedLine(String text, Brackets open) {}

    static MaskedLine maskLine(String line) {
        if (!mayHoldSecret(line)) {
            return new MaskedLine(line, Brackets.CLOSED);
        }
        String masked = ADDRESS.matcher(line).replaceAll("$1" + MASK + "@");
        masked = BEARER.matcher(masked).replaceAll("$1 " + MASK);
        return values(masked);
    }

    /** Most lines of a flood hold none of these, and the patterns are ten times slower. */
    private static boolean mayHoldSecret(String line) {
        if (line.indexOf('@') >= 0) {
            return true;
        }
        String lower = line.toLowerCase(Locale.ROOT);
        for (String trace : TRACES) {
            if (lower.contains(trace)) {
                return true;
            }
        }
        return false;
    }

    private static MaskedLine values(String text) {
        StringBuilder masked = new StringBuilder(text.length());
        Matcher key = KEY.matcher(text);
        Brackets open = Brackets.CLOSED;
        int done = 0;
        while (key.find(done)) {
            String name = key.group("name") == null ? key.group("option") : key.group("name");
            masked.append(text, done, key.end());
            done = key.end();
            if (!isSecret(name)) {
                continue;
            }
            String quote = quoteAt(text, done);
            int start = done + quote.length();
            int end = quote.isEmpty() ? bareEnd(text, start, name) : quotedEnd(text, start, quote);
            if (quote.isEmpty() && Brackets.startAt(text, start)) {
                Brackets value = Brackets.CLOSED.read(text, start);
                end = value.end();
                open = value;
            }
            if (end > start && !isCount(name, text.substring(start, end))) {
                boolean json = quote.isEmpty() && "\"".equals(key.group("quote"));
                masked.append(quote).append(json ? '"' + MASK + '"' : MASK);
                done = end;
            }
        }
        return new MaskedLine(masked.append(text, done, text.length()).toString(), open);
    }

    private static boolean isSecret(String key) {
        List<String> words = Arrays.stream(WORDS.split(key))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
        for (int index = 0; index < words.size(); index++) {
            String word = words.get(index);
            String before = index == 0 ? "" : words.get(index - 1);
            boolean last = index == words.size() - 1;
            if (SECRET.contains(word)
                    || word.equals("key") && BEFORE_KEY.contains(before)
                    || word.equals("token") && last && !NOT_BEFORE_TOKEN.contains(before)
                    || word.equals("pwd") && index > 0 && last) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCount(String key, String value) {
        return key.toLowerCase(Locale.ROOT).endsWith("token")
                && NUMBER.matcher(value).matches();
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

    private static int bareEnd(String text, int start, String key) {
        String ends = WHOLE_LINE.contains(key.toLowerCase(Locale.ROOT)) ? "\r\n\"'" : " \t\r\n\"',;&)}]";
        int end = start;
        while (end < text.length() && ends.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }
}
