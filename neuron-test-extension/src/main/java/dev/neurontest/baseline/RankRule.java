package dev.neurontest.baseline;

import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.util.Arrays;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * Runs ranked with those of a baseline that is moved by the margin: no assumption about how they are distributed, and exact where there are no ties.
 *
 * @param metric says which way is worse
 * @param margin by how much worse is accepted
 * @param alpha the error of one question
 */
record RankRule(Metric metric, Fraction margin, double alpha) {

    private static final MannWhitneyUTest RANKS = MannWhitneyUTest.withDefaults();

    Finding ask(double[] baseline, double[] now) {
        double[] above = moved(baseline, 1 + margin.value());
        double[] below = moved(baseline, 1 - margin.value());
        return switch (metric.better()) {
            case LOWER -> oneWay(isAbove(now, above, alpha), isBelow(now, above), isBelow(now, below));
            case HIGHER -> oneWay(isBelow(now, below), isAbove(now, below, alpha), isAbove(now, above, alpha));
            case DEPENDS, NEITHER -> bothWays(now, below, above);
        };
    }

    private Finding oneWay(boolean worse, boolean notWorse, boolean improved) {
        if (worse) {
            return Finding.of(ComparisonOutcome.WORSE, worseWord(metric));
        }
        if (notWorse) {
            return new Finding(ComparisonOutcome.NOT_WORSE, improved ? "better" : "within-margin", improved);
        }
        return Finding.open("too-noisy");
    }

    /** Two questions share the error where either answer is an alarm. */
    private Finding bothWays(double[] now, double[] below, double[] above) {
        if (isAbove(now, above, alpha / 2) || isTrue(now, below, AlternativeHypothesis.LESS_THAN, alpha / 2)) {
            return Finding.of(ComparisonOutcome.WORSE, "changed");
        }
        return isBelow(now, above) && isAbove(now, below, alpha)
                ? Finding.of(ComparisonOutcome.NOT_WORSE, "within-margin")
                : Finding.open("too-noisy");
    }

    static String worseWord(Metric metric) {
        return metric.better() == Direction.HIGHER ? "lower" : metric.isTime() ? "slower" : "higher";
    }

    private static boolean isAbove(double[] now, double[] moved, double error) {
        return isTrue(now, moved, AlternativeHypothesis.GREATER_THAN, error);
    }

    private boolean isBelow(double[] now, double[] moved) {
        return isTrue(now, moved, AlternativeHypothesis.LESS_THAN, alpha);
    }

    private static boolean isTrue(double[] now, double[] moved, AlternativeHypothesis claim, double error) {
        return RANKS.with(claim).test(now, moved).getPValue() <= error;
    }

    private static double[] moved(double[] values, double factor) {
        return Arrays.stream(values).map(value -> value * factor).toArray();
    }
}
