package dev.neurontest.internal.process;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A filter that masks the values of secret names, line by line: {@code NAME=…}, {@code "name": "…"}, {@code --name …},
 * {@code environ["NAME"] = "…"}, {@code put("NAME", "…")}, {@code <name>…</name>}, {@code set NAME …}, and pairs such as
 * {@code name: NAME, value: …}, where the value may be in a later line.
 */
final class NamedValues {

    private static final String NAME = "[A-Za-z_][\\w.-]*+";
    private static final String TYPE = "(?::[ \\t]*+)?+(?:Optional\\[)?+&?+(?:str|bytes|[Ss]tring|SecretStr|Any)\\]?+"
            + "(?:[ \\t]*+\\|[ \\t]*+None)?+\\??+[ \\t]*+=(?=[ \\t]*+[rbfuRBFU]{0,2}+[\"'`])";

    /** The pattern of a name and the separator before its value. */
    private static final Pattern KEY = Pattern.compile("(?:(?<![\\w.-])|(?<=\\)\\.))(?:"
            + "-{1,2}(?<option>[A-Za-z][\\w.-]*+)(?:\\\\?[\"'])?+[ \\t]*+[=:,]?+[ \\t]*+"
            + "|(?:set|SET|setx|SETX|setenv|ENV)[ \\t]++(?:-[A-Za-z]++[ \\t]++)*+(?://[^\\s:]*+:)?+(?<set>\\w++)[ \\t]++(?![=\\s])"
            + "|login[ \\t]++[^\\s:=]++[ \\t]++(?<login>password)[ \\t]++"
            + "|(?<=[<:])(?<tag>" + NAME + ")>(?=[^<\\s])"
            + "|(?<=\\(\\\\?[\"'])(?<argument>" + NAME + ")\\\\?[\"'][ \\t]*+,[ \\t]*+(?=[rbfuRBFU]?+\\\\?[\"'])"
            + "|(?:key|name)=[\"'](?<entry>" + NAME + ")[\"']>(?=[^<\\s])"
            + "|(?<name>" + NAME + ")(?<quote>(?:\\\\?[\"']\\]?+)?+)[ \\t]*+"
            + "(?:" + TYPE + "|:=|=>|[=!]==?+|[=:]|\\((?=[rbfuRBFU]?+\\\\?[\"']))[ \\t]*+)");

    /** The pattern of a method with a secret argument, such as {@code .password("…")} or {@code setApiKey("…")}. */
    private static final Pattern CALLED =
            Pattern.compile("(?i)(?:.*\\.|(?:.*\\.)?(?=set|with))(?<what>(?!secret$)(?:set_?|with_?)?"
                    + "(?:(?:user|db|access|api|secret|auth|client|session|refresh|hf|bearer|private)_?){0,3}"
                    + "(?:password|passphrase|token|key|secret))");

    /** The pattern of the text before the quote of a value, or before a value in YAML and of OpenSSL. */
    private static final Pattern BEFORE_VALUE = Pattern.compile("!(?:secret|vault|!str|!binary)[ \\t]++|pass:(?=.)"
            + "|(?:(?:new[ \\t]++)?+(?:(?:Secret|Password|Token|String)\\w*+(?:(?:::|\\.)(?:from|of|new))?+|str|bytes)\\()?+"
            + "[rbfuRBFU]{0,2}+(?=\\\\?[\"'`])");

    private static final List<String> GROUPS = List.of("name", "option", "set", "login", "tag", "entry", "argument");

    private static final String END = "(?=[\\s\"'`,;)}\\]]|$)";
    /** The pattern of a value that refers to the place of a secret. */
    private static final Pattern REFERENCE = Pattern.compile("\\*{3}|%[sdr](?:" + END
            + "|\\\\)|arn:aws|(?:~|/(?:root|home|etc|run|var|tmp|opt|usr|mnt|Users))/[\\w./@+-]*+" + END
            + "|\\$[({]|\\$(?:env:)?[A-Z_]++" + END + "|%[A-Z_]++%|\\{\\{|<[A-Za-z_ -]++>" + END);

