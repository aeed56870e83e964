package dev.neurontest.fake.internal.profiler.view;

import java.math.BigDecimal;

/** Formatting of numbers like Go. */
final class GoNumber {

    private GoNumber() {}

    /** Formats a number as in JSON: with an exponent below 1e-6 and from 1e21 on, and without a zero fraction. */
    static String json(double value) {
        double size = Math.abs(value);
        if (value != 0 && (size < 1e-6 || size >= 1e21)) {
            String text = scientific(value);
            int exponent = text.indexOf("e-0");
            return exponent < 0 ? text : text.substring(0, exponent + 2) + text.substring(exponent + 3);
        }
        return plain(value);
    }

    /** Formats a number as in text: with an exponent below 1e-4 and from 1e6 on, of at least two digits. */
    static String text(double value) {
        if (value == 0) {
            return "0";
        }
        BigDecimal exact = exact(value);
        int exponent = exact.precision() - exact.scale() - 1;
        return exponent < -4 || exponent >= 6 ? scientific(value) : plain(value);
    }

    private static BigDecimal exact(double value) {
        return new BigDecimal(Double.toString(value)).stripTrailingZeros();
    }

    private static String plain(double value) {
        return value == 0 ? "0" : exact(value).toPlainString();
    }

    private static String scientific(double value) {
        BigDecimal exact = exact(value);
        String digits = exact.unscaledValue().abs().toString();
        int exponent = digits.length() - exact.scale() - 1;
        StringBuilder text = new StringBuilder();
        if (value < 0) {
            text.append('-');
        }
        text.append(digits.charAt(0));
        if (digits.length() > 1) {
            text.append('.').append(digits, 1, digits.length());
        }
        text.append('e').append(exponent < 0 ? '-' : '+');
        if (Math.abs(exponent) < 10) {
            text.append('0');
        }
        return text.append(Math.abs(exponent)).toString();
    }
}
