package dev.neurontest.fake.internal.runtime;

import dev.neurontest.fake.internal.runtime.FloatFormat.Largest;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The element types of tensors, by their names in device prints. The numbers are those of {@code nrt_dtype_t}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Element {
    /** A byte that is 0 or 1. */
    BOOL("bool", 8, 1, 3),
    /** An integer of 8 bits with sign. */
    INT8("int8", 8, 1, 2),
    /** An integer of 16 bits with sign. */
    INT16("int16", 16, 1, 4),
    /** An integer of 32 bits with sign. */
    INT32("int32", 32, 1, 8),
    /** An integer of 64 bits with sign. */
    INT64("int64", 64, 1, 12),
    /** An integer of 8 bits without sign. */
    UINT8("uint8", 8, 1, 3),
    /** An integer of 16 bits without sign. */
    UINT16("uint16", 16, 1, 5),
    /** An integer of 32 bits without sign. */
    UINT32("uint32", 32, 1, 9),
    /** An integer of 64 bits without sign. */
    UINT64("uint64", 64, 1, 1),
    /** IEEE binary16. */
    FLOAT16("float16", 16, 1, 7, new FloatFormat(5, 10, 15, Largest.INFINITY)),
    /** The upper half of binary32. */
    BFLOAT16("bfloat16", 16, 1, 6, new FloatFormat(8, 7, 127, Largest.INFINITY)),
    /** IEEE binary32. */
    FLOAT32("float32", 32, 1, 10, new FloatFormat(8, 23, 127, Largest.INFINITY)),
    /** Same as binary32. */
    FLOAT32R("float32r", 32, 1, 11, new FloatFormat(8, 23, 127, Largest.INFINITY)),
    /** Same as binary32, with 10 bits of mantissa. */
    TFLOAT32("tfloat32", 32, 1, 0, new FloatFormat(8, 10, 127, Largest.INFINITY), 13),
    /** A float with 3 bits of exponent. */
    FLOAT8E3M4("float8e3m4", 8, 1, 13, new FloatFormat(3, 4, 3, Largest.INFINITY)),
    /** A float with 4 bits of exponent, with infinity. */
    FLOAT8E4M3("float8e4m3", 8, 1, 14, new FloatFormat(4, 3, 7, Largest.INFINITY)),
    /** A float with 4 bits of exponent, without infinity. */
    FLOAT8E4M3FN("float8e4m3fn", 8, 1, 2, new FloatFormat(4, 3, 7, Largest.NAN)),
    /** A float with 5 bits of exponent. */
    FLOAT8E5M2("float8e5m2", 8, 1, 15, new FloatFormat(5, 2, 15, Largest.INFINITY)),
    /** A power of two. */
    FLOAT8E8M0FNU("float8e8m0fnu", 8, 1, 0),
    /** A float of 4 bits in a byte. */
    FLOAT4E2M1FN("float4e2m1fn", 8, 1, 0, new FloatFormat(2, 1, 1, Largest.NUMBER)),
    /** Four values in 32 bits. */
    FLOAT8E4M3FN_X4("float8e4m3fn_x4", 32, 4, 0, new FloatFormat(4, 3, 7, Largest.NAN)),
    /** Four values in 32 bits. */
    FLOAT8E5M2_X4("float8e5m2_x4", 32, 4, 0, new FloatFormat(5, 2, 15, Largest.INFINITY)),
    /** Four values in 16 bits. */
    FLOAT4E2M1FN_X4("float4e2m1fn_x4", 16, 4, 0, new FloatFormat(2, 1, 1, Largest.NUMBER));

    private static final int MOST_DIMENSIONS = 8;

    private final String elementName;
    private final int bits;
    private final int packed;
    private final int code;
    private final @Nullable FloatFormat format;
    private final int shift;

    Element(String elementName, int bits, int packed, int code) {
        this(elementName, bits, packed, code, null, 0);
    }

    Element(String elementName, int bits, int packed, int code, FloatFormat format) {
        this(elementName, bits, packed, code, format, 0);
    }

    Element(String elementName, int bits, int packed, int code, @Nullable FloatFormat format, int shift) {
        this.elementName = elementName;
        this.bits = bits;
        this.packed = packed;
        this.code = code;
        this.format = format;
        this.shift = shift;
    }

    /**
     * Returns the type of a name; it accepts several spellings.
     *
     * @param name name such as {@code bfloat16}, {@code bf16} or {@code float8_e4m3}
     * @throws IllegalArgumentException if there is none; the message lists all types
     */
    public static Element named(String name) {
        String plain =
                name.toLowerCase(Locale.ROOT).replace("float8_e", "float8e").replace("float4_e", "float4e");
        String canonical = switch (plain) {
            case "bf16" -> "bfloat16";
            case "fp16" -> "float16";
            case "fp32" -> "float32";
            case "bool_" -> "bool";
            default -> plain;
        };
        return Arrays.stream(values())
                .filter(element -> element.elementName.equals(canonical))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no element type \"" + name + "\"; there are: "
                        + Arrays.stream(values())
                                .map(element -> element.elementName)
                                .collect(Collectors.joining(", "))));
    }

    /**
     * Returns the number of the type in tensor infos.
     *
     * @return the value of {@code nrt_dtype_t}; 0 if that has no such type; an fp8 without infinity is an int8
     */
    public int code() {
        return code;
    }

    /**
     * Returns the number of values packed into a unit of a shape.
     *
     * @return 1 or 4
     */
    public int packed() {
        return packed;
    }

    /**
     * Returns the size of a tensor in bytes.
     *
     * @param units the product of its dimensions
     * @throws IllegalArgumentException if the size is too large
     */
    public long bytes(long units) {
        try {
            return Math.multiplyExact(units, (long) bits / Byte.SIZE);
        } catch (ArithmeticException tooLarge) {
            throw new IllegalArgumentException(
                    "a tensor of " + units + " elements of " + elementName + " is too large", tooLarge);
        }
    }

    /**
     * Parses a shape.
     *
     * @param text text such as {@code 128x512}; {@code -} for a scalar
     * @return the dimensions
     * @throws IllegalArgumentException if the text is invalid
     */
    public static long[] shape(String text) {
        if (text.equals("-")) {
            return new long[0];
        }
        String[] dimensions = text.split("x", -1);
        if (!Arrays.stream(dimensions).allMatch(each -> each.matches("[0-9]{1,18}"))) {
            throw new IllegalArgumentException("a shape must have a form such as 128x512, not " + text);
        }
        return Arrays.stream(dimensions).mapToLong(Long::parseLong).toArray();
    }

    /**
     * Returns the number of units of a shape.
     *
     * @param shape at most 8 dimensions of at least 1
     * @return their product
     * @throws IllegalArgumentException if the shape is invalid
     */
    public static long units(long... shape) {
        long product = 1;
        try {
            for (long each : shape) {
                product = Math.multiplyExact(product, each);
            }
        } catch (ArithmeticException tooLarge) {
            throw new IllegalArgumentException(
                    "a tensor of the shape " + Arrays.toString(shape) + " is too large", tooLarge);
        }
        if (shape.length > MOST_DIMENSIONS || Arrays.stream(shape).anyMatch(each -> each < 1)) {
            throw new IllegalArgumentException("a shape has at most " + MOST_DIMENSIONS
                    + " dimensions of at least 1, not " + Arrays.toString(shape));
        }
        return product;
    }

    /**
     * Encodes values, rounded to the nearest value, and to the even value in a tie. Values that are too large become infinity. They
     * become NaN if the type has no infinity, or the largest number if it has neither. Integers wrap.
     *
     * @param values the values; their number is a multiple of {@link #packed()}
     * @return little-endian bytes
     * @throws IllegalArgumentException if a value is NaN and the type has none
     */
    public byte[] encode(double... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(bytes(values.length / packed)))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i + packed <= values.length; i += packed) {
            long unit = 0;
            for (int part = 0; part < packed; part++) {
                unit |= code(values[i + part]) << part * (bits / packed);
            }
            switch (bits) {
                case 8 -> bytes.put((byte) unit);
                case 16 -> bytes.putShort((short) unit);
                case 32 -> bytes.putInt((int) unit);
                default -> bytes.putLong(unit);
            }
        }
        return bytes.array();
    }

    private long code(double value) {
        if (format != null) {
            return Integer.toUnsignedLong(format.encode(value) << shift);
        }
        if (this == FLOAT8E8M0FNU) {
            return powerOfTwo(value);
        }
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(elementName + " has no " + value);
        }
        if (this == BOOL) {
            return value == 0 ? 0 : 1;
        }
        return new BigDecimal(Math.rint(value)).toBigInteger().longValue();
    }

    /** Encodes a power of two. The format has no zero and no sign: values that are too small become the smallest. */
    private static long powerOfTwo(double value) {
        if (Double.isNaN(value) || value < 0 || Double.isInfinite(value)) {
            return 0xff;
        }
        int exponent = Math.max(-127, Math.min(127, value == 0 ? -127 : Math.getExponent(value)));
        double over = Math.scalb(value, -exponent);
        boolean up = over > 1.5 || over == 1.5 && (exponent + 127 & 1) == 1;
        return Math.min(254, exponent + 127 + (up ? 1 : 0));
    }
}
