package dev.neurontest.internal.text;

import java.math.BigDecimal;
import java.util.Locale;
import org.apiguardian.api.API;

/** Formatter of numbers with their English nouns. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CountText {

    private static final BigDecimal LEAST_GROUPED = BigDecimal.valueOf(10_000);

    private CountText() {}

    /**
     * Returns a number with its noun.
     *
     * @param singular the singular, with the noun last, such as {@code test class}
     * @return for example {@code 1 test class} or {@code 3 test classes}
     */
    public static String of(long number, String singular) {
        return of(number) + " " + (number == 1 ? singular : plural(singular));
    }

    /** Returns a number, with grouped digits if it has at least five, such as {@code 10,000}. */
    public static String of(long number) {
        return of(BigDecimal.valueOf(number));
    }

    /** Returns a number with all its decimals, and with grouped digits if it has at least five before the decimal point. */
    public static String of(BigDecimal number) {
        String plain = number.toPlainString();
        if (number.abs().compareTo(LEAST_GROUPED) < 0) {
            return plain;
        }
        int point = plain.indexOf('.');
        return String.format(Locale.ROOT, "%,d", number.toBigInteger()) + (point < 0 ? "" : plain.substring(point));
    }

    private static String plural(String singular) {
        if (singular.matches(".*(s|x|ch|sh)")) {
            return singular + "es";
        }
        return singular.matches(".*[^aeiou]y") ? singular.substring(0, singular.length() - 1) + "ies" : singular + "s";
    }
}
