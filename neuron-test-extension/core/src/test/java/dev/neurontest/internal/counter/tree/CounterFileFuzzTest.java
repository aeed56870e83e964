package dev.neurontest.internal.counter.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CounterFileFuzzTest {

    private static final Pattern NUMBER = Pattern.compile("[ \t\r\n]*(?:0[xX]([0-9a-fA-F]+)|([0-9]+))[ \t\r\n]*");
    private static final int MOST_BITS = 64;

    @Test
    void numberIsReadExactlyOrRefused() {
        Fuzzing.of(CounterFileFuzzTest.class, "counter-file")
                .seeds("0\n", "17", "18446744073709551615\n", "0xffffffffffffffff\n", " 007 \r\n")
                .words("0x", "0X", "f", "9", "\u0661", "_", "L")
                .refusing(NumberFormatException.class)
                .check(CounterFileFuzzTest::read, (input, read) -> {
                    assertThat(toBigInteger(read)).isEqualTo(exact(input));
                    byte[] written = Long.toUnsignedString(read).getBytes(StandardCharsets.UTF_8);
                    assertThat(UnsignedDecimal.parse(written, written.length)).isEqualTo(read);
                });
    }

    private static long read(byte[] input) {
        try {
            return UnsignedDecimal.parse(input, input.length);
        } catch (NumberFormatException refused) {
            BigInteger number = exact(input);
            assertThat(number == null || number.bitLength() > MOST_BITS)
                    .as("%s is refused", number)
                    .isTrue();
            throw refused;
        }
    }

    private static BigInteger toBigInteger(long bits) {
        return new BigInteger(Long.toHexString(bits), 16);
    }

    /** Returns the number in the file, or null if it has none. */
    private static BigInteger exact(byte[] input) {
        Matcher number = NUMBER.matcher(new String(input, StandardCharsets.ISO_8859_1));
        if (!number.matches()) {
            return null;
        }
        return number.group(1) == null ? new BigInteger(number.group(2)) : new BigInteger(number.group(1), 16);
    }
}
