package dev.neurontest.fake.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecimalTest {

    static LongStream numbers() {
        LongStream powers = LongStream.iterate(1, power -> power * 10).limit(19);
        LongStream around = powers.flatMap(power -> LongStream.of(power - 1, power, power + 1));
        long tenToTheNineteen = 0x8AC7230489E80000L;
        return LongStream.concat(
                around,
                LongStream.of(
                        Long.MAX_VALUE,
                        Long.MIN_VALUE,
                        tenToTheNineteen - 1,
                        tenToTheNineteen,
                        tenToTheNineteen + 1,
                        -1,
                        -8192));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void printsUnsigned(long number) {
        // given
        int digits = Decimal.digits(number);
        byte[] text = new byte[digits];

        // when
        Decimal.print(number, text, digits);

        // then
        assertThat(new String(text, StandardCharsets.US_ASCII)).isEqualTo(Long.toUnsignedString(number));
    }
}
