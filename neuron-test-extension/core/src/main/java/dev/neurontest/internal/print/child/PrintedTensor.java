package dev.neurontest.internal.print.child;

import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorBytes;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A tensor that a program wrote as text. Its numbers have as many digits as were written. Abbreviated text results in no values at all,
 * because the remaining values alone would be a different tensor.
 *
 * @param dtype data type according to the text; {@code int64} or {@code float64} when it is missing
 * @param shape shape according to the text, or to the nesting of the brackets
 * @param data empty when the text is abbreviated, or the data type is not supported for encoding
 * @param isAbbreviated true if the text omits values
 * @param trouble reason why the text is no tensor; empty when it is one
 */
record PrintedTensor(String dtype, List<Long> shape, TensorBytes data, boolean isAbbreviated, String trouble) {

    private static final TensorBytes NOTHING = TensorBytes.of(new byte[0]);

    /** Parses a tensor without a known data type and shape. */
    static PrintedTensor of(String text) {
        NumberBlock block = NumberBlock.of(text);
        if (!block.trouble().isEmpty()) {
            return broken(block.trouble());
        }
        if (block.isAbbreviated()) {
            return broken("it is abbreviated, and its shape is unknown");
        }
        boolean whole = block.numbers().stream().allMatch(number -> number.matches("[-+]?\\d{1,18}"));
        return encoded(whole ? "int64" : "float64", block.shape(), block);
    }

    /** Parses a tensor with a known data type and shape. */
    static PrintedTensor of(String text, String dtype, List<Long> shape) {
        NumberBlock block = NumberBlock.of(text);
        if (!block.trouble().isEmpty()) {
            return broken(block.trouble());
        }
        if (block.isAbbreviated()) {
            return new PrintedTensor(dtype, shape, NOTHING, true, "");
        }
        if (!sameButForOnes(shape, block.shape())) {
            return broken("it is nested as %s, but its declared shape is %s".formatted(block.shape(), shape));
        }
        return encoded(dtype, shape, block);
    }

    /** Compares two shapes without dimensions of length 1, because consumers omit these when they print a tensor. */
    private static boolean sameButForOnes(List<Long> declared, List<Long> nested) {
        return withoutOnes(declared).equals(withoutOnes(nested));
    }

    private static List<Long> withoutOnes(List<Long> shape) {
        return shape.stream().filter(length -> length != 1).toList();
    }

    private static PrintedTensor broken(String trouble) {
        return new PrintedTensor("", List.of(), NOTHING, false, trouble);
    }

    private static PrintedTensor encoded(String name, List<Long> shape, NumberBlock block) {
        Optional<DType> dtype = DType.of(name).filter(known -> known.bits() >= Byte.SIZE && known.lanes() == 1);
        if (dtype.isEmpty()) {
            return new PrintedTensor(name, shape, NOTHING, false, "");
        }
        int width = dtype.get().bits() / Byte.SIZE;
        ByteBuffer data = ByteBuffer.allocate(block.numbers().size() * width).order(ByteOrder.LITTLE_ENDIAN);
        for (String number : block.numbers()) {
            long code;
            try {
                code = code(dtype.get(), number);
            } catch (NumberFormatException e) {
                return broken("\"%s\" is not a valid %s".formatted(number, name));
            }
            for (int each = 0; each < width; each++) {
                data.put((byte) (code >> each * Byte.SIZE));
            }
        }
        return new PrintedTensor(name, shape, TensorBytes.of(data.flip()), false, "");
    }

    private static long code(DType dtype, String number) {
        if (number.equals("True") || number.equals("False")) {
            return code(dtype, number.equals("True") ? "1" : "0");
        }
        if (!dtype.isFloating()) {
            BigInteger whole = number.startsWith("0x")
                    ? new BigInteger(number.substring(2), 16)
                    : new BigInteger(number.endsWith(".") ? number.substring(0, number.length() - 1) : number);
            long code = whole.longValue();
            if (dtype.isInteger() && !dtype.integer(mask(code, dtype.bits())).equals(whole)) {
                throw new NumberFormatException(number);
            }
            return code;
        }
        double value = number(number);
        return switch (dtype.bits()) {
            case Double.SIZE -> Double.doubleToLongBits(value);
            case Float.SIZE -> Float.floatToIntBits((float) value);
            default -> NearestCode.of(dtype).code(value);
        };
    }

    private static long mask(long code, int bits) {
        return bits == Long.SIZE ? code : code & (1L << bits) - 1;
    }

    private static double number(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.endsWith("nan")) {
            return Double.NaN;
        }
        if (lower.contains("inf")) {
            return lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return Double.parseDouble(text);
    }
}
