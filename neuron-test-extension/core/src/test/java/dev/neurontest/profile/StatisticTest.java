package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatisticTest {

    private static final double[] ONE_TO_TWENTY =
            IntStream.rangeClosed(1, 20).asDoubleStream().toArray();

    @Test
    void medianIsMiddleValue() {
        // then
        assertThat(Statistic.MEDIAN.of(new double[] {3}, true)).isEqualTo(3);
        assertThat(Statistic.MEDIAN.of(new double[] {9, 1, 2}, true)).isEqualTo(2);
        assertThat(Statistic.MEDIAN.of(new double[] {9, 1, 2}, false)).isEqualTo(2);
    }

    @Test
    void medianOfEvenCountIsMeanOfMiddleTwo() {
        // then
        assertThat(Statistic.MEDIAN.of(new double[] {4, 1, 2, 9}, true)).isEqualTo(3);
        assertThat(Statistic.MEDIAN.of(new double[] {4, 1, 2, 9}, false)).isEqualTo(3);
    }

    @Test
    void medianOfEqualValuesIsExact() {
        // then
        assertThat(Statistic.MEDIAN.of(new double[] {0.1, 0.1}, true)).isEqualTo(0.1);
    }

    @ParameterizedTest
    @CsvSource({
        "worst, true, 20",
        "worst, false, 1",
        "each, true, 20",
        "p90, true, 18",
        "p90, false, 3",
        "p50, true, 10"
    })
    void percentileIsNearestRankFromBetterEnd(String over, boolean smallerIsBetter, double expected) {
        // then
        assertThat(Statistic.parse(over).of(ONE_TO_TWENTY, smallerIsBetter)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"median, 1", "worst, 1", "each, 1", "p50, 2", "p90, 10", "p95, 20", "p99, 100", "p99.9, 1000", "p66, 3"
    })
    void requiresMoreExecutionsForHigherPercentile(String over, int needed) {
        // then
        assertThat(Statistic.parse(over).needed()).isEqualTo(needed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "p", "p0", "p0.0", "p100", "p-1", "90", "Median", "mean", "p90 "})
    void refusesUnknownStatistic(String text) {
        // then
        assertThatThrownBy(() -> Statistic.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"%s\" is not a statistic. Write median, worst, each, or a percentile such as p90.", text);
    }
}
