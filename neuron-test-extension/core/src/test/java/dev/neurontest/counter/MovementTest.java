package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.device.CounterKind;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MovementTest {

    private static final BigInteger WORD = BigInteger.TWO.pow(64);

    @ParameterizedTest
    @CsvSource({
        "STATUS, 5, 5, UNCHANGED, 0",
        "STATUS, 5, 8, ROSE, 3",
        "STATUS, 9223372036854775807, 9223372036854775808, ROSE, 1",
        "STATUS, 0, 18446744073709551615, ROSE, 18446744073709551615",
        "EXECUTION, 88154, 0, DECREASED, 0",
        "EXECUTION, 88154, 12, DECREASED, 12",
        "STATUS, 18446744073709551613, 4, WRAPPED, 7",
        "STATUS, 18446744069414584321, 0, WRAPPED, 4294967295",
        "STATUS, 18446744069414584320, 0, DECREASED, 0",
        "RESET, 18446744073709551615, 0, WRAPPED, 1",
        "RESET, 18446744073709551615, 18446744073709551610, DECREASED, 18446744073709551610",
        "MEMORY, 4096, 12288, ROSE, 8192",
        "MEMORY, 12288, 4096, FELL, -8192",
        "MEMORY, 0, 18446744073709543424, WRAPPED, -8192",
        "MEMORY, 18446744073709543424, 4096, WRAPPED, 12288",
        "MEMORY, 18446744073709543424, 18446744073709539328, FELL, -4096",
        "ECC, 3, 5, ROSE, 2",
        "ECC, 65530, 4, WRAPPED, 10",
        "ECC, 70000, 4474, WRAPPED, 10",
        "ECC, 61441, 0, WRAPPED, 4095",
        "ECC, 61440, 0, DECREASED, 0",
        "ECC, 7, 0, DECREASED, 0",
        "ECC, 65536, 0, DECREASED, 0",
        "ECC, 40000, 0, DECREASED, 0",
        "OTHER, 7, 3, FELL, -4"
    })
    void classifiesChangeByCounterKind(CounterKind kind, String before, String after, Movement movement, String delta) {
        // given
        long first = Long.parseUnsignedLong(before);
        long second = Long.parseUnsignedLong(after);

        // when
        Movement seen = Movement.of(kind, first, second);

        // then
        assertThat(seen).isEqualTo(movement);
        assertThat(seen.delta(kind, first, second)).isEqualTo(new BigInteger(delta));
    }

    @ParameterizedTest
    @CsvSource({"5, 5, UNCHANGED", "5, 6, ROSE", "18446744073709551615, 6, DECREASED", "6, 0, DECREASED"})
    void peaksOnlyRiseOrAreCleared(String before, String after, Movement movement) {
        assertThat(Movement.ofPeak(Long.parseUnsignedLong(before), Long.parseUnsignedLong(after)))
                .isEqualTo(movement);
    }

    @Test
    void agreesWithBigInteger() {
        // given
        Random random = new Random(42);
        for (int round = 0; round < 50_000; round++) {
            long before = interesting(random);
            long after = interesting(random);
            for (CounterKind kind : CounterKind.values()) {

                // when
                Movement movement = Movement.of(kind, before, after);
                BigInteger delta = movement.delta(kind, before, after);

                // then
                BigInteger exact = big(after).subtract(big(before));
                switch (movement) {
                    case UNCHANGED -> assertThat(exact).isZero();
                    case ROSE -> assertThat(delta).isEqualTo(exact).isPositive();
                    case FELL -> {
                        assertThat(kind).isIn(List.of(CounterKind.MEMORY, CounterKind.OTHER));
                        assertThat(delta).isEqualTo(exact).isNegative();
                    }
                    case DECREASED -> {
                        assertThat(exact).isNegative();
                        assertThat(delta).isEqualTo(big(after));
                    }
                    case WRAPPED -> {
                        BigInteger modulus = kind == CounterKind.ECC ? BigInteger.valueOf(65536) : WORD;
                        assertThat(delta.subtract(exact).mod(modulus)).isZero();
                        assertThat(delta).isNotEqualTo(exact);
                    }
                    case UNREADABLE -> throw new AssertionError("two readings are there");
                }
            }
        }
    }

    private static BigInteger big(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    private static long interesting(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(10);
            case 1 -> -1L - random.nextInt(10);
            case 2 -> Long.MAX_VALUE + random.nextInt(5) - 2;
            case 3 -> random.nextInt(200_000);
            default -> random.nextLong();
        };
    }
}
