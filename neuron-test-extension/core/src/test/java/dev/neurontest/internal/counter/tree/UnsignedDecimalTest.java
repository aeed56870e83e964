package dev.neurontest.internal.counter.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnsignedDecimalTest {

    @ParameterizedTest
    @CsvSource({
        "'0\n', 0",
        "'7', 7",
        "'  42\n', 42",
        "'42\r\n', 42",
        "'9223372036854775808\n', 9223372036854775808",
        "'18446744073709551615\n', 18446744073709551615",
        "'0000000000000000000000000000018446744073709551615', 18446744073709551615"
    })
    void readsNumbersAsPrintedByDriver(String text, String value) {
        assertThat(Long.toUnsignedString(parse(text))).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "'0x1f\n', 31",
        "'0X1F', 31",
        "' 0x0\n', 0",
        "'0x00000000000000000000000a', 10",
        "'0xffffffffffffffff\n', 18446744073709551615",
        "'0x8000000000000000', 9223372036854775808"
    })
    void readsHex(String text, String value) {
        assertThat(Long.toUnsignedString(parse(text))).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x", "x1", "0x1g", "0x-1", "0x 1", "1x1", "00x1", "0x1.", "ff", "0x\u00e9"})
    void refusesMalformedHex(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage("an unsigned number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x10000000000000000", "0xfffffffffffffffff"})
    void refusesHexAbove64Bits(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage("at most 0xffffffffffffffff (64 bits)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", " \n "})
    void refusesEmptyText(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage("a number, not an empty file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1\n", "+1\n", "busy\n", "device_unreachable", "\0", "1 2", "1\0", "1.5", "٣", "1e3"})
    void acceptsDigitsOnly(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage("an unsigned number");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "18446744073709551616",
                "18446744073709551620",
                "18446744073709551700",
                "99999999999999999999",
                "184467440737095516150",
                "340282366920938463463374607431768211456"
            })
    void refusesDecimalAbove64Bits(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage("at most 18446744073709551615 (64 bits)");
    }

    @Test
    void agreesWithBigInteger() {
        // given
        Random random = new Random(20_260_817);
        for (int round = 0; round < 20_000; round++) {
            BigInteger number = new BigInteger(1 + random.nextInt(70), random);

            // when, then
            if (number.bitLength() > 64) {
                assertThatThrownBy(() -> parse(number + "\n")).isInstanceOf(NumberFormatException.class);
            } else {
                assertThat(parse(number + "\n")).isEqualTo(number.longValue());
            }
        }
    }

    @Test
    void ignoresBytesBeyondLength() {
        // given a buffer that still holds the end of a longer content
        byte[] buffer = "12\n45\n".getBytes(StandardCharsets.US_ASCII);

        // when, then
        assertThat(UnsignedDecimal.parse(buffer, 3)).isEqualTo(12);
    }

    private static long parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return UnsignedDecimal.parse(bytes, bytes.length);
    }
}
