package dev.neurontest.tensor;

/**
 * A binary floating-point format. It converts codes to values and finds the nearest code to a value. Every value of every format here is
 * exactly representable as a double; no value is rounded.
 *
 * @param exponentBits number of exponent bits
 * @param mantissaBits number of mantissa bits
 * @param bias bias of the exponent
 * @param specials codes without a finite value
 */
record FloatFormat(int exponentBits, int mantissaBits, int bias, Specials specials) {

    private static final int DOUBLE_BIAS = 1023;
    private static final int DOUBLE_MANTISSA = 52;

    /** The meaning of the codes with the largest exponent. */
    enum Specials {
        /** Infinities and NaN as in IEEE 754. */
        INFINITY_AND_NAN,
        /** NaN for the very last code only; no infinity. */
        LAST_IS_NAN,
        /** Finite values for all codes. */
        NONE,
        /** Exponent in all bits, without sign and zero; NaN for the last code. */
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

    /** Returns the magnitude of the largest finite value. */
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

    /** Returns the value of a magnitude without special codes. The values continue beyond the largest finite value. */
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

    /** Returns the position of a code on a line with a distance of one between neighboring values; both zeros are at 0. */
    long position(long code) {
        return isNegative(code) ? -magnitude(code) : magnitude(code);
    }

    /**
     * Returns the position of a value on this line after rounding to nearest, ties to even. After an overflow, it is one more than that of
     * the largest finite value.
     */
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
