package dev.neurontest.process;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Judges a name by its words: whether its value is a secret, for certain or by what the value looks like. Language models have
 * tokens and keys too, compilers have passes, and monkeys end in "key".
 */
final class SecretNames {

    /** The place of a name. */
    enum Place {
        /** In the query of an address. */
        QUERY,
        /** An option, a quoted name, or one with an equals sign. */
        ASSIGNMENT,
        /** Before a colon, where prose may be too. */
        LABEL,
        /** At the end of a path and before a colon. */
        PATH
    }

    static final Predicate<String> NEVER = value -> false;

    private static final Predicate<String> ALWAYS = value -> true;
    private static final String NUMBER =
            "(?:[0-9][0-9.,_]*+(?:[eE][+-]?[0-9]++)?+|0[xX][0-9A-Fa-f]{1,16}+|(?i:nan|inf(?:inity)?+|n/a))";
    private static final String UNIT =
            " ?(?:%|[x×]|[nmuµμ]?s|sec|min|[hdB]|[kKMGTPm]i?[BW]?|[kMG]?Hz|[kmM]?J|[GTP]F|[KMGTPkmg]?FLOP[Ss]?|it|tok)?"
                    + "(?:/[A-Za-z]{1,8})?";
    /** A measured value such as {@code 12.5ms}, {@code 1.2K/s}, {@code 0x1f}, {@code 12/128} or {@code [1.0, 2.0]}. */
    private static final Pattern MEASURED =
            Pattern.compile("[<>~≈$€x]?+[+-]?+" + NUMBER + UNIT + "(?:(?:[/±-]|\\.\\.)" + NUMBER
                    + UNIT + "){0,3}+[:.]?+|PT[0-9.HMS]++|[\\W_&&[^\\[{]]++|\\[(?: *+[+-]?+" + NUMBER + ",?+)*+ *+]"
                    + "|\\{(?: *+[\"']\\w++[\"'] *+: *+[+-]?+" + NUMBER + ",?+)*+ *+}");

    private static final Predicate<String> NO_NUMBER =
            value -> !MEASURED.matcher(value).matches();
    /** A token of a service begins with few signs. That of a language model may be {@code [CLS]}, and a format is in braces. */
    private static final Pattern OF_SERVICE = Pattern.compile(
            "(?!\\[[A-Z]++]|\\{\\w++(?:![a-z])?+(?::[^} ][^}]*+)?+})[A-Za-z0-9._~+/=$!\\[{-].*+", Pattern.DOTALL);

    private static final Predicate<String> TOKEN =
            NO_NUMBER.and(value -> OF_SERVICE.matcher(value).matches());
    private static final Predicate<String> NO_FOLDER = value ->
            !value.startsWith("/") && !value.startsWith("~") && !value.startsWith(".") && !value.startsWith("$");
    private static final Pattern BASE64 = Pattern.compile("(?=[^0-9]*+[0-9])(?=[^A-Za-z]*+[A-Za-z])[A-Za-z0-9+/=%-]++");
    private static final Predicate<String> RANDOM =
            value -> value.length() >= 12 && BASE64.matcher(value).matches();
    /** The signature of a function is shorter. */
    private static final Predicate<String> SIGNED =
            value -> value.length() >= 28 && BASE64.matcher(value).matches();

    private static final Pattern WORDS = Pattern.compile("[_.-]+|(?<=[a-z0-9])(?=[A-Z])");
    private static final Pattern VARIABLE = Pattern.compile("[A-Z0-9_]++");

    /** A class that is named for what it does, or a file: a message follows, or a line number. */
    private static final Pattern CODE = Pattern.compile(
            "(?:^|[.$])[A-Z]\\w*?(?:Tests?|IT|Exception|Error)(?:[.$]|$)|^(?:aio)?botocore\\.|^(?:[a-z]\\w*+\\.)++[A-Z]\\w*[a-z]\\w*$"
                    + "|\\.(?:java|kt|scala|groovy|py|rs|go|rb|js|ts|cc?|cpp|hpp?|sh|md|txt|json|ya?ml|toml|xml|html|csv|log)$");

    private static final Pattern MEMBER_OF_CLASS = Pattern.compile("(?:^|[.$])[A-Z]\\w*[a-z]\\w*[.$][\\w$]++$");

    /** In any word. */
    private static final Set<String> PARTS = words("parts");

    private static final Set<String> WORD = words("word");
    /** Other things have cookies, and a number of secrets is none. */
    private static final Set<String> NO_NUMBER_WORD = words("no-number-word");

    private static final Set<String> INNOCENT = words("innocent");
    /** What is said about a secret is none. */
    private static final Set<String> ABOUT = words("about");

