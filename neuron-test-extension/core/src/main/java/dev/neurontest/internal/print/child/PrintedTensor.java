package dev.neurontest.internal.print.child;

import dev.neurontest.tensor.Abbreviation;
import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.Tolerance;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A tensor that a program wrote as text. Its numbers have as many digits as were written.
 *
 * @param dtype data type according to the text; {@code bool}, {@code int64} or {@code float64} when it is missing
 * @param shape shape according to the text, or to the nesting of the brackets. A length that neither tells is unknown
 * @param data the written values; empty when the data type is not supported for encoding
 * @param abbreviation the written part of an abbreviated tensor; empty when the text is complete
 * @param rounding how far a written number may be from the value
 * @param trouble reason why the text is no tensor; empty when it is one
 */
record PrintedTensor(
        String dtype,
        List<Long> shape,
        TensorBytes data,
        Optional<Abbreviation> abbreviation,
        Tolerance rounding,
        String trouble) {

    private static final TensorBytes NOTHING = TensorBytes.of(new byte[0]);
    private static final long NO_GAP = -1;
    private static final Pattern FRACTION = Pattern.compile("\\.(\\d*)([eE])?");

    /** The numbers of decimals after which programs round: those of the consumers of frameworks, and of NumPy. */
    private static final Set<Integer> LIMITS = Set.of(4, 8);

    /** Parses a tensor without a known data type and shape. */
    static PrintedTensor of(String text) {
        NumberBlock block = NumberBlock.of(text);
        if (!block.trouble().isEmpty()) {
            return broken(block.trouble());
        }
        List<String> numbers = block.numbers();
        String dtype = Stream.of("int64", "uint64", "bool")
                .filter(name -> numbers.stream().allMatch(number -> isOf(name, number)))
                .findFirst()
                .orElse("float64");
        Abbreviation part = new Abbreviation(block.shape(), block.gaps());
        return encoded(dtype, part.knownShape(), part, block);
    }

    /** Parses a tensor with a known data type and shape. */
    static PrintedTensor of(String text, String dtype, List<Long> shape) {
        NumberBlock block = NumberBlock.of(text);
        if (!block.trouble().isEmpty()) {
            return broken(block.trouble());
        }
        Optional<Abbreviation> part = part(shape, block);
        if (part.isEmpty()) {
            return broken("it is nested as %s, but its declared shape is %s"
                    .formatted(new Abbreviation(block.shape(), block.gaps()).knownShape(), shape));
        }
        return encoded(dtype, shape, part.get(), block);
    }

    /**
     * Returns the written part of a tensor with a known shape; empty when the nesting contradicts the shape. Consumers omit dimensions of
     * length 1 when they print a tensor, and the brackets in an empty one.
     */
    private static Optional<Abbreviation> part(List<Long> declared, NumberBlock block) {
        if (declared.contains(0L) && block.numbers().isEmpty()) {
            return Optional.of(new Abbreviation(declared, Collections.nCopies(declared.size(), NO_GAP)));
        }
        List<Long> written = new ArrayList<>();
        List<Long> gaps = new ArrayList<>();
        int level = 0;
        for (long length : declared) {
            level = length == 1 ? level : nextLongLevel(block, level);
            boolean isOmitted = length == 1 || level == block.shape().size();
            written.add(isOmitted ? 1L : block.shape().get(level));
            gaps.add(isOmitted ? NO_GAP : block.gaps().get(level));
            level += isOmitted ? 0 : 1;
            long last = written.get(written.size() - 1);
            if (gaps.get(gaps.size() - 1) == NO_GAP ? last != length : last >= length) {
                return Optional.empty();
            }
        }
        return nextLongLevel(block, level) == block.shape().size()
                ? Optional.of(new Abbreviation(written, gaps))
                : Optional.empty();
    }

    /** Skips levels with one element. */
    private static int nextLongLevel(NumberBlock block, int first) {
        int level = first;
        while (level < block.shape().size()
                && block.shape().get(level) == 1
                && block.gaps().get(level) == NO_GAP) {
            level++;
        }
        return level;
    }

    private static boolean isOf(String dtype, String number) {
        if (dtype.equals("bool")) {
            return isTruth(number);
        }
        if (!number.matches("[-+]?\\d{1,20}")) {
            return false;
        }
        BigInteger value = new BigInteger(number);
        return dtype.equals("int64")
                ? value.bitLength() < Long.SIZE
                : value.signum() >= 0 && value.bitLength() <= Long.SIZE;
    }

    private static boolean isTruth(String number) {
        return number.equals("True") || number.equals("False");
    }

    private static PrintedTensor broken(String trouble) {
        return new PrintedTensor("", List.of(), NOTHING, Optional.empty(), Tolerance.exact(), trouble);
    }

    private static PrintedTensor encoded(String name, List<Long> shape, Abbreviation part, NumberBlock block) {
        Optional<Abbreviation> omitting = Optional.of(part).filter(any -> block.isAbbreviated());
        Optional<DType> dtype = DType.of(name).filter(known -> known.bits() >= Byte.SIZE && known.lanes() == 1);
        if (dtype.isEmpty()) {
            return new PrintedTensor(name, shape, NOTHING, omitting, Tolerance.exact(), "");
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
        Tolerance rounding =
                dtype.get().isFloating() ? rounding(block.numbers(), dtype.get().bits()) : Tolerance.exact();
        return new PrintedTensor(name, shape, TensorBytes.of(data.flip()), omitting, rounding, "");
    }

    /**
     * Returns the rounding of numbers: half a unit of the last digit if a number has as many decimals as a program writes at most. Numbers
     * with fewer decimals are not rounded. An exponent makes it relative to the value. A narrow data type doubles it, because the number is
     * rounded again to this data type.
     */
    private static Tolerance rounding(List<String> numbers, int bits) {
        int decimals = 0;
        boolean hasExponent = false;
        for (String number : numbers) {
            Matcher fraction = FRACTION.matcher(number);
            if (fraction.find()) {
                decimals = Math.max(decimals, fraction.group(1).length());
                hasExponent |= fraction.group(2) != null;
            }
        }
        double half = LIMITS.contains(decimals) ? 0.5 * Math.pow(10, -decimals) * (bits < Float.SIZE ? 2 : 1) : 0;
        return half == 0 ? Tolerance.exact() : hasExponent ? Tolerance.relative(half) : Tolerance.absolute(half);
    }

    private static long code(DType dtype, String number) {
        if (isTruth(number)) {
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
