package dev.neurontest.fake.internal.runtime;

/**
 * A binary floating-point format of at most 32 bits. It rounds to the nearest value, and to the even value in a tie.
 *
 * @param exponentBits width of the exponent
 * @param mantissaBits width of the mantissa
 * @param bias bias of the exponent
 * @param largest meaning of the codes with the highest exponent
 */
record FloatFormat(int exponentBits, int mantissaBits, int bias, Largest largest) {

    /** The meaning of the codes with the highest exponent. */
    enum Largest {
        /** Infinity, followed by NaN codes. */
        INFINITY,
        /** Numbers, except for the last code, which is NaN. */
        NAN,
        /** Numbers only. */
        NUMBER
    }

    int encode(double value) {
        int sign = Double.doubleToRawLongBits(value) < 0 ? 1 << (exponentBits + mantissaBits) : 0;
        int highest = (1 << exponentBits) - 1 << mantissaBits;
        if (Double.isNaN(value)) {
            if (largest == Largest.NUMBER) {
                throw new IllegalArgumentException("this element type has no NaN");
            }
            return largest == Largest.INFINITY ? sign | highest | 1 << (mantissaBits - 1) : sign | overflow();
        }
        double magnitude = Math.abs(value);
        if (magnitude == 0) {
            return sign;
        }
        if (Double.isInfinite(magnitude)) {
            return sign | overflow();
        }
        int exponent = Math.max(Math.getExponent(magnitude), 1 - bias);
        // The number of units in the last place. The division is exact, and rint rounds.
        long units = (long) Math.rint(Math.scalb(magnitude, mantissaBits - exponent));
        // If rounding overflows the mantissa, the carry increments the exponent.
        long code = ((long) (exponent + bias - 1) << mantissaBits) + units;
        return sign | (int) Math.min(code, overflow());
    }

    /** Returns the code of values that are too large: infinity, the only NaN, or the largest number. */
    private int overflow() {
        return largest == Largest.INFINITY
                ? (1 << exponentBits) - 1 << mantissaBits
                : (1 << (exponentBits + mantissaBits)) - 1;
    }
}