    private static final Pattern CODE = Pattern.compile(
            "(?i:none|\\(none|null|nil|true|false|undefined|unset|not|missing|invalid|expired|required|yes|no|on|off|set|present|hidden|redacted|empty|loaded|found|ok|str|string|bytes"
                    + "|int|float|bool|list|dict|tuple|[a-z_.]*tensor)"
                    + END
                    + "|lambda[ :]|(?:tensor|array|(?:np|jnp|numpy|torch)\\.\\w++)\\("
                    + "|(?:Optional|List|Union|Sequence|Dict|Tuple)\\["
                    + "|(?:self|this|cls|var|local|data|module|args|config|cfg|settings|options|os|env|process|getpass|secrets)\\.[A-Za-z_]"
                    + "|:|new |[A-Z]\\w*+\\.[A-Z_]{2,}+" + END
                    + "|[A-Za-z_]++(?:\\.[A-Za-z_]++)*+(?:\\[[\"']|\\((?:[\"')]|[A-Za-z_.]++[(),\\[]))");

    private static final Set<String> NAME_OF_PAIR = Set.of("name", "key", "parameterkey", "variable", "header");
    private static final Set<String> VALUE_OF_PAIR = Set.of("value", "parametervalue", "plaintext");
    private static final Pattern NAME_BEHIND =
            Pattern.compile("\\b(?i:name|key)\\\\?[\"']?+[ \\t]*+[=:][ \\t]*+\\\\?[\"']?+(?<name>" + NAME + ")");
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][\\w.-]*+(?=\\\\?[\"']|[\\s,}]|$)");
    private static final int LONGEST_PAIR = 300;
    private static final int LONGEST_NAME = 200;
    private static final int LINES_OF_A_PAIR = 3;

    private static final Pattern LOGIN_LINE = Pattern.compile("\\s*+login[ \\t]++\\S++\\s*+");
    private static final Pattern PASSWORD_LINE = Pattern.compile("(\\s*+password[ \\t]++)\\S++(\\s*+)");
    /** The pattern of further code, with blanks around the equals sign. */
    private static final Pattern SPACED_CODE = Pattern.compile("\\([A-Za-z_][\\w.]*+ [=!<>]=? "
            + "|[A-Za-z_]\\w*+(?:\\.[A-Za-z_]\\w*+)*+\\[[\\w:, .+*-]*+\\]"
            + "|[A-Z][A-Za-z]++(?:\\.[A-Z][A-Za-z]++)++" + END);

    /** The pattern of the text after an option in its declaration by a program. */
    private static final Pattern OTHER_ARGUMENT = Pattern.compile(
            "(?:-[A-Za-z]|--[a-z-]++)\"|(?:type|help|default|required|action|dest|nargs|const|choices|metavar|is_flag|envvar|prompt)=");

    private static final Pattern SAMPLED = Pattern.compile(
            "\\\\?[\"']?+[ \\t]*+,?+[ \\t]*+\\\\?[\"']?+(?:logprob|log_prob|prob|score|rank)\\\\?[\"']?+[ \\t]*+[:=]");
    private static final String LOGIN = "login(";
    private static final String QUERY_IN_JSON = "u0026";
    private static final List<String> QUOTES = List.of("\"\"\"", "'''", "\\\"", "\\'", "\"", "'", "`");

    private Predicate<String> paired = SecretNames.NEVER;
    private int linesOfPair;
    private boolean login;
    private @Nullable Brackets open;
    private String text = "";
    private String ends = "";
    private int bareFrom;
    private int bareTo = -1;

    /** A secret value in brackets, which may continue in later lines. Brackets in double quotes are text. */
    private static final class Brackets implements LineRedaction.Rest {

        private int depth;

        @Override
        public int end(String text) {
            return end(text, 0);
        }

        int end(String text, int start) {
            for (int at = start; at < text.length(); at++) {
                switch (text.charAt(at)) {
                    case '"' -> at = Redaction.quotedEnd(text, at + 1, "\"");
                    case '[', '{' -> depth++;
                    case ']', '}' -> depth--;
                    default -> {}
                }
                if (depth == 0) {
                    return Redaction.bareEnd(text, at + 1, Redaction.ENDS);
                }
            }
            return GOES_ON;
        }
    }

    /** Checks whether a line may contain the value of a name in an earlier line. */
    boolean isOpen() {
        return paired != SecretNames.NEVER || login;
    }

    /** Returns the brackets of a secret value that are still open after the last line; null if there are none. */
    LineRedaction.@Nullable Rest rest() {
        return open;
    }

    String mask(String line) {
        text = line;
        bareTo = -1;
        open = null;
        if (++linesOfPair > LINES_OF_A_PAIR) {
            paired = SecretNames.NEVER;
        }
        Matcher password = PASSWORD_LINE.matcher(text);
        if (login && password.matches()) {
            login = false;
            return password.group(1) + Redaction.MASK + password.group(2);
        }
        login = LOGIN_LINE.matcher(text).matches();
        StringBuilder masked = new StringBuilder(text.length());
        Matcher key = KEY.matcher(text);
        int done = 0;
        while (key.find(done)) {
            String name = name(key);
            done = maskValue(name, key, masked, done);
        }
        return masked.append(text, done, text.length()).toString();
    }

    /** Appends the text up to the end of a name and of its value, and returns the position of that end. */
    private int maskValue(String name, Matcher key, StringBuilder masked, int done) {
        masked.append(text, done, key.end());
        Predicate<String> secrets = secrets(key, name);
        if (secrets == SecretNames.NEVER) {
            return key.end();
        }
        Matcher before = BEFORE_VALUE.matcher(text).region(key.end(), text.length());
        int begin = before.lookingAt() ? before.end() : key.end();
        masked.append(text, key.end(), begin);
        String quote = quoteAt(begin);
        int start = begin + quote.length();
        if (quote.isEmpty() && isCompared(key) || isReference(start, quote, name, key)) {
            return begin;
        }
        String terminators = endsOf(name, key);
        int end = end(start, quote, terminators);
        boolean json = quote.isEmpty() && "\"".equals(key.group("quote"));
        Brackets goesOn = null;
        // A header continues after its brackets.
        if (quote.isEmpty()
                && (terminators.equals(Redaction.ENDS) || json)
                && (text.startsWith("[", start) || text.startsWith("{", start))) {
            Brackets brackets = new Brackets();
            end = brackets.end(text, start);
            goesOn = end == LineRedaction.Rest.GOES_ON ? brackets : null;
            end = goesOn == null ? end : text.length();
        }
        if (end > start
                && secrets.test(text.substring(start, end))
                && !(name.equals("token") && begins(SAMPLED, end))) {
            masked.append(quote).append(json ? '"' + Redaction.MASK + '"' : Redaction.MASK);
            open = goesOn;
            return end;
        }
        return begin;
    }

    /** Returns the end of a value. A long value without quotes is scanned once, not again for each name in it. */
    private int end(int start, String quote, String terminators) {
        if (!quote.isEmpty()) {
            return Redaction.quotedEnd(text, start, quote);
        }
        if (start < bareFrom || start > bareTo || !terminators.equals(ends)) {
            bareFrom = start;
            bareTo = Redaction.bareEnd(text, start, terminators);
            ends = terminators;
        }
        return bareTo;
    }

    private boolean begins(Pattern pattern, int at) {
        return pattern.matcher(text).region(at, text.length()).lookingAt();
    }

    private Predicate<String> secrets(Matcher key, String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        Predicate<String> secrets = paired;
        if (NAME_OF_PAIR.contains(lower) && key.group("name") != null) {
            pair(nameAt(key.end()));
        } else if (VALUE_OF_PAIR.contains(lower)) {
            paired = SecretNames.NEVER;
            return secrets == SecretNames.NEVER ? pairedBehind(key.end()) : secrets;
        }
        if (key.group("name") != null && text.charAt(key.end() - 1) == '(') {
            Matcher called = CALLED.matcher((text.startsWith(")", key.start() - 2) ? "." : "") + name);
            return called.matches() ? SecretNames.secretsOf(called.group("what")) : SecretNames.NEVER;
        }
        if (lower.equals("key") && text.startsWith(LOGIN, key.start() - LOGIN.length())) {
            return SecretNames.secretsOf("api_key");
        }
        String plain = name.startsWith(QUERY_IN_JSON) ? name.substring(QUERY_IN_JSON.length()) : name;
        if (lower.equals("token")
                && SecretNames.secretsOf(wordBefore(key.start()).toLowerCase(Locale.ROOT) + "_token")
                        == SecretNames.NEVER) {
            return SecretNames.NEVER;
        }
        boolean described = key.group("set") != null && plain.indexOf('_') < 0
                || key.group("argument") != null && isNameOfList(key.end());
        return described ? SecretNames.NEVER : SecretNames.secretsOf(plain, place(key));
    }

    private String wordBefore(int end) {
        if (end == 0 || " -/".indexOf(text.charAt(end - 1)) < 0) {
            return "";
        }
        int start = end - 1;
        while (start > 0 && Character.isLetterOrDigit(text.charAt(start - 1))) {
            start--;
        }
        return text.substring(start, end - 1);
    }

    /** Stores the name of a pair for its value. */
    private void pair(String name) {
        paired = SecretNames.secretsOf(name);
        linesOfPair = 0;
    }

    private Predicate<String> pairedBehind(int start) {
        String behind = text.substring(start, Math.min(text.length(), start + LONGEST_PAIR));
        Matcher name = NAME_BEHIND.matcher(behind.split("}", 2)[0]);
        return name.find() ? SecretNames.secretsOf(name.group("name")) : SecretNames.NEVER;
    }

    /** Returns the name at a position; an empty text if there is none. */
    private String nameAt(int start) {
        Matcher name = PLAIN_NAME.matcher(text).region(start + quoteAt(start).length(), text.length());
        return name.lookingAt() ? name.group() : "";
    }

    /** Checks whether the second argument is a secret name like the first. Then both are elements of a list of names. */
    private boolean isNameOfList(int start) {
        String name = nameAt(start);
        String quote = quoteAt(start);
        return text.startsWith(quote, start + quote.length() + name.length())
                && SecretNames.secretsOf(name) != SecretNames.NEVER;
    }

    /** Checks whether a name is compared with a value. Without quotes that value is also a name. */
    private boolean isCompared(Matcher key) {
        return key.group("name") != null
                && text.substring(key.end("quote"), key.end()).strip().matches("[=!]=.*");
    }

    private boolean isReference(int start, String quote, String name, Matcher key) {
        String head = text.substring(start, Math.min(text.length(), start + LONGEST_NAME));
        String value = head.substring(0, Redaction.bareEnd(head, 0, Redaction.ENDS));
        if (begins(REFERENCE, start)
                || key.group("option") != null && (isPlaceholder(value, name) || begins(OTHER_ARGUMENT, start))) {
            return true;
        }
        return quote.isEmpty()
                && key.group("tag") == null
                && key.group("entry") == null
                && (begins(CODE, start)
                        || text.startsWith("= ", start - 2) && begins(SPACED_CODE, start)
                        || name.substring(name.lastIndexOf('.') + 1).equals(value)
                        || value.equals("token") && name.endsWith("_token"));
    }

    /** Checks whether a value is the name of its option in capitals, as in the text of {@code --help}. */
    private static boolean isPlaceholder(String value, String name) {
        return !value.isEmpty() && ("_" + name.toUpperCase(Locale.ROOT).replace('-', '_')).endsWith("_" + value);
    }

    private SecretNames.Place place(Matcher key) {
        int start = key.start();
        char before = start == 0 ? ' ' : text.charAt(start - 1);
        if ("?&#".indexOf(before) >= 0 || text.startsWith('\\' + QUERY_IN_JSON, start - 1)) {
            return SecretNames.Place.QUERY;
        }
        boolean label = key.group("name") != null
                && key.group("quote").isEmpty()
                && text.substring(key.end("name"), key.end()).indexOf('=') < 0;
        boolean path = label && before == (text.charAt(key.end() - 1) == ' ' ? '/' : ':');
        return path ? SecretNames.Place.PATH : label ? SecretNames.Place.LABEL : SecretNames.Place.ASSIGNMENT;
    }

    private static String name(Matcher key) {
        for (String group : GROUPS) {
            if (key.group(group) != null) {
                return key.group(group);
            }
        }
        throw new IllegalStateException(key.toString());
    }

    private String quoteAt(int start) {
        for (String quote : QUOTES) {
            if (text.startsWith(quote, start)) {
                return quote;
            }
        }
        return "";
    }

    private String endsOf(String name, Matcher key) {
        if (key.group("tag") != null || key.group("entry") != null) {
            return "<\r\n";
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (!lower.endsWith("authorization") && !lower.endsWith("cookie")) {
            return Redaction.ENDS;
        }
        boolean quoted = text.lastIndexOf('"', key.start()) >= 0 || text.lastIndexOf('\'', key.start()) >= 0;
        return quoted ? "\r\n\"'" : "\r\n";
    }
}
