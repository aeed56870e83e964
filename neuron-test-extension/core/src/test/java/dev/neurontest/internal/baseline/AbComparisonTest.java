package dev.neurontest.internal.baseline;

import static dev.neurontest.internal.baseline.ComparedFixture.SPILL;
import static dev.neurontest.internal.baseline.ComparedFixture.STACK;
import static dev.neurontest.internal.baseline.ComparedFixture.TIME;
import static dev.neurontest.internal.baseline.ComparedFixture.key;
import static dev.neurontest.internal.baseline.ComparedFixture.rejected;
import static dev.neurontest.internal.baseline.ComparedFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.internal.baseline.AbComparison.Side;
import dev.neurontest.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AbComparisonTest {

    private static AbComparison of(Metric metric) {
        return new AbComparison(metric, ComparisonRule.standard(), key(metric), STACK);
    }

    /** Compares on a host that gets slower by 1 % with each run, which is far more than the difference under test. */
    private static AbComparison onDriftingHost(double factor) {
        AbComparison comparison = of(TIME);
        SplittableRandom random = new SplittableRandom(7);
        for (int run = 0; comparison.next().isPresent(); run++) {
            double host = 0.017 * (1 + 0.01 * run) * (1 + 0.003 * random.nextGaussian());
            comparison.add(run(comparison.next().get() == Side.B ? host * factor : host));
        }
        return comparison;
    }

    @Test
    void alternatesSidesAsAbba() {
        // given
        AbComparison comparison = of(TIME);
        List<Side> sides = new ArrayList<>();

        // when
        for (int run = 0; run < 8; run++) {
            sides.add(comparison.next().orElseThrow());
            comparison.add(run(1));
        }

        // then
        assertThat(sides).containsExactly(Side.A, Side.B, Side.B, Side.A, Side.A, Side.B, Side.B, Side.A);
    }

    @ParameterizedTest
    @CsvSource({"1.06, WORSE, slower", "1, NOT_WORSE, within-margin", "0.93, NOT_WORSE, better"})
    void isDecidedOnDriftingHost(double factor, ComparisonOutcome outcome, String reason) {
        // when
        Comparison comparison = onDriftingHost(factor).result();

        // then
        assertThat(comparison.outcome()).isEqualTo(outcome);
        assertThat(comparison.reason()).isEqualTo(reason);
        assertThat(comparison.ratio().orElseThrow().value()).isCloseTo(factor, within(0.012));
        assertThat(comparison.sample().runs())
                .hasSameSizeAs(comparison.baseline().orElseThrow().runs());
    }

    @Test
    void firstEvaluatesAfterSevenPairs() {
        // when
        Comparison comparison = onDriftingHost(1.2).result();

        // then
        assertThat(comparison.looks()).containsExactly(7);
    }

    @Test
    void isUndecidedWhenChangeEqualsMargin() {
        // when
        Comparison comparison = onDriftingHost(1.03).result();

        // then
        assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.UNDECIDED);
        assertThat(comparison.looks()).containsExactly(7, 10, 20);
        assertThat(comparison.decides()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1.03, NOT_WORSE, within-margin",
        "1.0301, WORSE, slower",
        "1, NOT_WORSE, same",
        "0.9699, NOT_WORSE, better"
    })
    void comparesEqualPairsWithMarginExactly(double factor, ComparisonOutcome outcome, String reason) {
        // given
        AbComparison comparison = of(TIME);

        // when
        while (comparison.next().isPresent()) {
            comparison.add(run(comparison.next().get() == Side.A ? 0.1 : 0.1 * factor));
        }

        // then
        assertThat(comparison.result().outcome()).isEqualTo(outcome);
        assertThat(comparison.result().reason()).isEqualTo(reason);
        assertThat(comparison.result().looks()).containsExactly(7);
    }

    @Test
    void needsOnePairForFixedMetric() {
        // given
        AbComparison comparison = of(SPILL);

        // when
        comparison.add(run(4096));
        comparison.add(run(8192));

        // then
        assertThat(comparison.next()).isEmpty();
        assertThat(comparison.result().outcome()).isEqualTo(ComparisonOutcome.WORSE);
    }

    @Test
    void repeatsRejectedRun() {
        // given
        AbComparison comparison = of(TIME);
        comparison.add(run(1));

        // when
        comparison.add(rejected(2, "throttled for 40 % of the time"));

        // then
        assertThat(comparison.next()).contains(Side.B);
        assertThat(comparison.result().rejected()).containsExactly("B: throttled for 40 % of the time");
        assertThat(comparison.result().sample().runs()).isEmpty();
    }

    @Test
    void isContaminatedWhenEveryRunIsRejected() {
        // given
        AbComparison comparison = of(TIME);
        int runs = 0;

        // when
        for (; comparison.next().isPresent(); runs++) {
            comparison.add(rejected(2, "throttled for 40 % of the time"));
        }

        // then
        assertThat(runs).isEqualTo(20);
        assertThat(comparison.result().outcome()).isEqualTo(ComparisonOutcome.CONTAMINATED);
    }

    @Test
    void reportsMissingPairsUntilFirstLook() {
        // given
        AbComparison comparison = of(TIME);

        // when
        comparison.add(run(1));
        comparison.add(run(1));

        // then
        assertThat(comparison.result().decides()).isEqualTo("6 more pairs");
    }

    @Test
    void refusesUnrequestedRun() {
        // given
        AbComparison comparison = of(SPILL);
        comparison.add(run(1));
        comparison.add(run(1));

        // then
        assertThatIllegalStateException().isThrownBy(() -> comparison.add(run(1)));
    }

    @Test
    void refusesValueOfZero() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(SPILL).add(run(0)))
                .withMessageContaining("gave 0.0, which has no ratio to others");
    }

    @Test
    void hasNoSamplesBeforeFirstRun() {
        // then
        assertThat(of(TIME).result().baseline()).isEmpty();
        assertThat(of(TIME).result().sample().runs()).isEmpty();
    }

    @Test
    void reportsMissingPairsUntilNextLook() {
        // given: one of seven pairs below the margin, as 2 of 128 by chance: the error of the last look, not of the
        // first
        AbComparison comparison = of(TIME);

        // when
        while (comparison.result().looks().isEmpty()) {
            int pair = comparison.result().sample().runs().size();
            comparison.add(run(comparison.next().orElseThrow() == Side.A ? 1 : pair == 0 ? 1.029 : 1.1 + 0.01 * pair));
        }

        // then
        assertThat(comparison.result().outcome()).isEqualTo(ComparisonOutcome.UNDECIDED);
        assertThat(comparison.result().looks()).containsExactly(7);
        assertThat(comparison.result().decides()).isEqualTo("3 more pairs");
    }
}
