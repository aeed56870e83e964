package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.util.Arrays;

/**
 * The rule for runs without noise: it compares their range with that of the baseline. A change of exactly the margin is accepted.
 *
 * @param metric the metric, which determines the direction of degradation
 * @param margin the accepted degradation
 */
record FixedRule(Metric metric, Fraction margin) {

    /** Part of the margin that is attributed to the rounding of doubles. Without a margin, values are compared exactly. */
    private static final double ROUNDING = 1e-9;

    /** Returns whether runs have no noise: they differ by nothing but rounding. */
    boolean isConstant(double[] runs) {
        double highest = Arrays.stream(runs).max().orElseThrow();
        double lowest = Arrays.stream(runs).min().orElseThrow();
        return highest - lowest <= ROUNDING * margin.value() * highest;
    }

    ComparisonFinding compare(double[] baseline, double[] now) {
        double highest = Arrays.stream(baseline).max().orElseThrow();
        double lowest = Arrays.stream(baseline).min().orElseThrow();
        double most = Arrays.stream(now).max().orElseThrow();
        double least = Arrays.stream(now).min().orElseThrow();
        double accepted = margin.value() * (1 + ROUNDING);
        boolean above = most > highest * (1 + accepted);
        boolean below = least < lowest * (1 - accepted);
        Direction better = metric.better();
        if (above && better == Direction.LOWER || below && better == Direction.HIGHER) {
            return ComparisonFinding.of(ComparisonOutcome.WORSE, MarginRule.worseWord(metric));
        }
        if (above || below) {
            return better == Direction.LOWER || better == Direction.HIGHER
                    ? new ComparisonFinding(ComparisonOutcome.NOT_WORSE, "better", true)
                    : ComparisonFinding.of(ComparisonOutcome.WORSE, "changed");
        }
        return ComparisonFinding.of(
                ComparisonOutcome.NOT_WORSE, most <= highest && least >= lowest ? "same" : "within-margin");
    }
}
