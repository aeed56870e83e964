package dev.neurontest.internal.baseline.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.metric.Fraction;
import org.junit.jupiter.api.Test;

class DisturbanceTest {

    private static final Fraction MARGIN = Fraction.ofPercent(3);

    @Test
    void aDriftWellBelowTheMarginDoesNotMatter() {
        // given
        double[] runs = {1, 1.001, 1.002, 1.003, 1.004, 1.005, 1.006, 1.007, 1.008, 1.009};

        // when, then
        assertThat(Disturbance.in(runs, MARGIN, true)).isEmpty();
        assertThat(Disturbance.in(runs, Fraction.ofPercent(2), true)).contains("drift");
    }

    @Test
    void fiveRunsInOrderAreDriftOnlyBeforeLastLook() {
        // given
        double[] runs = {1, 1.01, 1.02, 1.03, 1.04};

        // when, then
        assertThat(Disturbance.in(runs, MARGIN, false)).contains("drift");
        assertThat(Disturbance.in(runs, MARGIN, true)).isEmpty();
    }

    @Test
    void aSingleOutlierIsNoGroup() {
        // given
        double[] runs = {1, 1.002, 1.001, 1.003, 1.15, 1.001, 1.002, 1};

        // when, then
        assertThat(Disturbance.in(runs, MARGIN, true)).isEmpty();
    }

    @Test
    void groupsWithinTheMarginDoNotMatter() {
        // given
        double[] runs = {1, 1.02, 1, 1.02, 1.02, 1, 1.02, 1};

        // when, then
        assertThat(Disturbance.in(runs, MARGIN, true)).isEmpty();
        assertThat(Disturbance.in(runs, Fraction.ofPercent(1), true)).contains("two-groups");
    }

    @Test
    void evenlySpreadRunsAreNotTwoGroups() {
        // given
        double[] runs = {1, 1.15, 1.04, 1.11, 1.22, 1.07, 1.26, 1.18};

        // when, then
        assertThat(TwoGroups.in(runs, 0.03, Disturbance.APART)).isEmpty();
    }
}
