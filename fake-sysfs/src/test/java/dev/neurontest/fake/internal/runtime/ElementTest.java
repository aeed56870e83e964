package dev.neurontest.fake.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the encoding of values into the element types of device prints. */
class ElementTest {

    private static String hex(Element element, double... values) {
        return HexFormat.of().formatHex(element.encode(values));
    }

    /** Returns the value of a code by the definition of its format. */
    private static double value(int code, int exponentBits, int mantissaBits, int bias) {
        int exponent = code >> mantissaBits & (1 << exponentBits) - 1;
        int mantissa = code & (1 << mantissaBits) - 1;
        double magnitude = exponent == 0
                ? mantissa * Math.pow(2, 1 - bias - mantissaBits)
                : (1 + mantissa / (double) (1 << mantissaBits)) * Math.pow(2, exponent - bias);
        return code >> exponentBits + mantissaBits == 0 ? magnitude : -magnitude;
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT16, 5, 10, 15, 7bff",
        "BFLOAT16, 8, 7, 127, 7f7f",
        "FLOAT8E3M4, 3, 4, 3, 6f",
        "FLOAT8E4M3, 4, 3, 7, 77",
        "FLOAT8E4M3FN, 4, 3, 7, 7e",
        "FLOAT8E5M2, 5, 2, 15, 7b",
        "FLOAT4E2M1FN, 2, 1, 1, 7",
    })
    void encodesExactValuesAndRoundsHalfToEven(
            Element element, int exponentBits, int mantissaBits, int bias, String largest) {
        int last = Integer.parseInt(largest, 16);
        int sign = 1 << exponentBits + mantissaBits;
        for (int code = 0; code <= last; code++) {
            double here = value(code, exponentBits, mantissaBits, bias);
            assertThat(code(element, here)).as("%s", here).isEqualTo(code);
            assertThat(code(element, -here)).as("%s", -here).isEqualTo(code | sign);
            if (code < last) {
                double next = value(code + 1, exponentBits, mantissaBits, bias);
                double middle = (here + next) / 2;
                assertThat(code(element, middle)).as("%s", middle).isEqualTo(code + (code & 1));
                assertThat(code(element, Math.nextDown(middle))).isEqualTo(code);
                assertThat(code(element, Math.nextUp(middle))).isEqualTo(code + 1);
            }
        }
    }

    private static int code(Element element, double value) {
        byte[] bytes = element.encode(value);
        return bytes.length == 1 ? bytes[0] & 0xff : bytes[0] & 0xff | (bytes[1] & 0xff) << 8;
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT8E3M4, 15.5, 6f, 16, 70, 71",
        "FLOAT8E4M3, 240, 77, 256, 78, 79",
        "FLOAT8E4M3FN, 448, 7e, 480, 7f, 7f",
        "FLOAT8E5M2, 57344, 7b, 61440, 7c, 7d",
        "FLOAT16, 65504, ff7b, 65520, 007c, 007d",
        "FLOAT32, 3.4028234663852886e38, ffff7f7f, 3.5e38, 0000807f, 0000807f",
    })
    void overflowIsInfinityOrNaN(
            Element element, double largest, String code, double more, String overflow, String firstNaN) {
        assertThat(hex(element, largest)).isEqualTo(code);
        assertThat(hex(element, more)).isEqualTo(overflow);
        assertThat(hex(element, Double.POSITIVE_INFINITY)).isEqualTo(overflow);
        assertThat(new BigInteger(reversed(hex(element, Double.NaN)), 16))
                .isGreaterThanOrEqualTo(new BigInteger(reversed(firstNaN), 16));
    }

    private static String reversed(String littleEndian) {
        byte[] bytes = HexFormat.of().parseHex(littleEndian);
        StringBuilder text = new StringBuilder();
        for (int i = bytes.length - 1; i >= 0; i--) {
            text.append(HexFormat.of().toHexDigits(bytes[i]));
        }
        return text.toString();
    }

    @Test
    void otherTypesMatchTheirDefinitions() {
        assertThat(hex(Element.FLOAT32, 1.1)).isEqualTo("cdcc8c3f");
        assertThat(hex(Element.FLOAT32R, -0.0)).isEqualTo("00000080");
        assertThat(hex(Element.TFLOAT32, 1.1)).isEqualTo("00c08c3f");
        assertThat(hex(Element.INT8, -1, 127)).isEqualTo("ff7f");
        assertThat(hex(Element.INT16, 258)).isEqualTo("0201");
        assertThat(hex(Element.INT64, -2)).isEqualTo("feffffffffffffff");
        assertThat(hex(Element.UINT64, Math.pow(2, 63))).isEqualTo("0000000000000080");
        assertThat(hex(Element.UINT32, 4294967295.0)).isEqualTo("ffffffff");
        assertThat(hex(Element.BOOL, 0, 3)).isEqualTo("0001");
        assertThat(hex(Element.FLOAT8E8M0FNU, 1, 2, 0.5, 3, 5.9, 6, 0, Double.NaN, Math.pow(2, 127)))
                .isEqualTo("7f807e8081" + "82" + "00fffe");
        assertThat(hex(Element.FLOAT4E2M1FN, 100, -0.0)).isEqualTo("0708");
    }

    @Test
    void packsFourWithTheFirstInTheLowBits() {
        assertThat(hex(Element.FLOAT8E5M2_X4, 0.5, 1, 2, -2)).isEqualTo("383c40c0");
        assertThat(hex(Element.FLOAT4E2M1FN_X4, 0.5, 1, 1.5, -6)).isEqualTo("21f3");
        assertThat(Element.FLOAT8E4M3FN_X4.bytes(2)).isEqualTo(8);
        assertThat(Element.FLOAT4E2M1FN_X4.bytes(2)).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(Element.class)
    void everyTypeIsFoundByItsName(Element element) {
        String name = element.name().toLowerCase(Locale.ROOT);
        assertThat(Element.named(name)).isSameAs(element);
        assertThat(name).hasSizeLessThanOrEqualTo(15);
    }

    @Test
    void aliasNamesAreAccepted() {
        assertThat(Element.named("BF16")).isSameAs(Element.BFLOAT16);
        assertThat(Element.named("fp32")).isSameAs(Element.FLOAT32);
        assertThat(Element.named("float8_e4m3")).isSameAs(Element.FLOAT8E4M3);
        assertThat(Element.named("float8_e8m0fnu")).isSameAs(Element.FLOAT8E8M0FNU);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Element.named("float33"))
                .withMessageContaining("float8e4m3fn_x4");
    }

    @Test
    void unrepresentableValuesAndSizesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Element.INT8.encode(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> Element.FLOAT4E2M1FN.encode(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> Element.INT64.bytes(Long.MAX_VALUE));
    }
}
