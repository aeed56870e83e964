package dev.neurontest.internal.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Rules for secret names. The words of a name decide whether its value is always a secret, or only if the value looks like one.
 * Language models have tokens and keys too, compilers have passes, and "monkey" ends in "key".
 */
final class SecretNames {

    /** The place of a name. */
    enum Place {
        /** A name in the query of an address. */
        QUERY,
        /** An option, a quoted name, or a name with an equals sign. */
        ASSIGNMENT,
        /** A name before a colon, where normal text is possible too. */
        LABEL,
        /** A name at the end of a path and before a colon. */
        PATH
    }

    static final Predicate<String> NEVER = Values.NEVER;

    private static final String NUMBER =
            "(?:[0-9][0-9.,_]*+(?:[eE][+-]?[0-9]++)?+|0[xX][0-9A-Fa-f]{1,16}+|(?i:nan|inf(?:inity)?+|n/a))";
    private static final String UNIT =
            " ?(?:%|[x×]|[nmuµμ]?s|sec|min|[hdB]|[kKMGTPm]i?[BW]?|[kMG]?Hz|[kmM]?J|[GTP]F|[KMGTPkmg]?FLOP[Ss]?|it|tok)?"
                    + "(?:/[A-Za-z]{1,8})?";
    /** The pattern of a measured value such as {@code 12.5ms}, {@code 1.2K/s}, {@code 0x1f}, {@code 12/128} or {@code [1.0, 2.0]}. */
    private static final String MEASURED = "[<>~≈$€x]?+[+-]?+" + NUMBER + UNIT + "(?:(?:[/±-]|\\.\\.)" + NUMBER
            + UNIT + "){0,3}+[:.]?+|PT[0-9.HMS]++|[\\W_&&[^\\[{]]++|\\[(?: *+[+-]?+" + NUMBER + ",?+)*+ *+]"
            + "|\\{(?: *+[\"']\\w++[\"'] *+: *+[+-]?+" + NUMBER + ",?+)*+ *+}";

    /**
     * The pattern of a token of a service, which begins with one of a few characters. Excluded are tokens of language models such
     * as {@code [CLS]} and formats in braces.
     */
    private static final String OF_SERVICE =
            "(?s)(?!\\[[A-Z]++]|\\{\\w++(?:![a-z])?+(?::[^} ][^}]*+)?+})[A-Za-z0-9._~+/=$!\\[{-].*+";

    private static final String BASE64 = "(?=[^0-9]*+[0-9])(?=[^A-Za-z]*+[A-Za-z])[A-Za-z0-9+/=%-]++";
    private static final Pattern WORDS = Pattern.compile("[_.-]+|(?<=[a-z0-9])(?=[A-Z])");
    private static final Pattern VARIABLE = Pattern.compile("[A-Z0-9_]++");
    /** The pattern of a file, or of a class with a descriptive name. A message or a line number follows these. */
    private static final String CODE =
            "(?:^|[.$])[A-Z]\\w*?(?:Tests?|IT|Exception|Error)(?:[.$]|$)|^(?:aio)?botocore\\.|^(?:[a-z]\\w*+\\.)++[A-Z]\\w*[a-z]\\w*$"
                    + "|\\.(?:java|kt|scala|groovy|py|rs|go|rb|js|ts|cc?|cpp|hpp?|sh|md|txt|json|ya?ml|toml|xml|html|csv|log)$";

    private static final String MEMBER_OF_CLASS = "(?:^|[.$])[A-Z]\\w*[a-z]\\w*[.$][\\w$]++$";
    private static final Pattern LAST = Pattern.compile("(?<=[a-z0-9])(?=(?:token|pass|pwd)$)");
    /** The maximum length of the evaluated end of a name, because the rules are slow for names of thousands of words. */
    private static final int LONGEST = 200;

    private static final Set<String> PARTS = Redaction.words("parts");
    private static final List<String[]> RULES = new ArrayList<>();
    /** The kinds of words, each in brackets. */
    private static final Map<String, String> KINDS = new HashMap<>();

    static {
        for (String[] row : Redaction.table("secret-words.txt")) {
            if (row[0].equals("rule")) {
                RULES.add(row);
            } else if (!row[0].equals("trace")) {
                for (int word = 1; word < row.length; word++) {
                    KINDS.put(row[word], KINDS.getOrDefault(row[word], "") + "<" + row[0] + ">");
                }
            }
        }
    }

    private SecretNames() {}

    /** The kinds of secret values, with the names of the rules. */
    private enum Values implements Predicate<String> {
        NEVER,
        ALWAYS,
        /** Every value except a number. */
        NUMBER,
        TOKEN,
        /** Every value except a path. */
        FOLDER,
        RANDOM,
        /** The values that are long enough to be signed. The signature of a function is shorter. */
        SIGNED;

        @Override
        public boolean test(String value) {
            return switch (this) {
                case NEVER -> false;
                case ALWAYS -> true;
                case NUMBER -> !isMeasured(value);
                case TOKEN ->
                    !isMeasured(value)
                            && Redaction.pattern(OF_SERVICE).matcher(value).matches();
                case FOLDER -> value.isEmpty() || "/~.$".indexOf(value.charAt(0)) < 0;
                case RANDOM ->
                    value.length() >= 12
                            && Redaction.pattern(BASE64).matcher(value).matches();
                case SIGNED ->
                    value.length() >= 28
                            && Redaction.pattern(BASE64).matcher(value).matches();
            };
        }

        private static boolean isMeasured(String value) {
            return Redaction.pattern(MEASURED).matcher(value).matches();
        }
    }

    /** Returns a predicate for the values of this name that are secrets. */
    static Predicate<String> secretsOf(String name, Place place) {
        if (place == Place.PATH
                || place == Place.LABEL && Redaction.pattern(CODE).matcher(name).find()) {
            return NEVER;
        }
        Predicate<String> secrets = byWords(name, place);
        return place == Place.LABEL
                        && secrets == Values.ALWAYS
                        && Redaction.pattern(MEMBER_OF_CLASS).matcher(name).find()
                ? Values.NUMBER
                : secrets;
    }

    /** Returns a predicate for the values assigned to this name that are secrets. */
    static Predicate<String> secretsOf(String name) {
        return secretsOf(name, Place.ASSIGNMENT);
    }

    private static Predicate<String> byWords(String name, Place place) {
        String end = name.substring(Math.max(0, name.length() - LONGEST));
        String words = WORDS.matcher(end).replaceAll(" ").strip().toLowerCase(Locale.ROOT);
        boolean variable = words.indexOf(' ') > 0 && VARIABLE.matcher(end).matches();
        StringBuilder described = new StringBuilder(place.name().substring(0, 1)).append(variable ? "V" : "");
        for (String word : LAST.matcher(words).replaceAll(" ").split(" ")) {
            described.append('_').append(word).append(kinds(word));
        }
        for (String[] rule : RULES) {
            if (described.indexOf(rule[2]) >= 0
                    && Redaction.pattern(rule[3]).matcher(described).find()) {
                return Values.valueOf(rule[1].toUpperCase(Locale.ROOT));
            }
        }
        return NEVER;
    }

    private static String kinds(String word) {
        String kinds = KINDS.getOrDefault(word, "");
        if (!kinds.contains("<innocent>") && !kinds.contains("<no-number-word>")) {
            for (String part : PARTS) {
                if (word.contains(part)) {
                    return kinds + "<parts>";
                }
            }
        }
        return kinds;
    }
}
