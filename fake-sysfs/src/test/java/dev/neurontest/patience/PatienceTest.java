package dev.neurontest.patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatienceTest {

    @Test
    void limitIsAMinuteTimesTheFactor() {
        assertThat(Patience.LIMIT)
                .isEqualTo(Duration.ofMinutes(Integer.parseInt(System.getProperty("test.patience", "1"))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1000})
    void factorCanBeRaised(int factor) {
        assertThat(Patience.factor(Integer.toString(factor))).isEqualTo(factor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0.5", "-1", "1001", "9999", "12345", "2 ", "a lot", "${test.patience}"})
    void invalidFactorIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Patience.factor(text))
                .withMessage("The system property test.patience is \"" + text
                        + "\", expected a whole number from 1 to 1000, by which all limits of tests are multiplied.");
    }
}
