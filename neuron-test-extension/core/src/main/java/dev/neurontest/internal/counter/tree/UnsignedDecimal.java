package dev.neurontest.internal.counter.tree;

import org.apiguardian.api.API;

/**
 * The text of a counter file: an unsigned 64-bit number in decimal, or after {@code 0x} in hex, usually followed by a newline. The
 * long holds all 64 bits.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class UnsignedDecimal {

    private static final int ALWAYS_FITS = 19;
    private static final long TENTH_OF_LARGEST = Long.divideUnsigned(-1L, 10);
    private static final long LAST_DIGIT_OF_LARGEST = Long.remainderUnsigned(-1L, 10);

    private UnsignedDecimal() {}

    /**
     * Reads a number without making a string of it.
     *
     * @param text holds it, perhaps between blanks
     * @param length how much of the text counts
     * @return its 64 bits
     * @throws NumberFormatException when it is not one; the message says what was expected
     */
    public static long parse(byte[] text, int length) {
        int from = 0;
        int to = length;
        while (to > from && isBlank(text[to - 1])) {
            to--;
        }
        while (from < to && isBlank(text[from])) {
            from++;
        }
        if (from == to) {
            throw new NumberFormatException("a number, not an empty file");
        }
        if (to - from > 2 && text[from] == '0' && (text[from + 1] | ' ') == 'x') {
            return hex(text, from + 2, to);
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new NumberFormatException("an unsigned number");
            }
            if (i - from >= ALWAYS_FITS && !fits(value, digit)) {
                throw new NumberFormatException("at most 18446744073709551615 (64 bits)");
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static long hex(byte[] text, int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text[i] < 0 ? -1 : Character.digit((char) text[i], 16);
            if (digit < 0) {
                throw new NumberFormatException("an unsigned number");
            }
            if (value >>> 60 != 0) {
                throw new NumberFormatException("at most 0xffffffffffffffff (64 bits)");
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static boolean fits(long value, int digit) {
        int order = Long.compareUnsigned(value, TENTH_OF_LARGEST);
        return order < 0 || order == 0 && digit <= LAST_DIGIT_OF_LARGEST;
    }

    private static boolean isBlank(byte character) {
        return character == '\n' || character == ' ' || character == '\r' || character == '\t';
    }
}
