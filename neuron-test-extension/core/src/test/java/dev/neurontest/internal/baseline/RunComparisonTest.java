package dev.neurontest.internal.baseline;

import static dev.neurontest.baseline.ComparisonOutcome.CONTAMINATED;
import static dev.neurontest.baseline.ComparisonOutcome.NOT_WORSE;
import static dev.neurontest.baseline.ComparisonOutcome.NO_BASELINE;
import static dev.neurontest.baseline.ComparisonOutcome.UNDECIDED;
import static dev.neurontest.baseline.ComparisonOutcome.WORSE;
import static dev.neurontest.internal.baseline.ComparedFixture.ACTIVE;
import static dev.neurontest.internal.baseline.ComparedFixture.FLOPS;
import static dev.neurontest.internal.baseline.ComparedFixture.MFU;
import static dev.neurontest.internal.baseline.ComparedFixture.QUIET;
import static dev.neurontest.internal.baseline.ComparedFixture.READ;
import static dev.neurontest.internal.baseline.ComparedFixture.SPILL;
import static dev.neurontest.internal.baseline.ComparedFixture.STACK;
import static dev.neurontest.internal.baseline.ComparedFixture.TIME;
import static dev.neurontest.internal.baseline.ComparedFixture.against;
import static dev.neurontest.internal.baseline.ComparedFixture.entry;
import static dev.neurontest.internal.baseline.ComparedFixture.fed;
import static dev.neurontest.internal.baseline.ComparedFixture.key;
import static dev.neurontest.internal.baseline.ComparedFixture.rejected;
import static dev.neurontest.internal.baseline.ComparedFixture.run;
import static dev.neurontest.internal.baseline.ComparedFixture.times;
import static dev.neurontest.internal.baseline.ComparedFixture.withoutBaseline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Stack;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunComparisonTest {

    /** Ten values around 1, in no order. */
    private static final double[] NOISE = {1.021, 0.984, 1.035, 0.972, 1.003, 0.991, 1.044, 0.965, 1.012, 0.978};

    static Stream<Arguments> outcomes() {
        double[] utilisation = times(20, QUIET);
        double[] tied = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
        Metric overlap = new Metric("overlap_count", Unit.COUNT, Direction.HIGHER, Noise.FIXED);
        return Stream.of(
                arguments(against(TIME, QUIET), times(1.02, QUIET), NOT_WORSE, "within-margin"),
                arguments(against(TIME, QUIET), times(0.95, QUIET), NOT_WORSE, "better"),
                arguments(against(TIME, tied), times(1, 3), WORSE, "slower"),
                arguments(against(MFU, utilisation), times(0.95, utilisation), WORSE, "lower"),
                arguments(against(MFU, utilisation), times(0.98, utilisation), NOT_WORSE, "within-margin"),
                arguments(against(MFU, utilisation), times(1.05, utilisation), NOT_WORSE, "better"),
                arguments(against(ACTIVE, QUIET), times(0.95, QUIET), WORSE, "changed"),
                arguments(against(ACTIVE, QUIET), times(1.01, QUIET), NOT_WORSE, "within-margin"),
                arguments(against(ACTIVE, QUIET), times(1.05, QUIET), WORSE, "changed"),
                arguments(against(SPILL, 4096), times(1, 4096), NOT_WORSE, "same"),
                arguments(against(SPILL, 4096), times(1, 4097), WORSE, "higher"),
                arguments(against(SPILL, 4096), times(1, 4095), NOT_WORSE, "better"),
                arguments(against(SPILL, 0), times(1, 0), NOT_WORSE, "same"),
                arguments(against(SPILL, 4096, 8192, 4096), times(1, 8192), NOT_WORSE, "same"),
                arguments(against(overlap, 40), times(1, 40), NOT_WORSE, "same"),
                arguments(against(overlap, 40), times(1, 39), WORSE, "lower"),
                arguments(against(overlap, 40), times(1, 41), NOT_WORSE, "better"),
                arguments(against(FLOPS, 4096), times(1, 4095), WORSE, "changed"),
                arguments(against(FLOPS, 4096), times(1, 4097), WORSE, "changed"),
                arguments(against(READ, 1_000_000), times(1, 1_000_900), NOT_WORSE, "within-margin"),
                arguments(against(READ, 1_000_000), times(1, 1_001_100), WORSE, "higher"),
                arguments(against(READ, 1_000_000), times(1, 999_100), NOT_WORSE, "within-margin"),
                arguments(against(READ, 1_000_000), times(1, 998_900), NOT_WORSE, "better"));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void derivesOutcomeFromRunsAndDirectionOfMetric(
            RunComparison comparison, double[] runs, ComparisonOutcome outcome, String reason) {
        // when
        Comparison result = fed(comparison, runs).result();

        // then
        assertThat(result.outcome()).isEqualTo(outcome);
        assertThat(result.reason()).isEqualTo(reason);
        assertThat(result.improved()).isEqualTo(reason.equals("better"));
        assertThat(result.sample().runs()).hasSize(result.metric().noise() == Noise.NOISY ? 5 : 1);
    }

    @Nested
    class NoisyMetric {

        @Test
        void isDecidedAtFirstLookWhenRunsAreClear() {
            // when
            Comparison comparison =
                    fed(against(TIME, QUIET), times(1.05, QUIET)).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(WORSE);
            assertThat(comparison.reason()).isEqualTo("slower");
            assertThat(comparison.looks()).containsExactly(5);
            assertThat(comparison.sample().runs()).hasSize(5);
            assertThat(comparison.decides()).isEmpty();
            assertThat(comparison.ratio()).hasValueSatisfying(ratio -> {
                assertThat(ratio.value()).isCloseTo(1.05, within(0.002));
                assertThat(ratio.low()).isBetween(1.04, ratio.value());
                assertThat(ratio.high()).isBetween(ratio.value(), 1.06);
            });
        }

        @ParameterizedTest
        @CsvSource({"1.05, WORSE, false", "0.95, NOT_WORSE, true"})
        void worseOrBetterResultIsMeasuredUntilBaselineIsComplete(
                double factor, ComparisonOutcome outcome, boolean improved) {
            // given
            RunComparison comparison = fed(against(TIME, QUIET), times(factor, QUIET));

            // when
            for (double value : times(factor, QUIET)) {
                if (comparison.wantsMoreForABaseline()) {
                    comparison.add(new MeasuredRun(value, 1, Optional.empty()));
                }
            }

            // then
            assertThat(comparison.wantsMoreForABaseline()).isFalse();
            assertThat(comparison.result().sample().runs()).hasSize(10);
            assertThat(comparison.result().looks()).containsExactly(5);
            assertThat(comparison.result().outcome()).isEqualTo(outcome);
            assertThat(comparison.result().improved()).isEqualTo(improved);
        }

        @Test
        void measuringWorseResultEndsWhenRunsAreRejected() {
            // given
            RunComparison comparison = fed(against(TIME, QUIET), times(1.05, QUIET));
            int further = 0;

            // when
            while (comparison.wantsMoreForABaseline() && further < 100) {
                comparison.add(rejected(0.034, "throttled"));
                further++;
            }

            // then
            assertThat(further).isEqualTo(10);
            assertThat(comparison.result().sample().runs()).hasSize(5);
        }

        @Test
        void resultWithinMarginNeedsNoNewBaseline() {
            assertThat(fed(against(TIME, QUIET), times(1.02, QUIET)).wantsMoreForABaseline())
                    .isFalse();
        }

        @Test
        void requestsRunsUntilLastLookWhileUndecided() {
            // given
            RunComparison comparison = against(TIME, times(0.017, NOISE));

            // when
            fed(comparison, times(0.01751, NOISE));

            // then
            assertThat(comparison.result().looks()).containsExactly(5, 10, 20);
            assertThat(comparison.outcome()).isEqualTo(UNDECIDED);
            assertThat(comparison.result().reason()).isEqualTo("too-noisy");
        }

        @Test
        void isNotDecidedBeforeTheFirstLook() {
            // given
            RunComparison comparison = against(TIME, QUIET);

            // when
            for (int run = 0; run < 4; run++) {
                comparison.add(run(0.034 + run * 1e-5));
            }

            // then
            assertThat(comparison.wantsMore()).isTrue();
            assertThat(comparison.outcome()).isEqualTo(UNDECIDED);
            assertThat(comparison.result().reason()).isEqualTo("too-few-runs");
            assertThat(comparison.result().decides()).isEqualTo("1 more run");
        }

        @Test
        void usesLooksAndMarginOfRule() {
            // given
            ComparisonRule rule =
                    ComparisonRule.standard().withLooks(List.of(6, 12)).withMargin(Fraction.ofPercent(10));

            // when
            Comparison comparison =
                    fed(against(rule, TIME, QUIET), times(1.05, QUIET)).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(NOT_WORSE);
            assertThat(comparison.looks()).containsExactly(6);
            assertThat(comparison.margin()).isEqualTo(Fraction.ofPercent(10));
        }

        @Test
        void ignoresRunsAfterDecision() {
            // given
            RunComparison comparison = fed(against(TIME, QUIET), QUIET);

            // when
            comparison.add(run(99));

            // then
            assertThat(comparison.result().sample().runs()).hasSize(5).doesNotContain(99.0);
        }

        @Test
        void givesTheSameIntervalForTheSameRuns() {
            // when
            Comparison one = fed(against(TIME, QUIET), times(1.05, QUIET)).result();
            Comparison other = fed(against(TIME, QUIET), times(1.05, QUIET)).result();

            // then
            assertThat(one).isEqualTo(other);
        }
    }

    @Nested
    class RunsWithoutSpread {

        private static final double[] CONSTANT = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};

        /** Verifies values in which a change of exactly the margin is above the limit, if doubles are compared without tolerance. */
        @ParameterizedTest
        @CsvSource({
            "0.1, NOT_WORSE, same, false",
            "0.103, NOT_WORSE, within-margin, false",
            "0.10300000000000001, NOT_WORSE, within-margin, false",
            "0.10300001, WORSE, slower, false",
            "0.0970001, NOT_WORSE, within-margin, false",
            "0.097, NOT_WORSE, within-margin, false",
            "0.0969999, NOT_WORSE, better, true"
        })
        void areComparedWithMarginExactly(double now, ComparisonOutcome outcome, String reason, boolean improved) {
            // when
            Comparison comparison = fed(against(TIME, CONSTANT), now).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(outcome);
            assertThat(comparison.reason()).isEqualTo(reason);
            assertThat(comparison.improved()).isEqualTo(improved);
            assertThat(comparison.looks()).containsExactly(5);
            assertThat(comparison.decides()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"0.97, NOT_WORSE", "0.96999, WORSE", "1.03, NOT_WORSE", "1.031, NOT_WORSE"})
        void areComparedInDirectionOfMetric(double factor, ComparisonOutcome outcome) {
            // then
            assertThat(fed(against(MFU, CONSTANT), 0.1 * factor).outcome()).isEqualTo(outcome);
        }

        @ParameterizedTest
        @CsvSource({"0.97, NOT_WORSE", "0.96999, WORSE", "1.03, NOT_WORSE", "1.031, WORSE"})
        void areComparedEitherWayWhenNoDirectionIsBetter(double factor, ComparisonOutcome outcome) {
            // then
            assertThat(fed(against(ACTIVE, CONSTANT), 0.1 * factor).outcome()).isEqualTo(outcome);
        }

        /** Verifies sums of equal times, which differ in their last digit. */
        @Test
        void mayDifferByRounding() {
            // when
            Comparison comparison = fed(against(TIME, CONSTANT), 0.103, Math.nextUp(0.103), Math.nextDown(0.103))
                    .result();

            // then
            assertThat(comparison.outcome()).isEqualTo(NOT_WORSE);
            assertThat(comparison.looks()).containsExactly(5);
        }

        @Test
        void areTheSameAsWithoutMargin() {
            // given
            ComparisonRule rule = ComparisonRule.standard().withMargin(Fraction.ofPercent(0));

            // then
            assertThat(fed(against(rule, TIME, CONSTANT), 0.1).outcome()).isEqualTo(NOT_WORSE);
            assertThat(fed(against(rule, TIME, CONSTANT), Math.nextUp(0.1)).outcome())
                    .isEqualTo(WORSE);
        }

        @ParameterizedTest
        @CsvSource({"1.03, UNDECIDED", "1.02, NOT_WORSE", "1.04, WORSE"})
        void areRankedWhenBaselineVaries(double factor, ComparisonOutcome outcome) {
            // when
            Comparison comparison = fed(against(TIME, QUIET), 0.017 * factor).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(outcome);
            if (outcome == UNDECIDED) {
                assertThat(comparison.decides())
                        .isEqualTo("another margin, because the change of 3.0 % is at the margin of 3 % itself");
            }
        }

        @Test
        void areRankedWhenNewRunsVary() {
            // when
            Comparison comparison =
                    fed(against(TIME, CONSTANT), times(0.103 / 0.017, QUIET)).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(UNDECIDED);
            assertThat(comparison.decides())
                    .isEqualTo("another margin, because the change of 3.0 % is at the margin of 3 % itself");
        }
    }

    @Nested
    class FixedMetric {

        @Test
        void usesMarginOfRule() {
            // given
            ComparisonRule rule = ComparisonRule.standard().withMargin(Fraction.ofPercent(5));

            // when
            Comparison comparison = fed(against(rule, SPILL, 1000), 1050).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(NOT_WORSE);
        }

        /** Verifies margins for which the product of doubles is below or above the exact limit, such as 114.99999999999999. */
        @ParameterizedTest
        @CsvSource({"15, 100, 115, NOT_WORSE", "15, 100, 116, WORSE", "0, 10000000000000, 10000000000001, WORSE"})
        void acceptsChangeOfExactlyTheMargin(double percent, double before, double now, ComparisonOutcome outcome) {
            // given
            ComparisonRule rule = ComparisonRule.standard().withMargin(Fraction.ofPercent(percent));

            // then
            assertThat(fed(against(rule, SPILL, before), now).outcome()).isEqualTo(outcome);
        }

        @Test
        void hasNoRatioToABaselineOfZero() {
            // when
            Comparison comparison = fed(against(SPILL, 0), 4096).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(WORSE);
            assertThat(comparison.ratio()).isEmpty();
        }
    }

    @Nested
    class WithoutABaseline {

        @Test
        void requestsAsManyRunsAsBaselineNeeds() {
            // when
            Comparison comparison =
                    fed(withoutBaseline(TIME, Optional.empty()), QUIET).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(NO_BASELINE);
            assertThat(comparison.reason()).isEqualTo("no-baseline");
            assertThat(comparison.sample().runs()).hasSize(10);
            assertThat(comparison.ratio()).isEmpty();
        }

        @Test
        void requestsOneRunOfFixedMetric() {
            // when
            Comparison comparison =
                    fed(withoutBaseline(SPILL, Optional.empty()), 4096).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(NO_BASELINE);
            assertThat(comparison.sample().runs()).containsExactly(4096.0);
        }

        @Test
        void namesNearestStackWithoutComparing() {
            // given
            Stack older = Stack.of(Map.of("instance", "trn2.48xlarge", "driver", "2.29", "lnc", "2"));

            // when
            Comparison comparison =
                    fed(withoutBaseline(TIME, Optional.of(older)), QUIET).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(NO_BASELINE);
            assertThat(comparison.reason()).isEqualTo("other-stack");
            assertThat(comparison.nearest()).contains(older);
        }

        @Test
        void doesNotProposeRunsThatDrift() {
            // given
            RunComparison comparison = withoutBaseline(TIME, Optional.empty());

            // when
            for (int run = 0; comparison.wantsMore(); run++) {
                comparison.add(run(0.017 * (1 + 0.01 * run)));
            }

            // then
            assertThat(comparison.outcome()).isEqualTo(CONTAMINATED);
            assertThat(comparison.result().reason()).isEqualTo("drift");
            assertThat(comparison.result().sample().runs()).hasSize(20);
        }
    }

    @Nested
    class WhenDisturbed {

        @Test
        void repeatsRejectedRuns() {
            // given
            RunComparison comparison = against(TIME, QUIET);

            // when
            for (int run = 0; comparison.wantsMore(); run++) {
                comparison.add(run % 2 == 0 ? rejected(0.034, "throttled for 40 % of the time") : run(QUIET[run % 10]));
            }

            // then
            assertThat(comparison.outcome()).isEqualTo(NOT_WORSE);
            assertThat(comparison.result().sample().runs()).hasSize(5).doesNotContain(0.034);
            assertThat(comparison.result().rejected()).hasSize(5).containsOnly("throttled for 40 % of the time");
        }

        @ParameterizedTest
        @CsvSource({"throttled for 40 % of the time, throttled", "another process used neuron0/neuron_core1, disturbed"
        })
        void givesUpWhenRejectedRunsReachLastLook(String rejection, String reason) {
            // given
            RunComparison comparison = against(TIME, QUIET);
            int runs = 0;

            // when
            for (; comparison.wantsMore(); runs++) {
                comparison.add(rejected(0.034, rejection));
            }

            // then
            assertThat(runs).isEqualTo(20);
            assertThat(comparison.outcome()).isEqualTo(CONTAMINATED);
            assertThat(comparison.result().reason()).isEqualTo(reason);
            assertThat(comparison.result().decides())
                    .isEqualTo("runs that are not disturbed, after 20 that did not count");
        }

        @Test
        void isContaminatedByLastingDrift() {
            // given
            RunComparison comparison = against(TIME, QUIET);

            // when
            for (int run = 0; comparison.wantsMore(); run++) {
                comparison.add(run(0.017 * (1 + 0.01 * run)));
            }

            // then
            assertThat(comparison.outcome()).isEqualTo(CONTAMINATED);
            assertThat(comparison.result().reason()).isEqualTo("drift");
            assertThat(comparison.result().looks()).containsExactly(5, 10, 20);
            assertThat(comparison.result().decides())
                    .isEqualTo("runs that do not drift: the last is 17.4 % higher than the first, as on a host that"
                            + " warms up");
        }

        @Test
        void isDecidedAfterDriftHasEnded() {
            // given
            RunComparison comparison = against(TIME, QUIET);

            // when
            for (int run = 0; comparison.wantsMore(); run++) {
                comparison.add(run(run < 5 ? 0.0165 + 0.0001 * run : QUIET[run * 7 % 10]));
            }

            // then
            assertThat(comparison.outcome()).isEqualTo(NOT_WORSE);
            assertThat(comparison.result().looks()).hasSizeGreaterThan(1);
        }

        @Test
        void isContaminatedByRunsOfTwoGroups() {
            // given
            RunComparison comparison = against(TIME, QUIET);

            // when
            for (int run = 0; comparison.wantsMore(); run++) {
                comparison.add(run(QUIET[run * 7 % 10] * (run % 5 < 2 ? 1.15 : 1)));
            }

            // then
            assertThat(comparison.outcome()).isEqualTo(CONTAMINATED);
            assertThat(comparison.result().reason()).isEqualTo("two-groups");
            assertThat(comparison.result().decides())
                    .isEqualTo(
                            "runs of one kind: 12 are about 16.99 ms and 8 about 19.58 ms, as on a device that is slowed down at times");
        }

        @ParameterizedTest
        @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -1})
        void refusesNegativeOrNonFiniteValue(double value) {
            // given
            RunComparison comparison = against(TIME, QUIET);

            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> comparison.add(run(value)))
                    .withMessageContaining("total_time gave " + value);
        }
    }

    @Nested
    class RunOfZeroTime {

        @ParameterizedTest
        @ValueSource(doubles = {0, -0.0, 1e-300, 1e-15, 0.9e-9})
        void isNoImprovement(double seconds) {
            // given
            RunComparison comparison = against(TIME, QUIET);

            // when
            comparison.add(run(seconds));

            // then
            assertThat(comparison.wantsMore()).isFalse();
            assertThat(comparison.outcome()).isEqualTo(CONTAMINATED);
            assertThat(comparison.result().reason()).isEqualTo("no-time");
            assertThat(comparison.result().improved()).isFalse();
            assertThat(comparison.result().decides())
                    .isEqualTo("runs that take time: 0 s is neither a measurement nor an improvement");
        }

        @Test
        void contaminatesComparisonAfterValidRun() {
            // given
            RunComparison comparison = against(TIME, QUIET);

            // when
            comparison.add(run(0.017));
            comparison.add(run(-0.0));

            // then
            assertThat(comparison.outcome()).isEqualTo(CONTAMINATED);
        }

        @Test
        void isExcludedFromSampleOfNewBaseline() {
            // given
            RunComparison comparison = fed(against(TIME, QUIET), times(1.05, QUIET));

            // when
            comparison.add(run(0));

            // then
            assertThat(comparison.result().sample().runs()).doesNotContain(0.0);
        }

        @Test
        void isTheSameAsBaselineOfZeroTime() {
            // when
            Comparison comparison = fed(against(TIME, 0, 0, 0, 0, 0), 0).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(NOT_WORSE);
            assertThat(comparison.reason()).isEqualTo("same");
            assertThat(comparison.improved()).isFalse();
        }

        @Test
        void differsFromCountOfZeroWhichIsImprovement() {
            // given
            RunComparison comparison = against(SPILL, 4096);

            // when
            comparison.add(run(0));

            // then
            assertThat(comparison.outcome()).isEqualTo(NOT_WORSE);
            assertThat(comparison.result().improved()).isTrue();
        }
    }

    @Nested
    class Advice {

        @Test
        void reportsHowManyMoreRunsWouldDecide() {
            // when
            Comparison comparison = fed(against(TIME, times(0.017, NOISE)), times(0.017 * 1.011, NOISE))
                    .result();

            // then
            assertThat(comparison.outcome()).isEqualTo(UNDECIDED);
            assertThat(comparison.decides()).matches("about \\d+ more runs \\(neuron.test.baseline.runs\\)");
        }

        @Test
        void reportsHowManyRunsAreMissingUntilNextLook() {
            // given
            RunComparison open = against(TIME, times(0.017, NOISE));

            // when
            for (double value : times(0.01751, NOISE)) {
                if (open.result().looks().isEmpty()) {
                    open.add(run(value));
                }
            }

            // then
            assertThat(open.result().decides()).isEqualTo("5 more runs");
            assertThat(against(SPILL, 4096).result().decides()).isEqualTo("1 more run");
        }

        @Test
        void recommendsLongerBaseline() {
            // when
            Comparison comparison = fed(against(TIME, times(0.017, NOISE)), times(0.017 * 1.015, NOISE))
                    .result();

            // then
            assertThat(comparison.outcome()).isEqualTo(UNDECIDED);
            assertThat(comparison.decides())
                    .isEqualTo("a baseline of 30 runs, or a quieter host: run-to-run 2.7 % against a margin of 3 %");
        }

        @Test
        void recommendsQuieterHost() {
            // given
            double[] loud = {1.09, 0.93, 1.12, 0.88, 1.02, 0.97, 1.15, 0.86, 1.05, 0.92};

            // when
            Comparison comparison = fed(against(TIME, loud), times(1.05, loud)).result();

            // then
            assertThat(comparison.outcome()).isEqualTo(UNDECIDED);
            assertThat(comparison.decides()).isEqualTo("a quieter host: run-to-run 10.3 % against a margin of 3 %");
        }

        @Test
        void recommendsOtherMarginWhenChangeEqualsMargin() {
            // when
            Comparison comparison =
                    fed(against(TIME, QUIET), times(1.03, QUIET)).result();

            // then
            assertThat(comparison.decides())
                    .isEqualTo("another margin, because the change of 3.0 % is at the margin of 3 % itself");
        }

        @Test
        void warnsOfOldBaseline() {
            // when
            Comparison comparison = fed(against(TIME, QUIET).on(LocalDate.of(2026, 11, 21)), QUIET)
                    .result();

            // then
            assertThat(comparison.notes()).containsExactly("The baseline is 204 days old, of 2026-05-01.");
        }

        @ParameterizedTest
        @ValueSource(strings = {"2026-05-01", "2026-10-28"})
        void doesNotWarnOfRecentBaseline(LocalDate today) {
            // when
            Comparison comparison = fed(against(TIME, QUIET).on(today), QUIET).result();

            // then
            assertThat(comparison.notes()).isEmpty();
        }

        @Test
        void warnsOfOtherModel() {
            // when
            Comparison comparison = fed(against(TIME, QUIET).ofNeff("bbbbbbbbbbbbbbbbbbbb"), QUIET)
                    .result();

            // then
            assertThat(comparison.notes())
                    .containsExactly("The NEFF has changed: bbbbbbbbbbbb, and aaaaaaaaaaaa in the baseline.");
        }

        @Test
        void doesNotWarnOfSameModel() {
            // when
            Comparison comparison = fed(against(TIME, QUIET).ofNeff("aaaaaaaaaaaaaaaaaaaaaaaa"), QUIET)
                    .result();

            // then
            assertThat(comparison.notes()).isEmpty();
        }

        @Test
        void warnsHowMuchTooSlowBaselineWouldHide() {
            // when
            Comparison comparison = fed(against(TIME, times(2, QUIET)), QUIET).result();

            // then
            assertThat(comparison.notes())
                    .containsExactly("The baseline is 100.1 % worse than today: a change back by as much would pass.");
        }
    }

    @Nested
    class Refuses {

        @Test
        void refusesBaselineInOtherUnit() {
            // given
            Metric nanos = new Metric("total_time", Unit.NANOSECONDS, Direction.LOWER, Noise.NOISY);

            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new RunComparison(
                            nanos,
                            ComparisonRule.standard(),
                            Optional.of(entry(TIME, QUIET)),
                            key(TIME),
                            STACK,
                            "",
                            Optional.empty(),
                            ""))
                    .withMessageContaining("is in s, and the measured value in ns");
        }

        @Test
        void refusesBaselineOfOppositeDirection() {
            // given
            Metric higher = new Metric("total_time", Unit.SECONDS, Direction.HIGHER, Noise.NOISY);

            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new RunComparison(
                            higher,
                            ComparisonRule.standard(),
                            Optional.of(entry(TIME, QUIET)),
                            key(TIME),
                            STACK,
                            "",
                            Optional.empty(),
                            ""))
                    .withMessageContaining("gets better when it is lower, and the measured value when it is higher");
        }

        @Test
        void refusesBaselineWithoutRuns() {
            // then
            assertThatIllegalArgumentException().isThrownBy(() -> against(TIME)).withMessageEndingWith("has no runs");
        }
    }
}
