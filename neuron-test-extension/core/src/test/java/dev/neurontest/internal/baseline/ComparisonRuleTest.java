package dev.neurontest.internal.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.metric.Fraction;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonRuleTest {

    @Test
    void splitsErrorProbabilityOverLooks() {
        // given
        ComparisonRule rule = ComparisonRule.standard();

        // then
        assertThat(rule.looks().stream().mapToDouble(rule::alphaAt).sum()).isCloseTo(0.05, within(1e-12));
        assertThat(rule.alphaAt(20)).isEqualTo(2 * rule.alphaAt(5), within(1e-12));
    }

    @Test
    void usesUsualMarginOfMetric() {
        // given
        ComparisonRule rule = ComparisonRule.standard();

        // then
        assertThat(rule.marginOf(ComparedFixture.TIME)).isEqualTo(Fraction.ofPercent(3));
        assertThat(rule.marginOf(ComparedFixture.READ)).isEqualTo(Fraction.ofPercent(0.1));
        assertThat(rule.marginOf(ComparedFixture.SPILL)).isEqualTo(new Fraction(0));
    }

    @Test
    void refusesLooksThatDoNotRise() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ComparisonRule.standard().withLooks(List.of(5, 5)))
                .withMessage("the numbers of runs must increase, from at least two: [5, 5]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ComparisonRule.standard().withLooks(List.of(1, 5)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ComparisonRule.standard().withLooks(List.of()))
                .withMessage("there must be at least one number of runs after which the rule is applied");
    }

    @Test
    void refusesAMarginThatAcceptsEverything() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ComparisonRule.standard().withMargin(Fraction.ofPercent(100)))
                .withMessage("a margin must be below 100 %: 100 %");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, Double.NaN})
    void refusesAlphaOutsideZeroToHalf(double alpha) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ComparisonRule(List.of(5), Optional.empty(), alpha))
                .withMessageStartingWith("alpha must be between 0 and 0.5");
    }
}
