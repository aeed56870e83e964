package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.util.Arrays;

/**
 * The rule for metrics that the compiler determines: it compares one run with the range of the baseline.
 *
 * @param metric the metric, which determines the direction of degradation
 * @param margin the accepted degradation
 */
record FixedRule(Metric metric, Fraction margin) {

    ComparisonFinding compare(double[] baseline, double[] now) {
        double highest = Arrays.stream(baseline).max().orElseThrow();
        double lowest = Arrays.stream(baseline).min().orElseThrow();
        double most = Arrays.stream(now).max().orElseThrow();
        double least = Arrays.stream(now).min().orElseThrow();
        boolean above = most > highest * (1 + margin.value());
        boolean below = least < lowest * (1 - margin.value());
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