    private static final Set<String> BEFORE_KEY = words("before-key");
    private static final Set<String> CERTIFICATE = words("certificate");
    /** A variable that ends in KEY holds one, but for these. */
    private static final Set<String> NOT_BEFORE_KEY = words("not-before-key");

    private static final Set<String> NOT_BEFORE_TOKEN = words("not-before-token");
    private static final Set<String> AFTER_TOKEN = words("after-token");
    private static final Set<String> NOT_BEFORE_PASS = words("not-before-pass");

    private SecretNames() {}

    private static Set<String> words(String kind) {
        return Redaction.table("secret-words.txt").stream()
                .filter(line -> line.get(0).equals(kind))
                .flatMap(line -> line.stream().skip(1))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns what values of this name are secrets. */
    static Predicate<String> secretsOf(String name, Place place) {
        if (place == Place.PATH || place == Place.LABEL && CODE.matcher(name).find()) {
            return NEVER;
        }
        Predicate<String> secrets = byWords(name, place);
        return place == Place.LABEL
                        && secrets == ALWAYS
                        && MEMBER_OF_CLASS.matcher(name).find()
                ? NO_NUMBER
                : secrets;
    }

    /** Returns whether the word before "token" makes it one of a language model or a parser: "time to first token". */
    static boolean isOfModel(String before) {
        return NOT_BEFORE_TOKEN.contains(before.toLowerCase(Locale.ROOT));
    }

    private static Predicate<String> byWords(String name, Place place) {
        List<String> words = List.of(WORDS.matcher(name)
                .replaceAll(" ")
                .strip()
                .toLowerCase(Locale.ROOT)
                .split(" "));
        for (int index = 0; index < words.size(); index++) {
            String word = words.get(index);
            String before = index == 0 ? "" : words.get(index - 1);
            if (WORD.contains(word)
                    || !INNOCENT.contains(word)
                            && !NO_NUMBER_WORD.contains(word)
                            && PARTS.stream().anyMatch(word::contains)
                    || word.equals("phrase") && before.equals("pass")
                    || word.equals("key") && BEFORE_KEY.contains(before)
                    || word.equals("data") && before.equals("key")
                    || word.equals("signature") && words.get(0).equals("x") && words.size() > 2) {
                return ABOUT.contains(words.get(words.size() - 1)) ? NEVER : ALWAYS;
            }
            if (NO_NUMBER_WORD.contains(word)) {
                return ABOUT.contains(words.get(words.size() - 1)) ? NEVER : NO_NUMBER;
            }
            if (word.equals("token") && index == words.size() - 2 && AFTER_TOKEN.contains(words.get(index + 1))) {
                return TOKEN;
            }
        }
        return byLastWord(name, words, place);
    }

    private static Predicate<String> byLastWord(String name, List<String> words, Place place) {
        String last = words.get(words.size() - 1);
        String before = words.size() == 1 ? "" : words.get(words.size() - 2);
        boolean variable = words.size() > 1 && VARIABLE.matcher(name).matches();
        if (last.endsWith("token")) {
            return NOT_BEFORE_TOKEN.contains(beginning(last, "token", before)) ? NEVER : TOKEN;
        }
        if (last.endsWith("pass")) {
            return pass(beginning(last, "pass", before), variable, place);
        }
        if (last.endsWith("pwd")) {
            return words.size() == 1 && (last.equals("pwd") || last.equals("oldpwd"))
                    ? place == Place.LABEL ? NEVER : NO_FOLDER
                    : ALWAYS;
        }
        return switch (last) {
            case "key" ->
                CERTIFICATE.contains(before)
                        ? NO_FOLDER
                        : variable && !NOT_BEFORE_KEY.contains(before)
                                ? NO_NUMBER
                                : place == Place.QUERY ? RANDOM : NEVER;
            case "bearer" -> place == Place.ASSIGNMENT ? ALWAYS : NEVER;
            case "pat" -> variable ? NO_NUMBER : NEVER;
            case "sig", "sas", "hmac", "jwt" -> place == Place.QUERY ? ALWAYS : NEVER;
            case "signature" -> place == Place.QUERY ? ALWAYS : place == Place.LABEL ? NEVER : SIGNED;
            case "auth", "code" -> last.equals("auth") || place == Place.QUERY ? RANDOM : NEVER;
            default -> NEVER;
        };
    }

    /** What the last part follows, in its own word or in the one before. */
    private static String beginning(String word, String end, String before) {
        return word.equals(end) ? before : word.substring(0, word.length() - end.length());
    }

    private static Predicate<String> pass(String before, boolean variable, Place place) {
        if (NOT_BEFORE_PASS.contains(before)) {
            return NEVER;
        }
        if (before.isEmpty()) {
            return place == Place.LABEL ? NEVER : NO_NUMBER;
        }
        return variable ? ALWAYS : NO_NUMBER;
    }
}
