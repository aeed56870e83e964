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
 * What the bits of an element mean. Names are those of the debug stream ({@code tensor_dtype} of {@code nrt/ndebug_stream.h}):
 * lower-case, without an underscore in {@code float8e4m3}.
 *
 * <p>{@code float8e4m3} is Neuron's own variant with infinities and 240 as its largest value; {@code float8e4m3fn} is the OCP one
 * with 448. Switches of the runtime may change which of them a name stands for; {@link TensorView#reinterpret} reads it the other
 * way.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum DType {
    /** One byte; anything but 0 is true. */
    BOOL("bool", Kind.BOOL, 8, null, 1),
    /** Signed, 8 bits. */
    INT8("int8", Kind.SIGNED, 8, null, 1),
    /** Signed, 16 bits. */
    INT16("int16", Kind.SIGNED, 16, null, 1),
    /** Signed, 32 bits. */
    INT32("int32", Kind.SIGNED, 32, null, 1),
    /** Signed, 64 bits. */
    INT64("int64", Kind.SIGNED, 64, null, 1),
    /** Unsigned, 8 bits. */
    UINT8("uint8", Kind.UNSIGNED, 8, null, 1),
    /** Unsigned, 16 bits. */
    UINT16("uint16", Kind.UNSIGNED, 16, null, 1),
    /** Unsigned, 32 bits. */
    UINT32("uint32", Kind.UNSIGNED, 32, null, 1),
    /** Unsigned, 64 bits. */
    UINT64("uint64", Kind.UNSIGNED, 64, null, 1),
    /** IEEE half precision: 5 bits of exponent, 10 of mantissa. */
    FLOAT16("float16", new FloatFormat(5, 10, 15, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** The upper half of a {@code float32}. */
    BFLOAT16("bfloat16", new FloatFormat(8, 7, 127, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** IEEE single precision. */
    FLOAT32("float32", new FloatFormat(8, 23, 127, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** IEEE double precision. No device prints it; expected values may have it. */
    FLOAT64("float64", new FloatFormat(11, 52, 1023, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** A {@code float32} that the tensor engine takes in pieces; the same bits. */
    FLOAT32R("float32r", FLOAT32.format, 1),
    /** TensorFloat-32 in a container of 32 bits, read as {@code float32}. How it lies in the container is not documented. */
    TFLOAT32("tfloat32", FLOAT32.format, 1),
    /** 3 bits of exponent, 4 of mantissa, with infinities; largest value 15.5. */
    FLOAT8E3M4("float8e3m4", new FloatFormat(3, 4, 3, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** 4 bits of exponent, 3 of mantissa, with infinities; largest value 240. */
    FLOAT8E4M3("float8e4m3", new FloatFormat(4, 3, 7, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** 4 bits of exponent, 3 of mantissa, without infinities; largest value 448. */
    FLOAT8E4M3FN("float8e4m3fn", new FloatFormat(4, 3, 7, FloatFormat.Specials.LAST_IS_NAN), 1),
    /** 5 bits of exponent, 2 of mantissa, with infinities; largest value 57344. */
    FLOAT8E5M2("float8e5m2", new FloatFormat(5, 2, 15, FloatFormat.Specials.INFINITY_AND_NAN), 1),
    /** A power of two, as block scales are: only an exponent; no sign, no zero. */
    FLOAT8E8M0FNU("float8e8m0fnu", new FloatFormat(8, 0, 127, FloatFormat.Specials.EXPONENT_ONLY), 1),
    /** 2 bits of exponent, 1 of mantissa: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. */
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

    /** How many codes of a {@code float32} lie between neighbours of TensorFloat-32, which has 10 bits of mantissa. */
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
     * Finds a dtype by the name that an event, NKI, NumPy, PyTorch or the runtime has for it.
     *
     * @param name such as {@code bfloat16}, {@code float8_e4m3}, {@code bf16}, {@code FP8_E4} or {@code torch.float32}
     * @return empty when it is not known
     */
    public static Optional<DType> of(String name) {
        DType own = NAMES.get(name);
        if (own != null) {
            return Optional.of(own);
        }
        String plain = name.strip().toLowerCase(Locale.ROOT);
        plain = plain.substring(plain.lastIndexOf('.') + 1)
                .replaceFirst("^(?:fp|f|float)([84])_?e", "float$1e")
                .replaceFirst("_?x4$", "_x4");
        return Optional.ofNullable(NAMES.get(plain));
    }

    /**
     * The name that the debug stream has for it.
     *
     * @return lower-case
     */
    @Override
    public String toString() {
        return title;
    }

    /**
     * How many bits one value has.
     *
     * @return 4, 8, 16, 32 or 64
     */
    public int bits() {
        return bits;
    }

    /**
     * How many values a unit of the shape has when it is packed.
     *
     * @return 4 for the {@code _x4} types, else 1
     */
    public int lanes() {
        return lanes;
    }

    /**
     * Whether it has fractions, as against whole numbers and truth values.
     *
     * @return true for all that begin with {@code float}, {@code bfloat} and {@code tfloat}
     */
    public boolean isFloating() {
        return kind == Kind.FLOATING;
    }

    /**
     * Whether its values are whole numbers.
     *
     * @return false for truth values
     */
    public boolean isInteger() {
        return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
    }

    /**
     * The value of a code. It is exact but for whole numbers beyond 2<sup>53</sup>.
     *
     * @param code the bits, in the lowest ones
     * @return true is 1
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
     * The whole number of a code, exactly.
     *
     * @param code the bits, in the lowest ones
     * @return true is 1
     * @throws IllegalStateException when this dtype has fractions
     */
    public BigInteger integer(long code) {
        return switch (kind) {
            case BOOL -> code == 0 ? BigInteger.ZERO : BigInteger.ONE;
            case SIGNED -> BigInteger.valueOf(signed(code));
            case UNSIGNED -> new BigInteger(Long.toUnsignedString(code));
            case FLOATING -> throw new IllegalStateException(title + " has no whole numbers; ask for number()");
        };
    }

    private long signed(long code) {
        return code << Long.SIZE - bits >> Long.SIZE - bits;
    }

    /**
     * How many values of this dtype lie between a code and a number that is rounded to this dtype, to the nearest and ties to even.
     * Both zeros are the same; an infinity is one behind the largest value, and so is what overflows.
     *
     * @param code the bits, in the lowest ones
     * @param number what it should have been
     * @return 0 when the code is the nearest one; {@link Long#MAX_VALUE} when it is even more; empty when one of them is NaN, or this
     *     dtype has no fractions
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
     * A value as NumPy writes it: {@code float16}, {@code float32} and {@code float64} as the shortest decimal that no other value of
     * the dtype is nearer to, the narrow types with six digits.
     *
     * @param code the bits, in the lowest ones
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

    /** The fewest digits are too few where neighbours are far apart: 2e-05 would stand for 1.52588e-05. */
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
