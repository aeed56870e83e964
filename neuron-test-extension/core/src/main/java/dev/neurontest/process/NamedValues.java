package dev.neurontest.process;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks the values of names that look secret, line by line: {@code NAME=…}, {@code "name": "…"}, {@code --name …},
 * {@code environ["NAME"] = "…"}, {@code put("NAME", "…")}, {@code <name>…</name>}, {@code set NAME …}, and pairs such as
 * {@code name: NAME, value: …}, whose value may be in a later line.
 */
final class NamedValues {

    /** A line, and the brackets of a secret value that it leaves open. */
    record Masked(String text, BracketedValue open) {}

    /** The ends of values without quotes. A long value with many names in it is read once, and not for each of them. */
    private static final class BareEnds {

        private final String text;
        private String ends = "";
        private int from;
        private int to = -1;

        BareEnds(String text) {
            this.text = text;
        }

        int after(int start, String wanted) {
            if (start < from || start > to || !wanted.equals(ends)) {
                from = start;
                to = Redaction.bareEnd(text, start, wanted);
                ends = wanted;
            }
            return to;
        }
    }

    private static final String NAME = "[A-Za-z_][\\w.-]*+";
    private static final String TYPE = "(?::[ \\t]*+)?+(?:Optional\\[)?+&?+(?:str|bytes|[Ss]tring|SecretStr|Any)\\]?+"
            + "(?:[ \\t]*+\\|[ \\t]*+None)?+\\??+[ \\t]*+=(?=[ \\t]*+[rbfuRBFU]{0,2}+[\"'`])";

    /** A name and what separates it from its value. */
    private static final Pattern KEY = Pattern.compile("(?:(?<![\\w.-])|(?<=\\)\\.))(?:"
            + "-{1,2}(?<option>[A-Za-z][\\w.-]*+)(?:\\\\?[\"'])?+[ \\t]*+[=:,]?+[ \\t]*+"
            + "|(?:set|SET|setx|SETX|setenv|ENV)[ \\t]++(?:-[A-Za-z]++[ \\t]++)*+(?://[^\\s:]*+:)?+(?<set>\\w++)[ \\t]++(?![=\\s])"
            + "|login[ \\t]++[^\\s:=]++[ \\t]++(?<login>password)[ \\t]++"
            + "|(?<=[<:])(?<tag>" + NAME + ")>(?=[^<\\s])"
            + "|(?<=\\(\\\\?[\"'])(?<argument>" + NAME + ")\\\\?[\"'][ \\t]*+,[ \\t]*+(?=[rbfuRBFU]?+\\\\?[\"'])"
            + "|(?:key|name)=[\"'](?<entry>" + NAME + ")[\"']>(?=[^<\\s])"
            + "|(?<name>" + NAME + ")(?<quote>(?:\\\\?[\"']\\]?+)?+)[ \\t]*+"
            + "(?:" + TYPE + "|:=|=>|[=!]==?+|[=:]|\\((?=[rbfuRBFU]?+\\\\?[\"']))[ \\t]*+)");

    /** A method that takes a secret, such as {@code .password("…")} or {@code setApiKey("…")}. */
    private static final Pattern CALLED =
            Pattern.compile("(?i)(?:.*\\.|(?:.*\\.)?(?=set|with))(?<what>(?:set_?|with_?)?"
                    + "(?:(?:user|db|access|api|secret|auth|client|session|refresh|hf|bearer|private)_?){0,3}"
                    + "(?:password|passphrase|token|key|secret))");

    /** What may be before the quote of a value, or before a value in YAML and of OpenSSL. */
    private static final Pattern BEFORE_VALUE = Pattern.compile("!(?:secret|vault|!str|!binary)[ \\t]++|pass:(?=.)"
            + "|(?:(?:new[ \\t]++)?+(?:(?:Secret|Password|Token|String)\\w*+(?:(?:::|\\.)(?:from|of|new))?+|str|bytes)\\()?+"
            + "[rbfuRBFU]{0,2}+(?=\\\\?[\"'`])");

    private static final List<String> GROUPS = List.of("name", "option", "set", "login", "tag", "entry", "argument");

    private static final String END = "(?=[\\s\"'`,;)}\\]]|$)";
    /** A value that says where the secret is. */
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
    private static final int LINES_OF_A_PAIR = 3;

