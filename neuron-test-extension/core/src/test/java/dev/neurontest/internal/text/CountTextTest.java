package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, run, 0 runs",
        "1, run, 1 run",
        "2, more test, 2 more tests",
        "1, test class, 1 test class",
        "3, test class, 3 test classes",
        "2, prefix, 2 prefixes",
        "2, entry, 2 entries",
        "2, day, 2 days",
        "9999, test, 9999 tests",
        "-10000, test, '-10,000 tests'",
        "1234567, test, '1,234,567 tests'"
    })
    void usesPluralUnlessNumberIsOne(long number, String one, String text) {
        assertThat(CountText.of(number, one)).isEqualTo(text);
    }
}
