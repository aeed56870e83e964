package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.internal.baseline.statistics.Ranks;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;

/**
 * The rule for noisy metrics: it tests ranks against the margin. Values without noise have no ranks and are compared with the margin itself.
 *
 * @param metric the metric, which determines the direction of degradation
 * @param margin the accepted degradation
 * @param alpha the accepted error of one test
 */
record MarginRule(Metric metric, Fraction margin, double alpha) {

    /** Compares runs with those of a baseline. */
    ComparisonFinding compare(double[] baseline, double[] now) {
        FixedRule exact = new FixedRule(metric, margin);
        return exact.isConstant(baseline) && exact.isConstant(now)
                ? exact.compare(baseline, now)
                : compare(Ranks.ofRuns(baseline, now));
    }

    /** Compares the ratios of paired runs with no change. */
    ComparisonFinding compare(double[] ratios) {
        FixedRule exact = new FixedRule(metric, margin);
        return exact.isConstant(ratios) ? exact.compare(new double[] {1}, ratios) : compare(Ranks.ofPairs(ratios));
    }

    private ComparisonFinding compare(Ranks ranks) {
        double above = 1 + margin.value();
        double below = 1 - margin.value();
        return switch (metric.better()) {
            case LOWER -> oneWay(ranks.ifAtMost(above), ranks.ifAtLeast(above), ranks.ifAtLeast(below));
            case HIGHER -> oneWay(ranks.ifAtLeast(below), ranks.ifAtMost(below), ranks.ifAtMost(above));
            case DEPENDS, NEITHER -> {
                double changed = 2 * Math.min(ranks.ifAtMost(above), ranks.ifAtLeast(below));
                double same = Math.max(ranks.ifAtLeast(above), ranks.ifAtMost(below));
                yield changed <= alpha ? ComparisonFinding.of(ComparisonOutcome.WORSE, "changed") : oneWay(1, same, 1);
            }
        };
    }

    /** Decides by p-values: each is the probability of the observed ranks if the named claim were false. */
    private ComparisonFinding oneWay(double worse, double notWorse, double improved) {
        if (worse <= alpha) {
            return ComparisonFinding.of(ComparisonOutcome.WORSE, worseWord(metric));
        }
        if (notWorse <= alpha) {
            return improved <= alpha
                    ? new ComparisonFinding(ComparisonOutcome.NOT_WORSE, "better", true)
                    : ComparisonFinding.of(ComparisonOutcome.NOT_WORSE, "within-margin");
        }
        return ComparisonFinding.open("too-noisy");
    }

    static String worseWord(Metric metric) {
        return metric.better() == Direction.HIGHER ? "lower" : metric.isTime() ? "slower" : "higher";
    }
}
