package dev.neurontest.tensor;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The data type of an element. Names are those of the debug stream ({@code tensor_dtype} of {@code nrt/ndebug_stream.h}): lower-case,
 * without an underscore in {@code float8e4m3}.
 *
 * <p>{@code float8e4m3} is Neuron's own variant with infinities and 240 as its largest value. {@code float8e4m3fn} is the OCP variant with
 * 448. Switches of the runtime may exchange the meanings of these names. In this case, {@link TensorView#reinterpret} reads the bits as
 * the other type.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum DType {
    /** Boolean of one byte; every value except 0 is true. */
    BOOL("bool", Kind.BOOL, 8, null, 1),
    /** Signed integer of 8 bits. */
    INT8("int8", Kind.SIGNED, 8, null, 1),
    /** Signed integer of 16 bits. */
    INT16("int16", Kind.SIGNED, 16, null, 1),
    /** Signed integer of 32 bits. */
    INT32("int32", Kind.SIGNED, 32, null, 1),
    /** Signed integer of 64 bits. */
    INT64("int64", Kind.SIGNED, 64, null, 1),
    /** Unsigned integer of 8 bits. */
    UINT8("uint8", Kind.UNSIGNED, 8, null, 1),
    /** Unsigned integer of 16 bits. */
    UINT16("uint16", Kind.UNSIGNED, 16, null, 1),
    /** Unsigned integer of 32 bits. */
    UINT32("uint32", Kind.UNSIGNED, 32, null, 1),
    /** Unsigned integer of 64 bits. */
    UINT64("uint64", Kind.UNSIGNED, 64, null, 1),
    /** IEEE half precision: 5 bits of exponent, 10 of mantissa. */
    FLOAT16("float16", new FloatFormat(5, 10, 15, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** The upper half of a {@code float32}. */
    BFLOAT16("bfloat16", new FloatFormat(8, 7, 127, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** IEEE single precision. */
    FLOAT32("float32", new FloatFormat(8, 23, 127, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** IEEE double precision. No device prints it, but expected values may have this type. */
    FLOAT64("float64", new FloatFormat(11, 52, 1023, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** A {@code float32} that the tensor engine processes in pieces; the bits are the same. */
    FLOAT32R("float32r", FLOAT32.format, 1),
    /** TensorFloat-32 in a container of 32 bits, read as {@code float32}. Its position in the container is not documented. */
    TFLOAT32("tfloat32", FLOAT32.format, 1),
    /** Float with 3 bits of exponent, 4 of mantissa, with infinities; largest value 15.5. */
    FLOAT8E3M4("float8e3m4", new FloatFormat(3, 4, 3, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** Float with 4 bits of exponent, 3 of mantissa, with infinities; largest value 240. */
    FLOAT8E4M3("float8e4m3", new FloatFormat(4, 3, 7, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** Float with 4 bits of exponent, 3 of mantissa, without infinities; largest value 448. */
    FLOAT8E4M3FN("float8e4m3fn", new FloatFormat(4, 3, 7, FloatFormat.Specials.LAST_IS_NAN), 1),
    /** Float with 5 bits of exponent, 2 of mantissa, with infinities; largest value 57344. */
    FLOAT8E5M2("float8e5m2", new FloatFormat(5, 2, 15, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** A power of two, as in block scales: exponent only; no sign, no zero. */
    FLOAT8E8M0FNU("float8e8m0fnu", new FloatFormat(8, 0, 127, FloatFormat.Specials.EXPONENT_ONLY), 1),
    /** Float with 2 bits of exponent, 1 of mantissa: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. */
    FLOAT4E2M1FN("float4e2m1fn", new FloatFormat(2, 1, 1, FloatFormat.Specials.NONE), 1),
    /** Four {@code float8e4m3} in one unit. */
    FLOAT8E4M3_X4("float8e4m3_x4", FLOAT8E4M3.format, 4),
    /** Four {@code float8e4m3fn} in one unit. */
    FLOAT8E4M3FN_X4("float8e4m3fn_x4", FLOAT8E4M3FN.format, 4),
    /** Four {@code float8e5m2} in one unit. */
    FLOAT8E5M2_X4("float8e5m2_x4", FLOAT8E5M2.format, 4),
    /** Four {@code float4e2m1fn} in one unit. */
    FLOAT4E2M1FN_X4("float4e2m1fn_x4", FLOAT4E2M1FN.format, 4);

    private static final Map<String, DType> NAMES = new HashMap<>();

    /** The distance of neighboring TensorFloat-32 values in codes of {@code float32}. TensorFloat-32 has 10 bits of mantissa. */
    private static final long TFLOAT32_STEP = 1L << 13;

    static {
        for (DType dtype : values()) {
            NAMES.put(dtype.title, dtype);
        }
        alias(BOOL, "bool_", "boolean");
        alias(INT8, "i8", "s8", "sint8");
        alias(INT16, "i16", "s16");
        alias(INT32, "i32", "s32");
        alias(INT64, "i64", "s64");
        alias(UINT8, "u8");
        alias(UINT16, "u16");
        alias(UINT32, "u32");
        alias(UINT64, "u64");
        alias(FLOAT16, "fp16", "f16", "half");
        alias(BFLOAT16, "bf16");
        alias(FLOAT32, "fp32", "f32", "float");
        alias(FLOAT64, "fp64", "f64", "double");
        alias(FLOAT32R, "fp32r", "f32r");
        alias(TFLOAT32, "tf32");
        alias(FLOAT8E3M4, "float8e3");
        alias(FLOAT8E4M3, "float8e4");
        alias(FLOAT8E5M2, "float8e5");
        alias(FLOAT8E8M0FNU, "float8e8m0");
        alias(FLOAT4E2M1FN, "float4e2m1");
    }

    private enum Kind {
        BOOL,
        SIGNED,
        UNSIGNED,
        FLOATING
    }

    private final String title;
    private final Kind kind;
    private final int bits;
    private final @Nullable FloatFormat format;
    private final int lanes;

    DType(String title, Kind kind, int bits, @Nullable FloatFormat format, int lanes) {
        this.title = title;
        this.kind = kind;
        this.bits = bits;
        this.format = format;
        this.lanes = lanes;
    }

    DType(String title, @Nullable FloatFormat format, int lanes) {
        this(title, Kind.FLOATING, format == null ? 0 : format.bits(), format, lanes);
    }

    private static void alias(DType dtype, String... names) {
        for (String name : names) {
            NAMES.put(name, dtype);
        }
    }

    /**
     * Finds a data type by its name in an event, NKI, NumPy, PyTorch or the runtime.
     *
     * @param name such as {@code bfloat16}, {@code float8_e4m3}, {@code bf16}, {@code FP8_E4} or {@code torch.float32}
     * @return the data type; empty when it is unknown
     */
    public static Optional<DType> of(String name) {
        DType exact = NAMES.get(name);
        if (exact != null) {
            return Optional.of(exact);
        }
        String plain = name.strip().toLowerCase(Locale.ROOT);
        plain = plain.substring(plain.lastIndexOf('.') + 1)
                .replaceFirst("^(?:fp|f|float)([84])_?e", "float$1e")
                .replaceFirst("_?x4$", "_x4");
        return Optional.ofNullable(NAMES.get(plain));
    }

    /**
     * Returns the name in the debug stream.
     *
     * @return the name in lower case
     */
    @Override
    public String toString() {
        return title;
    }

    /**
     * Returns the number of bits of one value.
     *
     * @return 4, 8, 16, 32 or 64
     */
    public int bits() {
        return bits;
    }

    /**
     * Returns the number of values in one unit of a packed shape.
     *
     * @return 4 for the {@code _x4} types, else 1
     */
    public int lanes() {
        return lanes;
    }

    /**
     * Returns whether the values can have fractions, unlike integers and booleans.
     *
     * @return true for all types that begin with {@code float}, {@code bfloat} and {@code tfloat}
     */
    public boolean isFloating() {
        return kind == Kind.FLOATING;
    }

    /**
     * Returns whether the values are integers.
     *
     * @return false for booleans
     */
    public boolean isInteger() {
        return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
    }

    /**
     * Returns the value of a code. It is exact except for integers beyond 2<sup>53</sup>.
     *
     * @param code the bits, in the least significant positions
     * @return the value; 1 for true
     */
    public double number(long code) {
        return switch (kind) {
            case BOOL -> code == 0 ? 0 : 1;
            case SIGNED -> signed(code);
            case UNSIGNED -> code >= 0 ? code : 2.0 * (code >>> 1 | code & 1);
            case FLOATING -> format().value(code);
        };
    }

    /**
     * Returns the exact integer value of a code.
     *
     * @param code the bits, in the least significant positions
     * @return the value; 1 for true
     * @throws IllegalStateException when this data type has fractions
     */
    public BigInteger integer(long code) {
        return switch (kind) {
            case BOOL -> code == 0 ? BigInteger.ZERO : BigInteger.ONE;
            case SIGNED -> BigInteger.valueOf(signed(code));
            case UNSIGNED -> new BigInteger(Long.toUnsignedString(code));
            case FLOATING -> throw new IllegalStateException(title + " has no whole numbers; use number()");
        };
    }

    private long signed(long code) {
        return code << Long.SIZE - bits >> Long.SIZE - bits;
    }

    /**
     * Returns the distance between a code and a number, counted in values of this data type. The number is first rounded to this data
     * type, to nearest with ties to even. Both zeros are equal. An infinity is the next value after the largest finite value, and an
     * overflow is treated as infinity.
     *
     * @param code the bits, in the least significant positions
     * @param number the expected number
     * @return 0 when the code is the nearest one; {@link Long#MAX_VALUE} for larger distances; empty when one of them is NaN, or this data
     *     type has no fractions
     */
    public OptionalLong ulps(long code, double number) {
        if (format == null || Double.isNaN(number) || format.isNaN(code)) {
            return OptionalLong.empty();
        }
        long distance = distance(format.position(code), format.position(number));
        return OptionalLong.of(this == TFLOAT32 ? (distance + TFLOAT32_STEP / 2) / TFLOAT32_STEP : distance);
    }

    private static long distance(long a, long b) {
        long distance = Math.max(a, b) - Math.min(a, b);
        return distance < 0 ? Long.MAX_VALUE : distance;
    }

    /**
     * Returns a value as text in the style of NumPy. For {@code float16}, {@code float32} and {@code float64} it is the shortest decimal
     * that identifies the value within its data type. The narrow types have six digits.
     *
     * @param code the bits, in the least significant positions
     * @return such as {@code 0.1}, {@code 1e-05}, {@code -0.0}, {@code nan}, {@code inf}, {@code True} or {@code 18446744073709551615}
     */
    public String text(long code) {
        return switch (kind) {
            case BOOL -> code == 0 ? "False" : "True";
            case SIGNED -> Long.toString(signed(code));
            case UNSIGNED -> Long.toUnsignedString(code);
            case FLOATING ->
                hasShortText()
                        ? NumberText.shortest(
                                number(code), decimal -> format().position(decimal) == format().position(code))
                        : NumberText.rounded(number(code));
        };
    }

    /**
     * Returns whether the shortest decimal is used. In narrow types, neighboring values are far apart and the shortest decimal is
     * misleading: 2e-05 would represent 1.52588e-05.
     */
    private boolean hasShortText() {
        return bits > Short.SIZE || this == FLOAT16;
    }

    private FloatFormat format() {
        if (format == null) {
            throw new IllegalStateException(title + " has no fractions");
        }
        return format;
    }
}
