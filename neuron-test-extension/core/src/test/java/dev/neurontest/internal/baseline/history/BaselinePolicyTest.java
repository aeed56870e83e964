package dev.neurontest.internal.baseline.history;

import static dev.neurontest.baseline.ComparisonOutcome.CONTAMINATED;
import static dev.neurontest.baseline.ComparisonOutcome.NOT_WORSE;
import static dev.neurontest.baseline.ComparisonOutcome.NO_BASELINE;
import static dev.neurontest.baseline.ComparisonOutcome.UNDECIDED;
import static dev.neurontest.baseline.ComparisonOutcome.WORSE;
import static dev.neurontest.internal.baseline.history.BaselineFixture.INSTRUCTIONS;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TODAY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.around;
import static dev.neurontest.internal.baseline.history.BaselineFixture.comparison;
import static dev.neurontest.internal.baseline.history.BaselineFixture.improved;
import static dev.neurontest.internal.baseline.history.BaselineFixture.instructions;
import static dev.neurontest.internal.baseline.history.BaselineFixture.latency;
import static dev.neurontest.internal.baseline.history.BaselineFixture.runs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BaselinePolicyTest {

    private static final Optional<BaselineEntry> NONE = Optional.empty();
    private static final Optional<BaselineEntry> OLD = Optional.of(latency(17));

    private static final BaselinePolicy POLICY = new BaselinePolicy(false, "abc1234", () -> TODAY, "run-1");

    private static Optional<BaselineChange> proposal(Comparison comparison, Optional<BaselineEntry> former) {
        assertThat(BaselinePolicy.counts(comparison)).isTrue();
        return POLICY.proposal(comparison, Optional.empty(), former, NONE);
    }

    @Nested
    class Proposed {

        static Stream<Arguments> comparisons() {
            return Stream.of(
                    arguments(comparison(NO_BASELINE, around(17)), NONE, true),
                    arguments(comparison(NO_BASELINE, runs(1, 0)), NONE, true),
                    arguments(improved(around(15)), OLD, true),
                    arguments(comparison(WORSE, around(18)), OLD, true),
                    arguments(comparison(NOT_WORSE, around(16.9)), OLD, false),
                    // Another process wrote the baseline after the test had searched for it.
                    arguments(comparison(NO_BASELINE, around(17.5)), OLD, false),
                    arguments(comparison(INSTRUCTIONS, WORSE, false, runs(1, 7)), Optional.of(instructions(7)), false));
        }

        @ParameterizedTest
        @MethodSource("comparisons")
        void isOnlyMissingImprovedOrWorseBaseline(
                Comparison comparison, Optional<BaselineEntry> former, boolean proposed) {
            // then
            assertThat(proposal(comparison, former).isPresent()).isEqualTo(proposed);
        }

        static Stream<Comparison> nothing() {
            return Stream.of(
                    comparison(CONTAMINATED, around(17)),
                    comparison(UNDECIDED, around(17.5)),
                    comparison(NO_BASELINE, runs(1)),
                    comparison(NO_BASELINE, runs(1, Double.NaN)),
                    comparison(NO_BASELINE, runs(1, -1)));
        }

        @ParameterizedTest
        @MethodSource("nothing")
        void excludesInconclusiveComparisons(Comparison comparison) {
            // then
            assertThat(BaselinePolicy.counts(comparison)).isFalse();
        }
    }

    @Nested
    class Obstacles {

        static Stream<Arguments> changes() {
            Metric flops = new Metric("model_flops", Unit.FLOPS, Direction.NEITHER, Noise.FIXED);
            BaselineEntry oldFlops = BaselineFixture.entry(
                    BaselineFixture.key("inference(int)[1]", "model_flops"), flops, BaselineFixture.TRN2, runs(1, 100));
            return Stream.of(
                    arguments(comparison(WORSE, around(18)), OLD, " ", "It gets worse: add the reason with --note."),
                    arguments(comparison(WORSE, around(18)), OLD, "longer sequences", ""),
                    arguments(
                            comparison(flops, WORSE, false, runs(1, 90)),
                            Optional.of(oldFlops),
                            "",
                            "It gets another number: add the reason with --note."),
                    arguments(improved(around(15)), OLD, "", ""),
                    arguments(
                            comparison(NO_BASELINE, runs(30, 1, 2, 3, 4, 5)),
                            NONE,
                            "",
                            "It has 5 of 10 runs: measure it again."),
                    arguments(comparison(INSTRUCTIONS, NO_BASELINE, false, runs(1, 7)), NONE, "", ""));
        }

        @ParameterizedTest
        @MethodSource("changes")
        void listMissingRunsAndNotes(
                Comparison comparison, Optional<BaselineEntry> former, String note, String expected) {
            // given
            BaselineChange change = proposal(comparison, former).orElseThrow();

            // then
            assertThat(String.join(" ", BaselinePolicy.obstacles(change, note))).isEqualTo(expected);
        }
    }

    @Nested
    class InCi {

        private BaselinePolicy policy(Map<String, String> environment) {
            Settings settings = Settings.of(
                    name -> name.equals("neuron.test.baseline.update") ? Optional.of("missing") : Optional.empty());
            return BaselinePolicy.of(settings, environment, () -> TODAY, "run-1");
        }

        @ParameterizedTest
        @CsvSource({"true, false", "1, false", "woodpecker, false", "false, true", "FALSE, true", "0, true", "'', true"
        })
        void runsDoNotWriteBaselines(String ci, boolean writes) {
            // then
            assertThat(policy(Map.of("CI", ci)).writesMissing()).isEqualTo(writes);
        }

        @Test
        void runsWriteBaselinesWithoutTheVariable() {
            // then
            assertThat(policy(Map.of()).writesMissing()).isTrue();
            assertThat(BaselinePolicy.of(Settings.of(name -> Optional.empty()), Map.of(), () -> TODAY, "run-1")
                            .writesMissing())
                    .isFalse();
        }

        @ParameterizedTest
        @CsvSource({"GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"})
        void commitIsReadFromVariable(String variable) {
            // then
            assertThat(policy(Map.of(variable, " abc1234 ", "SOME_SHA", "other"))
                            .commit())
                    .isEqualTo("abc1234");
        }

        @Test
        void commitIsEmptyWhenNoVariableNamesIt() {
            // then
            assertThat(policy(Map.of("GITHUB_SHA", "")).commit()).isEmpty();
            assertThat(policy(Map.of("GITHUB_SHA", " ", "GIT_COMMIT", "abc1234"))
                            .commit())
                    .isEqualTo("abc1234");
        }
    }

    @Nested
    class Change {

        @ParameterizedTest
        @CsvSource({
            "LOWER, 16, BETTER", "LOWER, 18, WORSE", "LOWER, 17, SAME",
            "HIGHER, 16, WORSE", "HIGHER, 18, BETTER", "HIGHER, 17, SAME",
            "DEPENDS, 16, CHANGED", "NEITHER, 18, CHANGED", "NEITHER, 17, SAME"
        })
        void kindFollowsMedianAndDirectionOfMetric(Direction better, double median, BaselineChange.Kind kind) {
            // given
            Metric metric = new Metric("m", Unit.COUNT, better, Noise.NOISY);
            BaselineKey key = BaselineFixture.key("test()", "m");
            BaselineEntry old = BaselineFixture.entry(key, metric, BaselineFixture.TRN2, runs(1, 1, 17, 100));
            BaselineEntry now = BaselineFixture.entry(key, metric, BaselineFixture.TRN2, runs(1, 0, median, 1000));

            // then
            assertThat(new BaselineChange(Optional.of(old), now).kind()).isEqualTo(kind);
        }

        @Test
        void isNewWithoutABaseline() {
            // then
            assertThat(new BaselineChange(NONE, latency(17)).kind()).isEqualTo(BaselineChange.Kind.NEW);
        }

        @Test
        void keepsTenFormerMediansNewestFirst() {
            // given
            BaselineEntry baseline = latency(1);

            // when
            for (int median = 2; median <= 15; median++) {
                baseline = new BaselineChange(Optional.of(baseline), latency(median)).accepted("from " + median);
            }

            // then
            assertThat(baseline.note()).isEqualTo("from 15");
            assertThat(baseline.history())
                    .extracting(BaselineEntry.Former::median)
                    .containsExactly(0.014, 0.013, 0.012, 0.011, 0.010, 0.009, 0.008, 0.007, 0.006, 0.005);
            assertThat(baseline.history().get(0).note()).isEqualTo("from 14");
        }
    }
}
