package dev.neurontest.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToleranceTest {

    @ParameterizedTest
    @CsvSource({
        "exact, 0, 0, -1",
        "1e-3, 0.001, 0, -1",
        "1E+2, 100, 0, -1",
        ".5, 0.5, 0, -1",
        "1 %, 0, 0.01, -1",
        "0.5%, 0, 0.005, -1",
        "1e-3 + 1 %, 0.001, 0.01, -1",
        "1 % + 1e-3, 0.001, 0.01, -1",
        "1e-3+1%, 0.001, 0.01, -1",
        "2 ULP, 0, 0, 2",
        "2 ulps, 0, 0, 2",
        "0 ULP, 0, 0, 0",
        "1e-3 or 2 ULP, 0.001, 0, 2",
        "1e-3 + 1 % or 2 ULP, 0.001, 0.01, 2",
        "' exact ', 0, 0, -1"
    })
    void isParsed(String text, double absolute, double relative, long ulps) {
        // then
        assertThat(Tolerance.parse(text)).isEqualTo(new Tolerance(absolute, relative, ulps, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-1",
                "1 + 2",
                "1 % + 2 %",
                "1 +",
                "2 ULP or 1e-3",
                "1 or 2",
                "1 or 2 % or 3 ULP",
                "2.5 ULP",
                "NaN",
                "Infinity",
                "1e999",
                "1e-3 + 1e999 %",
                "1,5 %",
                "ulp",
                "1 mm",
                "exact or 1 ULP"
            })
    void isRefusedInOtherForm(String text) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tolerance.parse(text))
                .withMessageContaining("\"%s\" is not a tolerance: use a form such as exact, 1e-3, 1 %%", text);
    }
}
