package dev.neurontest.baseline;

import static dev.neurontest.baseline.ComparisonOutcome.CONTAMINATED;
import static dev.neurontest.baseline.ComparisonOutcome.NOT_WORSE;
import static dev.neurontest.baseline.ComparisonOutcome.UNDECIDED;
import static dev.neurontest.baseline.ComparisonOutcome.WORSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.baseline.VerdictSimulationFixture;
import dev.neurontest.internal.baseline.VerdictSimulationFixture.Cell;
import dev.neurontest.internal.baseline.VerdictSimulationFixture.Device;
import dev.neurontest.internal.baseline.VerdictSimulationFixture.Peer;
import dev.neurontest.internal.baseline.VerdictSimulationFixture.Tally;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the error rates of the rule on simulated devices. */
class VerdictSimulationTest {

    private static final long SEED = 20_261_121;
    private static final List<Device> STATIONARY = List.of(Device.QUIET, Device.HEAVY_TAILS, Device.SLOWED_SEEN);

    private static Tally tally(Device device, double runToRun, double change, int trials) {
        return VerdictSimulationFixture.tally(new Cell(device, runToRun, change), trials, SEED, false);
    }

    static Stream<Cell> cells(List<Device> devices) {
        return devices.stream()
                .flatMap(device ->
                        VerdictSimulationFixture.RUN_TO_RUN.stream().map(runToRun -> new Cell(device, runToRun, 0)));
    }

    static Stream<Cell> stationary() {
        return cells(STATIONARY);
    }

    static Stream<Cell> disturbed() {
        return cells(List.of(Device.DRIFTING, Device.SLOWED_UNSEEN));
    }

    /** Simulations with few trials, to find a broken rule quickly. */
    @Nested
    class FewTrials {

        private static final int TRIALS = 200;

        @ParameterizedTest
        @MethodSource("dev.neurontest.baseline.VerdictSimulationTest#stationary")
        void raisesNoAlarmWhereNothingChanged(Cell cell) {
            // when
            Tally tally = VerdictSimulationFixture.tally(cell, TRIALS, SEED, false);

            // then
            assertThat(tally.share(WORSE)).isLessThanOrEqualTo(0.01);
        }

        @Test
        void findsASlowdown() {
            // when
            Tally tally = tally(Device.QUIET, 0.01, 0.05, TRIALS);

            // then
            assertThat(tally.share(WORSE)).isGreaterThanOrEqualTo(0.97);
            assertThat(tally.meanRuns()).isLessThan(8.5);
        }

        @Test
        void isUndecidedWhereTheChangeIsAtTheMargin() {
            // when
            Tally tally = tally(Device.QUIET, 0.01, 0.03, TRIALS);

            // then
            assertThat(tally.share(UNDECIDED)).isGreaterThan(0.85);
        }

        @ParameterizedTest
        @MethodSource("dev.neurontest.baseline.VerdictSimulationTest#disturbed")
        void decidesRarelyOnDisturbedDevice(Cell cell) {
            // when
            Tally tally = VerdictSimulationFixture.tally(cell, TRIALS, SEED, false);

            // then
            assertThat(tally.share(CONTAMINATED) + tally.share(UNDECIDED)).isGreaterThan(0.8);
            assertThat(tally.share(WORSE)).isLessThan(0.06);
        }

        @Test
        void isTheSameForTheSameSeed() {
            // when, then
            assertThat(tally(Device.HEAVY_TAILS, 0.02, 0.02, 20)).isEqualTo(tally(Device.HEAVY_TAILS, 0.02, 0.02, 20));
        }

        @Test
        void singleRunRulesRaiseFalseAlarms() {
            // when
            Tally tally = VerdictSimulationFixture.tally(new Cell(Device.QUIET, 0.02, 0), TRIALS, SEED, true);

            // then
            assertThat(tally.share(Peer.T_TEST)).isGreaterThan(0.2);
            assertThat(tally.share(Peer.CRITERION)).isGreaterThan(0.1);
            assertThat(tally.share(Peer.PLAIN)).isLessThan(0.1);
            assertThat(tally.share(WORSE)).isZero();
        }
    }

    /** Simulations with the number of trials that the promised error rates refer to. */
    @Nested
    @Tag("stress")
    class ManyTrials {

        private static final int TRIALS = 2_000;

        @ParameterizedTest
        @MethodSource("dev.neurontest.baseline.VerdictSimulationTest#stationary")
        void raisesAtMostOnePercentFalseAlarms(Cell cell) {
            // when
            Tally tally = VerdictSimulationFixture.tally(cell, TRIALS, SEED, false);

            // then
            assertThat(tally.share(WORSE)).isLessThanOrEqualTo(0.01);
        }

        @ParameterizedTest
        @EnumSource(
                value = Device.class,
                names = {"QUIET", "HEAVY_TAILS"})
        void findsASlowdownOfFivePercentInFewRuns(Device device) {
            // when
            Tally tally = tally(device, 0.01, 0.05, TRIALS);

            // then
            assertThat(tally.share(WORSE)).isGreaterThanOrEqualTo(0.99);
            assertThat(tally.share(NOT_WORSE)).isZero();
            assertThat(tally.meanRuns()).isLessThan(8);
        }

        @Test
        void isUndecidedWhenNoisyOrAtMargin() {
            // when
            Tally noisy = tally(Device.QUIET, 0.03, 0.05, TRIALS);
            Tally atTheMargin = tally(Device.QUIET, 0.01, 0.03, TRIALS);

            // then
            assertThat(noisy.share(UNDECIDED)).isGreaterThan(0.5);
            assertThat(noisy.share(NOT_WORSE)).isLessThan(0.005);
            assertThat(atTheMargin.share(UNDECIDED)).isGreaterThan(0.9);
            assertThat(atTheMargin.share(WORSE)).isLessThan(0.05);
        }

        @ParameterizedTest
        @MethodSource("dev.neurontest.baseline.VerdictSimulationTest#disturbed")
        void isContaminatedOrUndecidedOnADisturbedDevice(Cell cell) {
            // when
            Tally tally = VerdictSimulationFixture.tally(cell, TRIALS, SEED, false);

            // then
            assertThat(tally.share(CONTAMINATED) + tally.share(UNDECIDED)).isGreaterThan(0.85);
            assertThat(tally.share(WORSE)).isLessThan(0.05);
        }
    }
}
