package dev.neurontest.internal.text;

import org.apiguardian.api.API;

/** Numbers of things in English. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CountText {

    private CountText() {}

    /**
     * Returns a number with its noun.
     *
     * @param one the singular, with the noun last, such as {@code test class}
     * @return for example {@code 1 test class} or {@code 3 test classes}
     */
    public static String of(long number, String one) {
        return number + " " + (number == 1 ? one : several(one));
    }

    private static String several(String one) {
        if (one.matches(".*(s|x|ch|sh)")) {
            return one + "es";
        }
        return one.matches(".*[^aeiou]y") ? one.substring(0, one.length() - 1) + "ies" : one + "s";
    }
}
