package dev.neurontest.tensor;

/**
 * A binary floating-point format: how the bits of a code become a value, and which code is nearest to a value. Every value of
 * every format here is a double, so nothing is rounded.
 *
 * @param exponentBits how many
 * @param mantissaBits how many
 * @param bias of the exponent
 * @param specials which codes are no finite values
 */
record FloatFormat(int exponentBits, int mantissaBits, int bias, Specials specials) {

    private static final int DOUBLE_BIAS = 1023;
    private static final int DOUBLE_MANTISSA = 52;

    /** What the codes with the largest exponent mean. */
    enum Specials {
        /** As in IEEE 754: infinities and NaN. */
        INFINITY_AND_NAN,
        /** Only the very last code is NaN; there is no infinity. */
        LAST_IS_NAN,
        /** All codes are finite. */
        NONE,
        /** There is neither sign nor zero: all bits are exponent, and the last code is NaN. */
        EXPONENT_ONLY
    }

    int bits() {
        return (isSigned() ? 1 : 0) + exponentBits + mantissaBits;
    }

    private boolean isSigned() {
        return specials != Specials.EXPONENT_ONLY;
    }

    private boolean isNegative(long code) {
        return isSigned() && (code >>> exponentBits + mantissaBits & 1) != 0;
    }

    private long magnitude(long code) {
        return code & (1L << exponentBits + mantissaBits) - 1;
    }

    boolean isNaN(long code) {
        long magnitude = magnitude(code);
        return specials == Specials.INFINITY_AND_NAN ? magnitude > last() + 1 : magnitude > last();
    }

    /** The magnitude of the largest finite value. */
    private long last() {
        long all = (1L << exponentBits + mantissaBits) - 1;
        return switch (specials) {
            case INFINITY_AND_NAN -> all - (1L << mantissaBits);
            case LAST_IS_NAN, EXPONENT_ONLY -> all - 1;
            case NONE -> all;
        };
    }

    double value(long code) {
        if (isNaN(code)) {
            return Double.NaN;
        }
        long magnitude = magnitude(code);
        double value = specials == Specials.INFINITY_AND_NAN && magnitude > last()
                ? Double.POSITIVE_INFINITY
                : continued(magnitude);
        return isNegative(code) ? -value : value;
    }

    /** As if there were no specials, so that the line goes on behind the largest finite value. */
    private double continued(long magnitude) {
        long exponent = magnitude >>> mantissaBits;
        long mantissa = magnitude & (1L << mantissaBits) - 1;
        if (specials == Specials.EXPONENT_ONLY) {
            return Math.scalb(1.0, (int) exponent - bias);
        }
        return exponent == 0
                ? Math.scalb((double) mantissa, 1 - bias - mantissaBits)
                : Double.longBitsToDouble(
                        exponent - bias + DOUBLE_BIAS << DOUBLE_MANTISSA | mantissa << DOUBLE_MANTISSA - mantissaBits);
    }

    /** Where a code is on the line on which neighbouring values are one apart; both zeros are at 0. */
    long position(long code) {
        return isNegative(code) ? -magnitude(code) : magnitude(code);
    }

    /** Where a value would be on that line if it were rounded to the nearest, ties to even; one behind the largest when it overflows. */
    long position(double value) {
        long nearest = nearest(Math.abs(value));
        return value < 0 ? -nearest : nearest;
    }

    private long nearest(double value) {
        long below = 0;
        long above = last() + 1;
        if (Double.isInfinite(value)) {
            return above;
        }
        while (above - below > 1) {
            long middle = below + above >>> 1;
            if (continued(middle) <= value) {
                below = middle;
            } else {
                above = middle;
            }
        }
        double low = continued(below);
        if (value <= low) {
            return below;
        }
        double halfway = low + (continued(above) - low) / 2;
        return value < halfway || value == halfway && (below & 1) == 0 ? below : above;
    }
}
