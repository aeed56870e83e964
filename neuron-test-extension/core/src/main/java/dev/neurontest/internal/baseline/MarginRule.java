package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.internal.baseline.statistics.Ranks;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;

/**
 * What ranks say beside the margin.
 *
 * @param metric says which way is worse
 * @param margin by how much worse is accepted
 * @param alpha the error of one question
 */
record MarginRule(Metric metric, Fraction margin, double alpha) {

    Finding ask(Ranks ranks) {
        double above = 1 + margin.value();
        double below = 1 - margin.value();
        return switch (metric.better()) {
            case LOWER -> oneWay(ranks.ifAtMost(above), ranks.ifAtLeast(above), ranks.ifAtLeast(below));
            case HIGHER -> oneWay(ranks.ifAtLeast(below), ranks.ifAtMost(below), ranks.ifAtMost(above));
            case DEPENDS, NEITHER -> {
                double changed = 2 * Math.min(ranks.ifAtMost(above), ranks.ifAtLeast(below));
                double same = Math.max(ranks.ifAtLeast(above), ranks.ifAtMost(below));
                yield changed <= alpha ? Finding.of(ComparisonOutcome.WORSE, "changed") : oneWay(1, same, 1);
            }
        };
    }

    /** Each by how likely what was seen is, were it otherwise. */
    private Finding oneWay(double worse, double notWorse, double improved) {
        if (worse <= alpha) {
            return Finding.of(ComparisonOutcome.WORSE, worseWord(metric));
        }
        if (notWorse <= alpha) {
            return improved <= alpha
                    ? new Finding(ComparisonOutcome.NOT_WORSE, "better", true)
                    : Finding.of(ComparisonOutcome.NOT_WORSE, "within-margin");
        }
        return Finding.open("too-noisy");
    }

    static String worseWord(Metric metric) {
        return metric.better() == Direction.HIGHER ? "lower" : metric.isTime() ? "slower" : "higher";
    }
}
