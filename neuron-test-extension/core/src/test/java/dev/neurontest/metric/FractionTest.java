package dev.neurontest.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FractionTest {

    @ParameterizedTest
    @CsvSource({"42, 0.42", "0, 0", "100, 1", "109.67, 1.0967", "0.1, 0.001", "35.02734762617724, 0.3502734762617724"})
    void convertsPercentToFraction(double percent, double value) {
        // then
        assertThat(Fraction.ofPercent(percent)).isEqualTo(new Fraction(value));
    }

    @ParameterizedTest
    @CsvSource({
        "0.423, 42.3 %",
        "0.42, 42 %",
        "0.4231, 42.3 %",
        "0, 0 %",
        "1, 100 %",
        "1.0967, 109.7 %",
        "253, 25300 %",
        "0.0194, 1.9 %",
        "0.009699, 0.97 %",
        "0.0000022616, 0.000226 %"
    })
    void isShownInPercent(double value, String text) {
        // then
        assertThat(new Fraction(value)).hasToString(text);
    }

    @Test
    void isReadWithPercentSign() {
        // then
        assertThat(Fraction.parse("42.5 %")).isEqualTo(new Fraction(0.425));
    }

    @Test
    void isRefusedWithoutPercentSign() {
        // then
        assertThatThrownBy(() -> Fraction.parse("0.42"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0.42 % or 42 %");
    }

    @Test
    void isOrdered() {
        // then
        assertThat(Fraction.ofPercent(41)).isLessThan(Fraction.ofPercent(42));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesNegativeAndNonFiniteValues(double value) {
        // then
        assertThatThrownBy(() -> new Fraction(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(value));
        assertThatThrownBy(() -> Fraction.ofPercent(value)).isInstanceOf(IllegalArgumentException.class);
    }
}
