package dev.neurontest.process;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Judges a name by its words: whether its value is a secret, for certain or by what the value looks like. Language models have
 * tokens and keys too, compilers have passes, and monkeys end in "key".
 */
final class SecretNames {

    /** Where a name stands. */
    enum Place {
        /** In the query of an address. */
        QUERY,
        /** An option, a quoted name, or one with an equals sign. */
        ASSIGNMENT,
        /** Before a colon, where prose may stand too. */
        LABEL
    }

    static final Predicate<String> NEVER = value -> false;

    private static final Predicate<String> ALWAYS = value -> true;
    private static final Pattern NUMBER = Pattern.compile("-?[0-9.]++(?:e[+-]?[0-9]++)?+");
    private static final Predicate<String> NO_NUMBER =
            value -> !NUMBER.matcher(value).matches();
    private static final Predicate<String> NO_FOLDER = value ->
            !value.startsWith("/") && !value.startsWith("~") && !value.startsWith(".") && !value.startsWith("$");
    private static final int LONG = 12;
    private static final Pattern BASE64 = Pattern.compile("(?=[^0-9]*+[0-9])(?=[^A-Za-z]*+[A-Za-z])[A-Za-z0-9+/=%-]++");
    private static final Predicate<String> RANDOM =
            value -> value.length() >= LONG && BASE64.matcher(value).matches();

    private static final Pattern WORDS = Pattern.compile("[_.-]+|(?<=[a-z0-9])(?=[A-Z])");
    private static final Pattern VARIABLE = Pattern.compile("[A-Z0-9_]++");

    /** In any word. */
    private static final List<String> PARTS = List.of(
            "passw",
            "passphrase",
            "passcode",
            "secret",
            "credential",
            "apikey",
            "accesskey",
            "privatekey",
            "accountkey",
            "masterkey",
            "signingkey",
            "encryptionkey",
            "sshkey");

    private static final Set<String> WORD = Set.of("authorization", "cookie");
    private static final Set<String> INNOCENT = Set.of("secretary", "secretariat");
    private static final Set<String> BEFORE_KEY = Set.of(
            "access",
            "api",
            "private",
            "secret",
            "signing",
            "encryption",
            "ssh",
            "auth",
            "account",
            "master",
            "subscription",
            "functions",
            "hmac",
            "deploy",
            "storage",
            "webhook");
    /** A variable that ends in KEY holds one, but for these. */
    private static final Set<String> NOT_BEFORE_KEY = Set.of(
            "public",
            "cache",
            "sort",
            "primary",
            "foreign",
            "partition",
            "group",
            "hash",
            "dict",
            "map",
            "index",
            "object",
            "bucket",
            "s3",
            "metric",
            "config",
            "json",
            "lookup",
            "row",
            "column",
            "hot",
            "shortcut");

    private static final Set<String> NOT_BEFORE_TOKEN = Set.of(
            "bos", "eos", "pad", "unk", "sep", "cls", "mask", "next", "stop", "special", "per", "sub", "de", "pre",
            "multi");
    private static final Set<String> AFTER_TOKEN =
            Set.of("ro", "rw", "read", "write", "value", "prod", "production", "staging", "dev", "ci", "string");

    private static final Set<String> NOT_BEFORE_PASS = Set.of(
            "first",
            "second",
            "last",
            "forward",
            "backward",
            "compiler",
            "single",
            "one",
            "two",
            "multi",
            "num",
            "n",
            "count",
            "total",
            "per",
            "test",
            "tests",
            "low",
            "high",
            "band",
            "all",
            "com",
            "by",
            "tres",
            "sur",
            "encom",
            "over",
            "under");

    private SecretNames() {}

    /** Which values of this name are secrets. */
    static Predicate<String> secretsOf(String name, Place place) {
        List<String> words = Arrays.stream(WORDS.split(name))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
        for (int index = 0; index < words.size(); index++) {
            String word = words.get(index);
            String before = index == 0 ? "" : words.get(index - 1);
            if (WORD.contains(word)
                    || !INNOCENT.contains(word) && PARTS.stream().anyMatch(word::contains)
                    || word.equals("phrase") && before.equals("pass")
                    || word.equals("key") && BEFORE_KEY.contains(before)
                    || word.equals("signature") && isOfService(words)) {
                return ALWAYS;
            }
            if (word.equals("token") && index == words.size() - 2 && AFTER_TOKEN.contains(words.get(index + 1))) {
                return NO_NUMBER;
            }
        }
        return words.isEmpty() ? NEVER : byLastWord(name, words, place);
    }

    private static Predicate<String> byLastWord(String name, List<String> words, Place place) {
        String last = words.get(words.size() - 1);
        String before = words.size() == 1 ? "" : words.get(words.size() - 2);
        boolean variable = words.size() > 1 && VARIABLE.matcher(name).matches();
        if (last.endsWith("token")) {
            return NOT_BEFORE_TOKEN.contains(beginning(last, "token", before)) ? NEVER : NO_NUMBER;
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
                variable && !NOT_BEFORE_KEY.contains(before) ? NO_NUMBER : place == Place.QUERY ? RANDOM : NEVER;
            case "pat" -> variable ? NO_NUMBER : NEVER;
            case "sig", "sas", "hmac", "jwt" -> place == Place.QUERY ? ALWAYS : NEVER;
            case "signature" -> place == Place.QUERY ? ALWAYS : RANDOM;
            case "auth", "code" -> last.equals("auth") || place == Place.QUERY ? RANDOM : NEVER;
            default -> NEVER;
        };
    }

    /** What the last part stands behind, in its own word or in the one before. */
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

    private static boolean isOfService(List<String> words) {
        return words.get(0).equals("x") && words.size() > 2;
    }
}
