package dev.neurontest.fake.internal.profiler.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of numbers in the format of the genuine tools. */
class GoNumberTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "1024000, 1.024e+06",
        "512000, 512000",
        "0.5, 0.5",
        "2.6416626e-05, 2.6416626e-05",
        "0.000399354690, 0.00039935469",
        "0.6014398171788062, 0.6014398171788062",
        "-1, -1"
    })
    void textMatchesTheGenuineTools(double value, String text) {
        assertThat(GoNumber.text(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1024000, 1024000",
        "2.6416626e-05, 0.000026416626",
        "4.83557e-07, 4.83557e-7",
        "3e21, 3e+21",
        "4e-12, 4e-12",
        "0.5, 0.5",
        "-0.25, -0.25"
    })
    void jsonMatchesTheGenuineTools(double value, String text) {
        assertThat(GoNumber.json(value)).isEqualTo(text);
    }
}
