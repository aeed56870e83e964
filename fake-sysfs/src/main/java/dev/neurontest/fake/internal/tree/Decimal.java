package dev.neurontest.fake.internal.tree;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Conversion of unsigned 64-bit numbers to text and back. A snapshot of a large host prints 13,056 of them. */
final class Decimal {

    private static final Pattern PRINTED = Pattern.compile("(0|[1-9][0-9]{0,19})\n");

    private Decimal() {}

    /** Parses a number as the driver prints it, with a newline. Returns empty for any other text. */
    static OptionalLong parse(String text) {
        if (PRINTED.matcher(text).matches()) {
            try {
                return OptionalLong.of(Long.parseUnsignedLong(text.strip()));
            } catch (NumberFormatException e) {
                // The number has more than 64 bits.
            }
        }
        return OptionalLong.empty();
    }

    static int digits(long value) {
        if (value < 0) {
            // Numbers from 2^63 to 2^64-1 have 19 digits below 10^19, else 20.
            return Long.compareUnsigned(value, 0x8AC7230489E80000L) < 0 ? 19 : 20;
        }
        int digits = 1;
        for (long limit = 10; digits < 19 && value >= limit; limit *= 10) {
            digits++;
        }
        return digits;
    }

    /** Prints the number into the buffer. Its last digit is placed before {@code end}. */
    static void print(long value, byte[] into, int end) {
        int at = end;
        long remaining = value;
        if (remaining < 0) {
            into[--at] = (byte) ('0' + Long.remainderUnsigned(remaining, 10));
            remaining = Long.divideUnsigned(remaining, 10);
        }
        do {
            into[--at] = (byte) ('0' + remaining % 10);
            remaining /= 10;
        } while (remaining != 0);
    }
}
