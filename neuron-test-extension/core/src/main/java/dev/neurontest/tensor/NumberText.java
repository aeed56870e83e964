package dev.neurontest.tensor;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoublePredicate;

/** Formatter of single numbers in the style of NumPy. */
final class NumberText {

    private static final int MOST_DIGITS = 17;
    private static final int FEW_DIGITS = 6;
    private static final int SMALLEST_PLAIN = -4;
    private static final int LARGEST_PLAIN = 16;

    private NumberText() {}

    /** Formats a number with the fewest digits that identify the same value of its data type. */
    static String shortest(double value, DoublePredicate same) {
        return special(value).orElseGet(() -> {
            int digits = 1;
            while (digits < MOST_DIGITS && !same.test(rounded(value, digits).doubleValue())) {
                digits++;
            }
            return written(rounded(value, digits));
        });
    }

    /** Formats a number with six significant digits for human readers. */
    static String rounded(double value) {
        return special(value).orElseGet(() -> written(rounded(value, FEW_DIGITS)));
    }

    private static Optional<String> special(double value) {
        if (Double.isNaN(value)) {
            return Optional.of("nan");
        }
        if (Double.isInfinite(value)) {
            return Optional.of(value > 0 ? "inf" : "-inf");
        }
        return value == 0 ? Optional.of(1 / value < 0 ? "-0.0" : "0.0") : Optional.empty();
    }

    private static BigDecimal rounded(double value, int digits) {
        return new BigDecimal(value)
                .round(new MathContext(digits, RoundingMode.HALF_EVEN))
                .stripTrailingZeros();
    }

    private static String written(BigDecimal value) {
        int exponent = value.precision() - value.scale() - 1;
        if (exponent >= SMALLEST_PLAIN && exponent < LARGEST_PLAIN) {
            return value.scale() <= 0 ? value.toBigInteger() + ".0" : value.toPlainString();
        }
        String digits = value.unscaledValue().abs().toString();
        return String.format(
                Locale.ROOT,
                "%s%s%se%s%02d",
                value.signum() < 0 ? "-" : "",
                digits.charAt(0),
                digits.length() > 1 ? "." + digits.substring(1) : "",
                exponent < 0 ? "-" : "+",
                Math.abs(exponent));
    }
}
