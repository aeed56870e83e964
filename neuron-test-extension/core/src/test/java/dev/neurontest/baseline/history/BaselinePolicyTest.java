package dev.neurontest.baseline.history;

import static dev.neurontest.baseline.ComparisonOutcome.CONTAMINATED;
import static dev.neurontest.baseline.ComparisonOutcome.NOT_WORSE;
import static dev.neurontest.baseline.ComparisonOutcome.NO_BASELINE;
import static dev.neurontest.baseline.ComparisonOutcome.UNDECIDED;
import static dev.neurontest.baseline.ComparisonOutcome.WORSE;
import static dev.neurontest.baseline.history.BaselineDecision.Action.KEEP;
import static dev.neurontest.baseline.history.BaselineDecision.Action.PROPOSE;
import static dev.neurontest.baseline.history.BaselineDecision.Action.REFUSE;
import static dev.neurontest.baseline.history.BaselineDecision.Action.WRITE;
import static dev.neurontest.baseline.history.BaselineFixture.INSTRUCTIONS;
import static dev.neurontest.baseline.history.BaselineFixture.TODAY;
import static dev.neurontest.baseline.history.BaselineFixture.around;
import static dev.neurontest.baseline.history.BaselineFixture.comparison;
import static dev.neurontest.baseline.history.BaselineFixture.improved;
import static dev.neurontest.baseline.history.BaselineFixture.instructions;
import static dev.neurontest.baseline.history.BaselineFixture.latency;
import static dev.neurontest.baseline.history.BaselineFixture.runs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.baseline.BaselineEntry;
import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.configuration.BaselineUpdate;
import dev.neurontest.configuration.Settings;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BaselinePolicyTest {

    private static final Optional<BaselineEntry> NONE = Optional.empty();
    private static final Optional<BaselineEntry> OLD = Optional.of(latency(17));

    private static BaselinePolicy policy(BaselineUpdate update, String note) {
        return new BaselinePolicy(update, false, note, "abc1234", TODAY, "run-1");
    }

    private static BaselineDecision decide(
            BaselinePolicy policy, Comparison comparison, Optional<BaselineEntry> former) {
        return policy.decide(comparison, Optional.empty(), former, NONE);
    }

    private static void assertDecision(BaselineDecision decision, BaselineDecision.Action action, String reason) {
        assertThat(decision.reason()).isEqualTo(reason);
        assertThat(decision.action()).isEqualTo(action);
    }

    @Nested
    class Update {

        @ParameterizedTest
        @CsvSource({
            "NONE,     PROPOSE, PROPOSE, PROPOSE, KEEP,  KEEP",
            "MISSING,  WRITE,   PROPOSE, PROPOSE, KEEP,  KEEP",
            "IMPROVED, WRITE,   WRITE,   PROPOSE, KEEP,  KEEP",
            "ALL,      WRITE,   WRITE,   WRITE,   WRITE, WRITE"
        })
        void saysWhatIsWritten(
                BaselineUpdate update,
                BaselineDecision.Action missing,
                BaselineDecision.Action better,
                BaselineDecision.Action worse,
                BaselineDecision.Action notWorse,
                BaselineDecision.Action undecided) {
            // given
            BaselinePolicy policy = policy(update, "because");

            // then
            List<BaselineDecision.Action> actions = new ArrayList<>();
            actions.add(
                    decide(policy, comparison(NO_BASELINE, around(17)), NONE).action());
            actions.add(decide(policy, improved(around(15)), OLD).action());
            actions.add(decide(policy, comparison(WORSE, around(18)), OLD).action());
            actions.add(decide(policy, comparison(NOT_WORSE, around(16.9)), OLD).action());
            actions.add(decide(policy, comparison(UNDECIDED, around(17.5)), OLD).action());
            assertThat(actions).containsExactly(missing, better, worse, notWorse, undecided);
        }

        @Test
        void isNamedWhereItForbids() {
            // then
            assertDecision(
                    decide(policy(BaselineUpdate.MISSING, ""), comparison(WORSE, around(18)), OLD),
                    PROPOSE,
                    "neuron.test.baseline.update is missing.");
        }
    }

    @Nested
    class Refusal {

        @ParameterizedTest
        @EnumSource(BaselineUpdate.class)
        void isForDisturbedRunsWhateverIsAllowed(BaselineUpdate update) {
            // then
            assertDecision(
                    decide(policy(update, "because"), comparison(CONTAMINATED, around(17)), NONE),
                    REFUSE,
                    "Its runs were disturbed (throttled), which never becomes a baseline.");
        }

        @Test
        void isForNoRunsAtAll() {
            // then
            assertDecision(
                    decide(policy(BaselineUpdate.ALL, ""), comparison(NO_BASELINE, runs(1)), NONE),
                    REFUSE,
                    "It has no runs that count.");
        }

        @Test
        void isNotForANumberOfZero() {
            // then
            assertThat(decide(
                                    policy(BaselineUpdate.ALL, ""),
                                    comparison(INSTRUCTIONS, NO_BASELINE, false, runs(1, 0)),
                                    NONE)
                            .action())
                    .isEqualTo(BaselineDecision.Action.WRITE);
        }

        @Test
        void isForWhatNoFileCouldKeep() {
            // then
            assertDecision(
                    decide(policy(BaselineUpdate.ALL, ""), comparison(NO_BASELINE, runs(1, Double.NaN)), NONE),
                    REFUSE,
                    "It has runs whose number is negative, infinite or none.");
        }
    }

    @Nested
    class Note {

        @Test
        void isNeededForWhatGetsWorse() {
            // then
            assertDecision(
                    decide(policy(BaselineUpdate.ALL, " "), comparison(WORSE, around(18)), OLD),
                    PROPOSE,
                    "It gets worse: say why with a note (neuron.test.baseline.note).");
        }

        @Test
        void isNeededAlsoWhereItGetsWorseByLittle() {
            // then
            assertDecision(
                    decide(policy(BaselineUpdate.ALL, ""), comparison(NOT_WORSE, around(17.01)), OLD),
                    PROPOSE,
                    "It gets worse: say why with a note (neuron.test.baseline.note).");
        }

        @Test
        void isNeededForAnotherNumberOfWhatHasNoBetter() {
            // given
            Metric flops = new Metric("model_flops", Unit.FLOPS, Direction.NEITHER, Noise.FIXED);
            BaselineEntry old = BaselineFixture.entry(
                    BaselineFixture.key("inference(int)[1]", "model_flops"), flops, BaselineFixture.TRN2, runs(1, 100));

            // then
            assertDecision(
                    decide(
                            policy(BaselineUpdate.ALL, ""),
                            comparison(flops, WORSE, false, runs(1, 90)),
                            Optional.of(old)),
                    PROPOSE,
                    "It gets another number: say why with a note (neuron.test.baseline.note).");
        }

        @Test
        void isNotNeededForWhatGetsBetter() {
            // then
            assertThat(decide(policy(BaselineUpdate.ALL, ""), improved(around(15)), OLD)
                            .action())
                    .isEqualTo(WRITE);
        }

        @Test
        void goesIntoTheBaseline() {
            // when
            BaselineChange change = decide(
                            policy(BaselineUpdate.ALL, "longer sequences"), comparison(WORSE, around(18)), OLD)
                    .change()
                    .orElseThrow();

            // then
            assertThat(change.accepted("").note()).isEqualTo("longer sequences");
        }
    }

    @Nested
    class Runs {

        @Test
        void mustBeTenOfANoisyMetric() {
            // then
            assertDecision(
                    decide(policy(BaselineUpdate.ALL, ""), comparison(NO_BASELINE, runs(30, 1, 2, 3, 4, 5)), NONE),
                    PROPOSE,
                    "It has 5 of 10 runs: measure it again.");
        }

        @Test
        void isOneOfAMetricThatDoesNotVary() {
            // then
            assertThat(decide(
                                    policy(BaselineUpdate.MISSING, ""),
                                    comparison(INSTRUCTIONS, NO_BASELINE, false, runs(1, 7)),
                                    NONE)
                            .action())
                    .isEqualTo(WRITE);
        }
    }

    @Nested
    class InCi {

        private BaselinePolicy policy(Map<String, String> environment) {
            return BaselinePolicy.of(Settings.of(name -> Optional.empty()), environment, TODAY, "run-1");
        }

        @ParameterizedTest
        @CsvSource({"true, true", "1, true", "woodpecker, true", "false, false", "FALSE, false", "0, false", "'', false"
        })
        void isWhereTheVariableSaysSo(String ci, boolean forbidden) {
            // then
            assertThat(policy(Map.of("CI", ci)).forbidden()).isEqualTo(forbidden);
        }

        @Test
        void isNotWithoutTheVariable() {
            // then
            assertThat(policy(Map.of()).forbidden()).isFalse();
        }

        @Test
        void isAllowedBySetting() {
            // given
            Settings settings = Settings.of(
                    name -> name.equals("neuron.test.baseline.ci") ? Optional.of("true") : Optional.empty());

            // then
            assertThat(BaselinePolicy.of(settings, Map.of("CI", "true"), TODAY, "run-1")
                            .forbidden())
                    .isFalse();
        }

        @Test
        void nothingIsWritten() {
            // given
            BaselinePolicy ci = new BaselinePolicy(BaselineUpdate.ALL, true, "", "", TODAY, "run-1");

            // then
            assertDecision(
                    decide(ci, comparison(NO_BASELINE, around(17)), NONE),
                    PROPOSE,
                    "Baselines are not written in CI: approve it elsewhere, or set neuron.test.baseline.ci=true.");
        }

        @ParameterizedTest
        @CsvSource({"GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"})
        void theCommitIsKnown(String variable) {
            // then
            assertThat(policy(Map.of(variable, " abc1234 ", "SOME_SHA", "other"))
                            .commit())
                    .isEqualTo("abc1234");
        }

        @Test
        void theCommitIsEmptyWhereNobodySaysIt() {
            // then
            assertThat(policy(Map.of("GITHUB_SHA", "")).commit()).isEmpty();
            assertThat(policy(Map.of("GITHUB_SHA", " ", "GIT_COMMIT", "abc1234"))
                            .commit())
                    .isEqualTo("abc1234");
        }
    }

    @Nested
    class Kept {

        @Test
        void isTheSameNumberAlsoWhenAllAreUpdated() {
            // then
            assertDecision(
                    decide(
                            policy(BaselineUpdate.ALL, ""),
                            comparison(INSTRUCTIONS, NOT_WORSE, false, runs(1, 7)),
                            Optional.of(instructions(7))),
                    KEEP,
                    "It is the same number.");
        }

        @Test
        void isWhatIsStillRight() {
            // then
            assertDecision(
                    decide(policy(BaselineUpdate.IMPROVED, ""), comparison(NOT_WORSE, around(16.9)), OLD),
                    KEEP,
                    "It is still right.");
        }

        @Test
        void isWhatTheRunsDoNotShowToBeWrong() {
            // then
            assertDecision(
                    decide(policy(BaselineUpdate.NONE, ""), comparison(UNDECIDED, around(17.5)), OLD),
                    KEEP,
                    "The runs do not show that it is wrong.");
        }

        @Test
        void isWhatSomebodyElseWroteSinceItWasLookedFor() {
            // then
            assertDecision(
                    decide(policy(BaselineUpdate.MISSING, ""), comparison(NO_BASELINE, around(17.5)), OLD),
                    KEEP,
                    "Another process wrote it meanwhile.");
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
        void isWhatTheMedianDoes(Direction better, double median, BaselineChange.Kind kind) {
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
        void keepsAHistoryOfTenTheNewestFirst() {
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