    private static final Pattern LOGIN_LINE = Pattern.compile("\\s*+login[ \\t]++\\S++\\s*+");
    private static final Pattern PASSWORD_LINE = Pattern.compile("(\\s*+password[ \\t]++)\\S++(\\s*+)");
    /** Further code, where blanks surround the equals sign. */
    private static final Pattern SPACED_CODE = Pattern.compile("\\([A-Za-z_][\\w.]*+ [=!<>]=? "
            + "|[A-Za-z_]\\w*+(?:\\.[A-Za-z_]\\w*+)*+\\[[\\w:, .+*-]*+\\]"
            + "|[A-Z][A-Za-z]++(?:\\.[A-Z][A-Za-z]++)++" + END);

    /** What follows an option where a program declares it. */
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

    /** Returns whether a line may hold the value of a name in a line before. */
    boolean isOpen() {
        return paired != SecretNames.NEVER || login;
    }

    Masked mask(String text) {
        if (++linesOfPair > LINES_OF_A_PAIR) {
            paired = SecretNames.NEVER;
        }
        if (login && PASSWORD_LINE.matcher(text).matches()) {
            login = false;
            return new Masked(
                    PASSWORD_LINE.matcher(text).replaceFirst("$1" + Redaction.MASK + "$2"), BracketedValue.CLOSED);
        }
        login = LOGIN_LINE.matcher(text).matches();
        StringBuilder masked = new StringBuilder(text.length());
        Matcher key = KEY.matcher(text);
        BracketedValue open = BracketedValue.CLOSED;
        BareEnds bare = new BareEnds(text);
        int done = 0;
        while (key.find(done)) {
            String name = name(key);
            masked.append(text, done, key.end());
            done = key.end();
            Predicate<String> secrets = secrets(text, key, name);
            if (secrets == SecretNames.NEVER) {
                continue;
            }
            Matcher before = BEFORE_VALUE.matcher(text).region(done, text.length());
            if (before.lookingAt()) {
                masked.append(before.group());
                done = before.end();
            }
            String quote = quoteAt(text, done);
            int start = done + quote.length();
            if (quote.isEmpty() && isCompared(text, key) || isReference(text, start, quote, name, key, bare)) {
                continue;
            }
            String ends = endsOf(text, name, key);
            int end = quote.isEmpty() ? bare.after(start, ends) : Redaction.quotedEnd(text, start, quote);
            boolean json = quote.isEmpty() && "\"".equals(key.group("quote"));
            BracketedValue value = BracketedValue.CLOSED;
            // A header goes on behind its brackets.
            if (quote.isEmpty() && (ends.equals(Redaction.ENDS) || json) && BracketedValue.startAt(text, start)) {
                value = BracketedValue.CLOSED.read(text, start);
                end = value.end();
            }
            if (end > start && secrets.test(text.substring(start, end)) && !isSampled(text, end, name)) {
                open = value;
                masked.append(quote).append(json ? '"' + Redaction.MASK + '"' : Redaction.MASK);
                done = end;
            }
        }
        return new Masked(masked.append(text, done, text.length()).toString(), open);
    }

    private Predicate<String> secrets(String text, Matcher key, String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        Predicate<String> secrets = paired;
        if (NAME_OF_PAIR.contains(lower) && key.group("name") != null) {
            readPair(text, key.end());
        } else if (VALUE_OF_PAIR.contains(lower)) {
            paired = SecretNames.NEVER;
            return secrets == SecretNames.NEVER ? pairedBehind(text, key.end()) : secrets;
        }
        if (key.group("name") != null && text.charAt(key.end() - 1) == '(') {
            return calledWith(text, key);
        }
        if (lower.equals("key") && text.startsWith(LOGIN, key.start() - LOGIN.length())) {
            return SecretNames.secretsOf("api_key", SecretNames.Place.ASSIGNMENT);
        }
        if (lower.equals("token") && SecretNames.isOfModel(wordBefore(text, key.start()))) {
            return SecretNames.NEVER;
        }
        String plain = name.startsWith(QUERY_IN_JSON) ? name.substring(QUERY_IN_JSON.length()) : name;
        boolean described = key.group("set") != null && plain.indexOf('_') < 0
                || key.group("argument") != null && isName(text, key.end());
        return described ? SecretNames.NEVER : SecretNames.secretsOf(plain, place(text, key));
    }

    private static String wordBefore(String text, int end) {
        if (end == 0 || " -/".indexOf(text.charAt(end - 1)) < 0) {
            return "";
        }
        int start = end - 1;
        while (start > 0 && Character.isLetterOrDigit(text.charAt(start - 1))) {
            start--;
        }
        return text.substring(start, end - 1);
    }

