package dev.neurontest.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.baseline.PercentileLimit.Answer;
import dev.neurontest.baseline.PercentileLimit.Result;
import dev.neurontest.metric.Quantity;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentileLimitTest {

    private static final Quantity MS_17 = Quantity.parse("17 ms");

    @ParameterizedTest
    @CsvSource({
        "0.9, 0, 29", "0.9, 1, 46", "0.9, 2, 61",
        "0.95, 0, 59", "0.95, 1, 93", "0.95, 2, 124",
        "0.99, 0, 299", "0.99, 1, 473", "0.99, 2, 628",
        "0.999, 0, 2995"
    })
    void requiresExecutionsByBinomialDistribution(double percentile, int over, int needed) {
        // given
        PercentileLimit limit = PercentileLimit.of(percentile, MS_17);

        // then
        assertThat(limit.executionsToShow(over)).isEqualTo(needed);
        assertThat(limit.check(needed, over).answer()).isEqualTo(Answer.KEPT);
        assertThat(limit.check(needed - 1, over).answer()).isEqualTo(Answer.UNDECIDED);
        assertThat(limit.check(needed - 1, over).missing()).isEqualTo(1);
    }

    @Test
    void isBrokenWhenTooManyExceedIt() {
        // when
        Result seen = PercentileLimit.of(0.99, MS_17).check(300, 9);

        // then
        assertThat(seen.answer()).isEqualTo(Answer.BROKEN);
        assertThat(seen).hasToString("p99 at most 17 ms (95 % confidence) is not kept: 9 of 300 executions took more");
    }

    @Test
    void isUndecidedWhenFewExceedIt() {
        // when
        Result seen = PercentileLimit.of(0.99, MS_17).check(300, 1);

        // then
        assertThat(seen)
                .hasToString(
                        "p99 at most 17 ms (95 % confidence) is undecided: 1 of 300 executions took more; 173 more within the limit would show it");
    }

    @Test
    void isUndecidedWithoutExecutions() {
        // when
        Result seen = PercentileLimit.of(0.999, MS_17).check();

        // then
        assertThat(seen.answer()).isEqualTo(Answer.UNDECIDED);
        assertThat(seen.missing()).isEqualTo(2995);
    }

    @Test
    void countsExecutionsAboveItAndNaN() {
        // given
        double[] values = new double[300];
        Arrays.fill(values, 0.017);
        values[7] = 0.0170001;
        values[8] = Double.NaN;

        // when
        Result seen = PercentileLimit.of(0.99, MS_17).check(values);

        // then
        assertThat(seen.executions()).isEqualTo(300);
        assertThat(seen.over()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.0, -0.001, Double.NEGATIVE_INFINITY})
    void refusesExecutionsThatTookNoTime(double value) {
        // given
        double[] values = new double[300];
        Arrays.fill(values, 0.016);
        values[7] = value;

        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PercentileLimit.of(0.99, MS_17).check(values))
                .withMessageStartingWith("Execution 8 of 300 took ")
                .withMessageEndingWith(", which is not a measurement");
    }

    @Test
    void requiresMoreExecutionsForMoreConfidence() {
        // when, then
        assertThat(new PercentileLimit(0.99, MS_17, 0.99).executionsToShow(0)).isEqualTo(459);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, 99, Double.NaN})
    void refusesPercentileOutsideZeroToOne(double percentile) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PercentileLimit.of(percentile, MS_17))
                .withMessageStartingWith("a percentile must be between 0 and 1, such as 0.99");
    }

    @Test
    void refusesMoreExceedingThanExecuted() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PercentileLimit.of(0.99, MS_17).check(3, 4))
                .withMessage("4 of 3 executions cannot exceed a limit");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 1, 95, Double.NaN})
    void refusesConfidenceOutsideHalfToOne(double confidence) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PercentileLimit(0.99, MS_17, confidence))
                .withMessageStartingWith("a confidence must be between 0.5 and 1, such as 0.95");
    }
}
