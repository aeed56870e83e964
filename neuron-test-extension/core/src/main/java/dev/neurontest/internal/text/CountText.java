package dev.neurontest.internal.text;

import org.apiguardian.api.API;

/** Formatter of numbers with their English nouns. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CountText {

    private CountText() {}

    /**
     * Returns a number with its noun.
     *
     * @param singular the singular, with the noun last, such as {@code test class}
     * @return for example {@code 1 test class} or {@code 3 test classes}
     */
    public static String of(long number, String singular) {
        return number + " " + (number == 1 ? singular : plural(singular));
    }

    private static String plural(String singular) {
        if (singular.matches(".*(s|x|ch|sh)")) {
            return singular + "es";
        }
        return singular.matches(".*[^aeiou]y") ? singular.substring(0, singular.length() - 1) + "ies" : singular + "s";
    }
}
