package dev.neurontest.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DTypeTest {

    private static final BigDecimal TWO = BigDecimal.valueOf(2);

    /**
     * A second implementation of the format in exact decimal arithmetic: sign, exponent and mantissa are cut from a
     * string of binary digits.
     */
    private record Definition(int sign, int exponent, int mantissa, int bias, String specials) {

        private static Definition of(DType dtype) {
            return switch (dtype) {
                case FLOAT16 -> new Definition(1, 5, 10, 15, "ieee");
                case BFLOAT16 -> new Definition(1, 8, 7, 127, "ieee");
                case FLOAT8E3M4 -> new Definition(1, 3, 4, 3, "ieee");
                case FLOAT8E4M3 -> new Definition(1, 4, 3, 7, "ieee");
                case FLOAT8E4M3FN -> new Definition(1, 4, 3, 7, "all ones are NaN");
                case FLOAT8E5M2 -> new Definition(1, 5, 2, 15, "ieee");
                case FLOAT8E8M0FNU -> new Definition(0, 8, 0, 127, "power of two");
                case FLOAT4E2M1FN -> new Definition(1, 2, 1, 1, "none");
                default -> throw new IllegalArgumentException(dtype.toString());
            };
        }

        private int codes() {
            return 1 << sign + exponent + mantissa;
        }

        /** Returns a finite value exactly, and otherwise {@code inf}, {@code -inf} or {@code nan}. */
        private Object value(int code) {
            String bits = Integer.toBinaryString(codes() | code).substring(1);
            String e = bits.substring(sign, sign + exponent);
            String m = bits.substring(sign + exponent);
            boolean negative = sign == 1 && bits.charAt(0) == '1';
            boolean allExponent = !e.contains("0");
            boolean noMantissa = !m.contains("1");
            if (specials.equals("power of two")) {
                return allExponent ? "nan" : power(Integer.parseInt(e, 2) - bias);
            }
            if (specials.equals("ieee") && allExponent) {
                return noMantissa ? negative ? "-inf" : "inf" : "nan";
            }
            if (specials.equals("all ones are NaN") && allExponent && !m.contains("0")) {
                return "nan";
            }
            BigDecimal fraction = new BigDecimal(Integer.parseInt(m, 2)).multiply(power(-mantissa));
            BigDecimal magnitude = e.contains("1")
                    ? BigDecimal.ONE.add(fraction).multiply(power(Integer.parseInt(e, 2) - bias))
                    : fraction.multiply(power(1 - bias));
            return negative ? magnitude.negate() : magnitude;
        }

        private static BigDecimal power(int exponent) {
            return exponent >= 0 ? TWO.pow(exponent) : new BigDecimal("0.5").pow(-exponent);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {
                "FLOAT16",
                "BFLOAT16",
                "FLOAT8E3M4",
                "FLOAT8E4M3",
                "FLOAT8E4M3FN",
                "FLOAT8E5M2",
                "FLOAT8E8M0FNU",
                "FLOAT4E2M1FN"
            })
    void decodesEveryCodeByDefinition(DType dtype) {
        // given
        Definition definition = Definition.of(dtype);

        // then
        for (int code = 0; code < definition.codes(); code++) {
            double value = dtype.number(code);
            Object expected = definition.value(code);
            if (expected instanceof BigDecimal exact) {
                assertThat(new BigDecimal(value)).as("%s %#x", dtype, code).isEqualByComparingTo(exact);
                assertThat(1 / value < 0)
                        .as("sign of %s %#x", dtype, code)
                        .isEqualTo(definition.sign() == 1 && code >= definition.codes() / 2);
            } else {
                assertThat(dtype.text(code)).as("%s %#x", dtype, code).isEqualTo(expected);
                assertThat(value)
                        .as("%s %#x", dtype, code)
                        .isEqualTo(Double.valueOf(
                                expected.toString().replace("inf", "Infinity").replace("nan", "NaN")));
            }
            assertThat(Double.isNaN(dtype.number(code))).isEqualTo(expected.equals("nan"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "float8e3m4, 0x01, 0.015625",
        "float8e3m4, 0x0F, 0.234375",
        "float8e3m4, 0x10, 0.25",
        "float8e3m4, 0x30, 1",
        "float8e3m4, 0x40, 2",
        "float8e3m4, 0x6F, 15.5",
        "float8e3m4, 0x70, Infinity",
        "float8e3m4, 0x71, NaN",
        "float8e4m3, 0x01, 0.001953125",
        "float8e4m3, 0x07, 0.013671875",
        "float8e4m3, 0x08, 0.015625",
        "float8e4m3, 0x30, 0.5",
        "float8e4m3, 0x38, 1",
        "float8e4m3, 0x3C, 1.5",
        "float8e4m3, 0x40, 2",
        "float8e4m3, 0x77, 240",
        "float8e4m3, 0x78, Infinity",
        "float8e4m3, 0x79, NaN",
        "float8e4m3, 0x7F, NaN",
        "float8e4m3fn, 0x77, 240",
        "float8e4m3fn, 0x78, 256",
        "float8e4m3fn, 0x7B, 352",
        "float8e4m3fn, 0x7E, 448",
        "float8e4m3fn, 0x7F, NaN",
        "float8e5m2, 0x01, 1.52587890625e-05",
        "float8e5m2, 0x03, 4.57763671875e-05",
        "float8e5m2, 0x04, 6.103515625e-05",
        "float8e5m2, 0x38, 0.5",
        "float8e5m2, 0x3C, 1",
        "float8e5m2, 0x40, 2",
        "float8e5m2, 0x7B, 57344",
        "float8e5m2, 0x7C, Infinity",
        "float8e5m2, 0x7D, NaN",
        "float8e5m2, 0x7F, NaN",
        "float4e2m1fn, 0x1, 0.5",
        "float4e2m1fn, 0x5, 3",
        "float4e2m1fn, 0x7, 6",
        "float4e2m1fn, 0xF, -6",
        "float4e2m1fn, 0x8, -0.0",
        "float16, 0x7BFF, 65504",
        "bfloat16, 0x7F7F, 3.3895313892515355e38",
        "float32, 0x3F800000, 1",
        "float32, 0x80000000, -0.0",
        "float32, 0x00000001, 1.401298464324817e-45",
        "tfloat32, 0x3F800000, 1",
        "float64, 0x3FF8000000000000, 1.5"
    })
    void decodesKnownValues(String dtype, String code, double value) {
        // then
        assertThat(DType.of(dtype).orElseThrow().number(Long.parseUnsignedLong(code.substring(2), 16)))
                .isEqualTo(Double.valueOf(value));
    }

    @Test
    void decodesFloat32LikeJava() {
        // given
        List<Integer> codes = new Random(5).ints(20_000).boxed().toList();

        // then
        assertThat(codes)
                .allSatisfy(code -> assertThat(DType.FLOAT32.number(Integer.toUnsignedLong(code)))
                        .isEqualTo(Double.valueOf(Float.intBitsToFloat(code))));
    }

    @ParameterizedTest
    @CsvSource({
        "bfloat16, BFLOAT16",
        "bf16, BFLOAT16",
        "BF16, BFLOAT16",
        "fp32, FLOAT32",
        "f32, FLOAT32",
        "torch.float32, FLOAT32",
        "nl.float8_e4m3, FLOAT8E4M3",
        "float8_e4m3fn, FLOAT8E4M3FN",
        "fp8_e5m2, FLOAT8E5M2",
        "FP8_E3, FLOAT8E3M4",
        "FP8_E4, FLOAT8E4M3",
        "FP8_E5, FLOAT8E5M2",
        "float8_e8m0fnu, FLOAT8E8M0FNU",
        "float8_e4m3fn_x4, FLOAT8E4M3FN_X4",
        "float4e2m1fn_x4, FLOAT4E2M1FN_X4",
        "float4_e2m1fn_x4, FLOAT4E2M1FN_X4",
        "FP32R, FLOAT32R",
        "tf32, TFLOAT32",
        "bool_, BOOL",
        "' uint64 ', UINT64"
    })
    void acceptsNamesOfOtherTools(String name, DType dtype) {
        // then
        assertThat(DType.of(name)).contains(dtype);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void findsEveryDTypeByName(DType dtype) {
        // then
        assertThat(DType.of(dtype.toString())).contains(dtype);
        assertThat(dtype.toString().length()).as("fits into char[16]").isLessThan(16);
    }

    @ParameterizedTest
    @CsvSource({"''", "float", "float7e1", "complex64", "int128", "x4"})
    void findsNoDTypeForUnknownName(String name) {
        // then
        assertThat(DType.of(name)).isEqualTo(name.equals("float") ? Optional.of(DType.FLOAT32) : Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                -1,
                Long.MIN_VALUE,
                Long.MIN_VALUE + 1024,
                Long.MIN_VALUE + 1025,
                -1024,
                -1023,
                -1025,
                -3072,
                -3073,
                7
            })
    void roundsLargeWholeNumbersToTheNearest(long code) {
        // then
        assertThat(DType.UINT64.number(code)).isEqualTo(new BigInteger(Long.toUnsignedString(code)).doubleValue());
    }

    @Test
    void keepsEveryDigitOfWholeNumbers() {
        // then
        assertThat(DType.UINT64.integer(-1)).isEqualTo(new BigInteger("18446744073709551615"));
        assertThat(DType.UINT64.text(-1)).isEqualTo("18446744073709551615");
        assertThat(DType.UINT64.number(-1)).isEqualTo(0x1p64);
        assertThat(DType.INT64.integer((1L << 53) + 1)).isEqualTo(BigInteger.valueOf((1L << 53) + 1));
        assertThat(DType.INT8.text(0x80)).isEqualTo("-128");
        assertThat(DType.UINT8.text(0x80)).isEqualTo("128");
        assertThat(DType.BOOL.text(7)).isEqualTo("True");
        assertThat(DType.BOOL.integer(7)).isOne();
        assertThat(DType.BOOL.integer(0)).isZero();
        assertThatThrownBy(() -> DType.FLOAT16.integer(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("float16 has no whole numbers; use number()");
    }

    @ParameterizedTest
    @CsvSource({
        "float32, 0x3DCCCCCD, 0.1",
        "float64, 0x3FB999999999999A, 0.1",
        "float64, 0x0000000000000001, 5e-324",
        "bfloat16, 0x3DCD, 0.100098",
        "float16, 0x2E66, 0.1",
        "float32, 0x3727C5AC, 1e-05",
        "float32, 0x4B800000, 16777216.0",
        "float32, 0x60AD78EC, 1e+20",
        "float32, 0xBF800000, -1.0",
        "float32, 0x80000000, -0.0",
        "float32, 0xFF800000, -inf",
        "bfloat16, 0x4049, 3.14062",
        "float8e5m2, 0x01, 1.52588e-05",
        // the last that are written plainly, and the first that are not
        "float64, 0x430C6BF526340000, 1000000000000000.0",
        "float64, 0x4341C37937E08000, 1e+16",
        "float64, 0x3F1A36E2EB1C432D, 0.0001",
        "float64, 0x3F1A36E2EB1C432C, 9.999999999999999e-05",
        "float32, 0xE0AD78EC, -1e+20"
    })
    void writesValuesAsNumPyDoes(String dtype, String code, String text) {
        // then
        assertThat(DType.of(dtype).orElseThrow().text(Long.parseUnsignedLong(code.substring(2), 16)))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        // neighbours, both sides of zero, across a power of two
        "bfloat16, 0x3F80, 1, 0",
        "bfloat16, 0x3F81, 1, 1",
        "bfloat16, 0x3F7F, 1, 1",
        "bfloat16, 0x8001, 0, 1",
        "bfloat16, 0x8000, 0, 0",
        "bfloat16, 0x8002, 1.8367099231598242e-40, 4",
        // the number is rounded first: 1.00390625 is halfway, and 1 is even
        "bfloat16, 0x3F80, 1.00390625, 0",
        "bfloat16, 0x3F81, 1.01171875, 1",
        "bfloat16, 0x3F80, 1.00390626, 1",
        // the largest value, an overflow, and an infinity
        "float8e4m3, 0x77, 248, 1",
        "float8e4m3, 0x77, 247, 0",
        "float8e4m3, 0x78, 1e9, 0",
        "float8e4m3, 0x77, Infinity, 1",
        "float8e4m3fn, 0x7E, 448, 0",
        "float8e4m3fn, 0x7E, 1e9, 1",
        "float4e2m1fn, 0x7, -6, 14",
        "float8e8m0fnu, 0x7F, 4, 2",
        "float32, 0x3F800000, 1.0000001192092896, 1",
        "tfloat32, 0x3F804000, 1, 2",
        "float64, 0xBFF0000000000000, 1, 9214364837600034816"
    })
    void countsUlpsBetweenValues(String dtype, String code, double number, long ulps) {
        // then
        assertThat(DType.of(dtype).orElseThrow().ulps(Long.parseUnsignedLong(code.substring(2), 16), number))
                .hasValue(ulps);
    }

    @Test
    void hasNoUlpsForNaNAndIntegers() {
        // then
        assertThat(DType.FLOAT32.ulps(0, Double.NaN)).isEmpty();
        assertThat(DType.BFLOAT16.ulps(0x7FC0, 1)).isEmpty();
        assertThat(DType.INT32.ulps(1, 1)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT16", "BFLOAT16", "FLOAT8E3M4", "FLOAT8E4M3", "FLOAT8E4M3FN", "FLOAT8E5M2", "FLOAT4E2M1FN"})
    void roundsEveryValueToItself(DType dtype) {
        // then
        for (long code = 0; code < 1L << dtype.bits(); code++) {
            if (!Double.isNaN(dtype.number(code))) {
                assertThat(dtype.ulps(code, dtype.number(code)))
                        .as("%s %#x", dtype, code)
                        .hasValue(0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void isFloatingIntegerOrBoolean(DType dtype) {
        // then
        assertThat(dtype.isInteger()).isEqualTo(dtype.toString().matches("u?int.*"));
        assertThat(dtype.isFloating()).isEqualTo(dtype.toString().matches("[bt]?float.*"));
    }
}
