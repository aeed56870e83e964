package dev.neurontest.profile.summary;

import java.util.Set;
import java.util.regex.Pattern;

/** How the tools write numbers and what they write instead. */
final class SummaryNumber {

    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(?:[0-9]++(?:\\.[0-9]*+)?|\\.[0-9]++)(?:[eE][+-]?[0-9]{1,9})?");
    private static final Pattern NOT_FINITE = Pattern.compile("[+-]?(?:NaN|Inf|Infinity)", Pattern.CASE_INSENSITIVE);
    private static final Set<String> WORDS = Set.of("true", "false", "null");

    private SummaryNumber() {}

    static boolean isLiteral(String text) {
        return isNumber(text) || isNotFinite(text) || WORDS.contains(text);
    }

    static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }

    static boolean isNotFinite(String text) {
        return NOT_FINITE.matcher(text).matches();
    }
}
