package dev.neurontest.internal.counter.tree;

import org.apiguardian.api.API;

/**
 * A parser of counter files: an unsigned 64-bit number in decimal, or in hex after {@code 0x}, usually followed by a newline. The
 * result is a long with all 64 bits.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class UnsignedDecimal {

    private static final int ALWAYS_FITS = 19;
    private static final long TENTH_OF_LARGEST = Long.divideUnsigned(-1L, 10);
    private static final long LAST_DIGIT_OF_LARGEST = Long.remainderUnsigned(-1L, 10);

    private UnsignedDecimal() {}

    /**
     * Parses a number without creating a string.
     *
     * @param text bytes with the number, possibly between blanks
     * @param length number of valid bytes
     * @throws NumberFormatException when it is not a number; the message contains the expected form
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
