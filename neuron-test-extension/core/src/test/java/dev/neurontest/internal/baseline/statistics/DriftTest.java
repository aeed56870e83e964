package dev.neurontest.internal.baseline.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DriftTest {

    @Test
    void changeSpansFirstToLastRunDespiteOutlier() {
        // then
        assertThat(Drift.of(new double[] {1, 2, 3, 4, 5}).change()).isCloseTo(4.0 / 3, within(1e-12));
        assertThat(Drift.of(new double[] {5, 4, 3, 2, 1}).change()).isCloseTo(-4.0 / 3, within(1e-12));
        assertThat(Drift.of(new double[] {1, 2, 3, 4, 900}).change())
                .as("one run that is far away")
                .isCloseTo(4.0 / 3, within(1e-12));
    }

    @Test
    void probabilityCountsOrdersWithEqualTrend() {
        // then: 2 of 120 orders rise or fall all the way
        assertThat(Drift.of(new double[] {1, 2, 3, 4, 5}).probability()).isCloseTo(2.0 / 120, within(1e-12));
        assertThat(Drift.of(new double[] {5, 4, 3, 2, 1}).probability()).isCloseTo(2.0 / 120, within(1e-12));
        assertThat(Drift.of(new double[] {2, 1, 3, 4, 5}).probability()).isCloseTo(10.0 / 120, within(1e-12));
        // then: of 6 orders of three runs none has as many that rise as fall
        assertThat(Drift.of(new double[] {1, 3, 2}).probability()).isCloseTo(1, within(1e-12));
    }

    @Test
    void isNoneForEqualRunsOrSingleRun() {
        // then
        assertThat(Drift.of(new double[] {2, 2, 2}).change()).isZero();
        assertThat(Drift.of(new double[] {2, 2, 2}).probability()).isCloseTo(1, within(1e-12));
        assertThat(Drift.of(new double[] {2})).isEqualTo(new Drift(1, 0));
        assertThat(Drift.of(new double[] {0, 0, 1}).change()).as("of nothing").isZero();
    }
}
