package dev.neurontest.internal.profile.summary;

import java.util.regex.Pattern;

/** Number formats of the tools, and the words that they write in place of a number. */
final class SummaryNumber {

    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(?:[0-9]++(?:\\.[0-9]*+)?|\\.[0-9]++)(?:[eE][+-]?[0-9]{1,9})?");
    private static final Pattern NOT_FINITE = Pattern.compile("[+-]?(?:NaN|Inf|Infinity)", Pattern.CASE_INSENSITIVE);

    private SummaryNumber() {}

    static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }

    static boolean isNotFinite(String text) {
        return NOT_FINITE.matcher(text).matches();
    }
}