    /** Returns whether a token has a probability, as those that a language model has chosen. */
    private static boolean isSampled(String text, int end, String name) {
        return name.equals("token")
                && SAMPLED.matcher(text).region(end, text.length()).lookingAt();
    }

    private static Predicate<String> calledWith(String text, Matcher key) {
        Matcher called = CALLED.matcher((text.startsWith(")", key.start() - 2) ? "." : "") + key.group("name"));
        return called.matches() && !called.group("what").equalsIgnoreCase("secret")
                ? SecretNames.secretsOf(called.group("what"), SecretNames.Place.ASSIGNMENT)
                : SecretNames.NEVER;
    }

    /** Keeps the name of a pair for its value. */
    private void readPair(String text, int start) {
        Matcher name =
                PLAIN_NAME.matcher(text).region(start + quoteAt(text, start).length(), text.length());
        paired = name.lookingAt()
                ? SecretNames.secretsOf(name.group(), SecretNames.Place.ASSIGNMENT)
                : SecretNames.NEVER;
        linesOfPair = 0;
    }

    private static Predicate<String> pairedBehind(String text, int start) {
        int end = text.indexOf('}', start);
        int limit = Math.min(end < 0 ? text.length() : end, start + LONGEST_PAIR);
        Matcher name = NAME_BEHIND.matcher(text).region(start, Math.max(start, limit));
        return name.find()
                ? SecretNames.secretsOf(name.group("name"), SecretNames.Place.ASSIGNMENT)
                : SecretNames.NEVER;
    }

    /** Returns whether the second argument is a name like the first: then both are names of a list. */
    private static boolean isName(String text, int start) {
        int from = start + quoteAt(text, start).length();
        Matcher name = PLAIN_NAME.matcher(text).region(from, text.length());
        return name.lookingAt()
                && text.startsWith(quoteAt(text, start), name.end())
                && SecretNames.secretsOf(name.group(), SecretNames.Place.ASSIGNMENT) != SecretNames.NEVER;
    }

    /** What a name is compared with is a name too, unless it is in quotes. */
    private static boolean isCompared(String text, Matcher key) {
        String separator = key.group("name") == null
                ? ""
                : text.substring(key.end("quote"), key.end()).strip();
        return separator.startsWith("==") || separator.startsWith("!=");
    }

    private static boolean isReference(String text, int start, String quote, String name, Matcher key, BareEnds bare) {
        if (REFERENCE.matcher(text).region(start, text.length()).lookingAt()) {
            return true;
        }
        if (key.group("option") != null
                && (isPlaceholder(text.substring(start, bare.after(start, Redaction.ENDS)), name)
                        || OTHER_ARGUMENT
                                .matcher(text)
                                .region(start, text.length())
                                .lookingAt())) {
            return true;
        }
        if (!quote.isEmpty() || key.group("tag") != null || key.group("entry") != null) {
            return false;
        }
        String value = text.substring(start, bare.after(start, Redaction.ENDS));
        return CODE.matcher(text).region(start, text.length()).lookingAt()
                || text.startsWith("= ", start - 2)
                        && SPACED_CODE
                                .matcher(text)
                                .region(start, text.length())
                                .lookingAt()
                || name.substring(name.lastIndexOf('.') + 1).equals(value)
                || value.equals("token") && name.endsWith("_token");
    }

    /** Returns whether a value is the name of its option in capitals, as in the text of {@code --help}. */
    private static boolean isPlaceholder(String value, String name) {
        String option = name.toUpperCase(Locale.ROOT).replace('-', '_');
        return option.equals(value) || !value.isEmpty() && option.endsWith("_" + value);
    }

    private static SecretNames.Place place(String text, Matcher key) {
        int start = key.start();
        char before = start == 0 ? ' ' : text.charAt(start - 1);
        boolean escaped = before == '\\' && text.startsWith(QUERY_IN_JSON, start);
        if (before == '?' || before == '&' || before == '#' || escaped) {
            return SecretNames.Place.QUERY;
        }
        boolean label = key.group("name") != null
                && key.group("quote").isEmpty()
                && text.substring(key.end("name"), key.end()).indexOf('=') < 0;
        boolean blank = text.charAt(key.end() - 1) == ' ';
        boolean path = label && (blank ? before == '/' : before == ':');
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

    private static String quoteAt(String text, int start) {
        for (String quote : QUOTES) {
            if (text.startsWith(quote, start)) {
                return quote;
            }
        }
        return "";
    }

    private static String endsOf(String text, String name, Matcher key) {
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
