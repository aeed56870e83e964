package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterUnitTest {

    @ParameterizedTest
    @CsvSource({
        "memory_usage/device_mem/tensors, BYTES",
        "other_info/nc_time_in_use, MICROSECONDS",
        "other_info/flop_count, OPERATIONS",
        "other_info/inference_count, COUNT",
        "hardware/mem_ecc_uncorrected, COUNT"
    })
    void followsFromThePath(String path, CounterUnit unit) {
        assertThat(CounterUnit.of(path)).isEqualTo(unit);
    }

    @ParameterizedTest
    @CsvSource({
        "COUNT, 3, 3",
        "BYTES, 0, 0",
        "BYTES, 1023, 1023 B",
        "BYTES, 1024, 1024 (1 KiB)",
        "BYTES, 1610612736, 1610612736 (1.5 GiB)",
        "BYTES, 4530176, 4530176 (4.32 MiB)",
        "BYTES, 18446744073709543424, 18446744073709543424 (8 KiB below 0)",
        "MICROSECONDS, 511, 511",
        "MICROSECONDS, 512, 512 (0.51 ms)",
        "MICROSECONDS, 1000000, 1000000 (1 s)",
        "OPERATIONS, 511, 511",
        "OPERATIONS, 14000000, 14000000 (14 MFLOP)",
        "OPERATIONS, 18446744073709551615, 18446744073709551615 (18446.74 PFLOP)"
    })
    void showsTheExactValueAndAReadableOne(CounterUnit unit, BigInteger value, String text) {
        assertThat(unit.value(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "COUNT, 0, 0, 0",
        "COUNT, 3, +3, +3",
        "BYTES, 100, +100 B, +100 B",
        "BYTES, 4096, +4096 (4 KiB), +4 KiB",
        "BYTES, -8192, -8192 (8 KiB), -8 KiB",
        "MICROSECONDS, 1500, +1500 (1.5 ms), +1.5 ms",
        "OPERATIONS, 198000000, +198000000 (198 MFLOP), +198 MFLOP"
    })
    void showsDifferencesWithTheirSign(CounterUnit unit, BigInteger delta, String text, String rounded) {
        assertThat(unit.delta(delta)).isEqualTo(text);
        assertThat(unit.rounded(delta)).isEqualTo(rounded);
    }
}
