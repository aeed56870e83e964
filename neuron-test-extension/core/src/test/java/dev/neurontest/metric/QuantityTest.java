package dev.neurontest.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource({
        "17 ms, SECONDS, 0.017",
        "17ms, SECONDS, 0.017",
        "' 1.5 us ', SECONDS, 0.0000015",
        "1.5 \u00b5s, SECONDS, 0.0000015",
        "1.5 \u03bcs, SECONDS, 0.0000015",
        "774 ns, SECONDS, 7.74e-7",
        "3 s, SECONDS, 3",
        "2 min, SECONDS, 120",
        "1.5 h, SECONDS, 5400",
        "0 s, SECONDS, 0",
        "774 ns, NANOSECONDS, 774",
        "1 ms, NANOSECONDS, 1000000",
        "42 %, FRACTION, 0.42",
        "42%, FRACTION, 0.42",
        "0.42 %, FRACTION, 0.0042",
        "253_00 %, FRACTION, 253",
        "3 MiB, BYTES, 3145728",
        "2_048_000 B, BYTES, 2048000",
        "1.95 MiB, BYTES, 2044723.2",
        "2.5 GFLOP, FLOPS, 2500000000",
        "654.344 GFLOPS, FLOPS, 654344000000",
        "1 kflop, FLOPS, 1000",
        "1 KFLOP, FLOPS, 1000",
        "1 MFLOP, FLOPS, 1000000",
        "1 TFLOP, FLOPS, 1000000000000",
        "1 PFLOP, FLOPS, 1000000000000000",
        "268435456, FLOPS, 268435456",
        "12 FLOP, FLOPS, 12",
        "5976, COUNT, 5976",
        "1_000_000, COUNT, 1000000",
        "1e6, COUNT, 1000000",
        "55764, CYCLES, 55764",
        "55_764 cycles, CYCLES, 55764",
        "4, INDEX, 4",
        "109.84, FLOPS_PER_BYTE, 109.84",
        "109.84 flops/byte, FLOPS_PER_BYTE, 109.84"
    })
    void isReadInTheUnitOfTheMetric(String text, Unit unit, double value) {
        // then
        assertThat(Quantity.parse(text, unit)).isEqualTo(new Quantity(value, unit));
    }

    @ParameterizedTest
    @CsvSource({
        "17 ms, SECONDS, 0.017",
        "3 MiB, BYTES, 3145728",
        "42 %, FRACTION, 0.42",
        "2.5 GFLOP, FLOPS, 2500000000",
        "7 cycles, CYCLES, 7",
        "7 flops/byte, FLOPS_PER_BYTE, 7",
        "7, COUNT, 7"
    })
    void infersUnitFromText(String text, Unit unit, double value) {
        // then
        assertThat(Quantity.parse(text)).isEqualTo(new Quantity(value, unit));
    }

    @ParameterizedTest
    @CsvSource({
        "0.42, '\"0.42\" could mean 0.42 % or 42 %: write \"42 %\".'",
        "1, '\"1\" could mean 1 % or 100 %: write \"100 %\".'",
        "42, '\"42\" could mean 42 % or 4200 %: write \"42 %\".'"
    })
    void refusesBareNumberForFraction(String text, String message) {
        // then
        assertThatThrownBy(() -> Quantity.parse(text, Unit.FRACTION))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "17, SECONDS, '\"17\" has no unit. Write a number and one of ns, us, ms, s, min, h, such as \"17 ms\".'",
        "17 m, SECONDS, '\"17 m\" has the unknown unit \"m\". Write a number and one of ns, us, ms, s, min, h, such as \"17 ms\".'",
        "42 %, SECONDS, '\"42 %\" has the unknown unit \"%\". Write a number and one of ns, us, ms, s, min, h, such as \"17 ms\".'",
        "-1 ms, SECONDS, '\"-1 ms\" is not a number with a unit. Write a number and one of ns, us, ms, s, min, h, such as \"17 ms\".'",
        "'', COUNT, '\"\" is not a number with a unit. Write a number without a unit, such as \"1_000\".'",
        "1__0, COUNT, '\"1__0\" has the unknown unit \"__0\". Write a number without a unit, such as \"1_000\".'",
        "5 ms, COUNT, '\"5 ms\" has the unknown unit \"ms\". Write a number without a unit, such as \"1_000\".'",
        "5 MB, BYTES, '\"5 MB\" has the unknown unit \"MB\". Write a number and one of B, KiB, MiB, GiB, TiB, such as \"1 GiB\" or \"4096 B\".'",
        "5, BYTES, '\"5\" has no unit. Write a number and one of B, KiB, MiB, GiB, TiB, such as \"1 GiB\" or \"4096 B\".'",
        "5 ms, FRACTION, '\"5 ms\" has the unknown unit \"ms\". Write a number and a percent sign, such as \"42 %\".'",
        "5 mflop, FLOPS, '\"5 mflop\" has the unknown unit \"mflop\". Write a number, or one with FLOP, KFLOP, MFLOP, GFLOP, TFLOP, PFLOP, such as \"2.5 GFLOP\".'",
        "5 ms, CYCLES, '\"5 ms\" has the unknown unit \"ms\". Write a number, such as \"55_764\" or \"55764 cycles\".'",
        "1e999 s, SECONDS, '\"1e999 s\" is too large. Write a number and one of ns, us, ms, s, min, h, such as \"17 ms\".'",
        "trn2, TEXT, '\"trn2\" cannot be a limit: the measured value is a text.'"
    })
    void explainsInvalidText(String text, Unit unit, String message) {
        // then
        assertThatThrownBy(() -> Quantity.parse(text, unit))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "0.017, SECONDS, 17 ms, 17 ms",
        "0.000026416626, SECONDS, 26.42 \u00b5s, 26.416626 \u00b5s",
        "3.132167956813, SECONDS, 3.13 s, 3.132167956813 s",
        "90, SECONDS, 90 s, 90 s",
        "4.35e-7, SECONDS, 435 ns, 435 ns",
        "0, SECONDS, 0 s, 0 s",
        "12645, NANOSECONDS, '12.65 \u00b5s', '12.645 \u00b5s'",
        "0.423, FRACTION, 42.3 %, 42.3 %",
        "0.4231, FRACTION, 42.3 %, 42.31 %",
        "2048000, BYTES, 1.95 MiB (2048000 B), 1.95 MiB (2048000 B)",
        "1073741824, BYTES, 1 GiB (1073741824 B), 1 GiB (1073741824 B)",
        "0, BYTES, 0 B, 0 B",
        "446679.58, BYTES, 436.21 KiB (446679.58 B), 436.21 KiB (446679.58 B)",
        "2500000000, FLOPS, 2.5 GFLOP, 2.5 GFLOP",
        "19279660899840, FLOPS, 19.28 TFLOP, 19.27966089984 TFLOP",
        "999, FLOPS, 999 FLOP, 999 FLOP",
        "5976, COUNT, 5976, 5976",
        "'55764', CYCLES, '55,764 cycles', '55,764 cycles'",
        "1234567.891, COUNT, '1,234,567.89', '1,234,567.891'",
        "9999, COUNT, 9999, 9999",
        "109.83687, FLOPS_PER_BYTE, 109.84 flops/byte, 109.83687 flops/byte",
        "4, INDEX, 4, 4"
    })
    void isPrintedRoundedAndExactly(double value, Unit unit, String text, String exact) {
        // when
        Quantity quantity = new Quantity(value, unit);

        // then
        assertThat(quantity).hasToString(text);
        assertThat(quantity.exactly()).isEqualTo(exact);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TEXT", "BYTES"})
    void isReadBackFromExactText(Unit unit) {
        // given
        Quantity quantity = new Quantity(2.6416626e-05, unit);

        // then
        assertThat(Quantity.parse(quantity.exactly(), unit)).isEqualTo(quantity);
    }

    @Test
    void convertsDurationToUnit() {
        // then
        assertThat(Quantity.of(Duration.ofMillis(17), Unit.SECONDS).value()).isEqualTo(0.017);
        assertThat(Quantity.of(Duration.ofNanos(26417), Unit.SECONDS).value()).isEqualTo(2.6417e-05);
        assertThat(Quantity.of(Duration.ofNanos(774), Unit.NANOSECONDS).value()).isEqualTo(774);
    }

    @Test
    void refusesDurationForOtherUnit() {
        // then
        assertThatThrownBy(() -> Quantity.of(Duration.ofMillis(17), Unit.BYTES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("PT0.017S is a time, but the unit of the measured value is bytes.");
    }

    @Test
    void isCreatedFromByteSizeAndFraction() {
        // then
        assertThat(Quantity.of(new ByteSize(4096))).isEqualTo(new Quantity(4096, Unit.BYTES));
        assertThat(Quantity.of(Fraction.ofPercent(42))).isEqualTo(new Quantity(0.42, Unit.FRACTION));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesInvalidValueAndTextUnit(double value) {
        // then
        assertThatThrownBy(() -> new Quantity(value, Unit.COUNT)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Quantity(1, Unit.TEXT)).hasMessage("a text is not a quantity");
    }
}
