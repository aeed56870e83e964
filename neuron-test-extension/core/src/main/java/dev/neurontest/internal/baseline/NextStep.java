package dev.neurontest.internal.baseline;

import dev.neurontest.internal.baseline.statistics.Disturbance;
import dev.neurontest.internal.baseline.statistics.Drift;
import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.internal.baseline.statistics.TwoGroups;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Quantity;
import java.util.List;
import java.util.Locale;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The sentence about the condition that would decide an open comparison. It estimates the number of missing runs by the normal
 * approximation of the rank test, and assumes an unchanged effect.
 *
 * @param margin the accepted degradation
 * @param alpha the accepted error of one look
 */
record NextStep(Metric metric, Fraction margin, double alpha) {

    /** The efficiency of the rank test for normally distributed runs. */
    private static final double EFFICIENCY = 3 / Math.PI;

    /** Maximum number of suggested runs. More would take too long. */
    private static final int MOST_RUNS = 100;

    /** Number of runs of an extended baseline. */
    private static final int LONG_BASELINE = 30;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    /** Returns the sentence for runs compared with a baseline. */
    String ofRuns(double[] baseline, double[] now) {
        double spread = Math.max(SampleMedian.spreadAround(baseline), SampleMedian.spreadAround(now));
        double change = SampleMedian.of(now) / SampleMedian.of(baseline) - 1;
        return Double.isFinite(change)
                ? sentence("run", change, spread, now.length, 1.0 / baseline.length)
                : "a baseline that is not zero";
    }

    /** Returns the sentence for pairs of runs. */
    String ofPairs(double[] ratios) {
        return sentence("pair", SampleMedian.of(ratios) - 1, SampleMedian.spreadAround(ratios), ratios.length, 0);
    }

    /**
     * Returns a sentence that suggests more runs, or names the obstacle.
     *
     * @param inverseBaseline 1 divided by the number of baseline runs; 0 for pairs
     */
    private String sentence(String unit, double change, double spread, int runs, double inverseBaseline) {
        double distance = Math.abs(worsening(change) - margin.value());
        double missing = runsFor(distance, spread, inverseBaseline) - runs;
        if (missing <= MOST_RUNS) {
            return "about %s (neuron.test.baseline.runs)".formatted(more((int) Math.ceil(Math.max(1, missing)), unit));
        }
        double doubt = spread * Math.sqrt(inverseBaseline + 1.0 / runs);
        if (Math.max(distance, doubt) < margin.value() / 3) {
            return "another margin, because the change of %s is at the margin of %s itself"
                    .formatted(percent(Math.abs(change)), margin);
        }
        String quieter =
                "a quieter host: %s-to-%s %s against a margin of %s".formatted(unit, unit, percent(spread), margin);
        return runsFor(distance, spread, Math.min(inverseBaseline, 1.0 / LONG_BASELINE)) <= MOST_RUNS
                ? "a baseline of %s runs, or %s".formatted(LONG_BASELINE, quieter)
                : quieter;
    }

    static String more(int number, String unit) {
        return CountText.of(number, "more " + unit);
    }

    static String withoutDisturbance(List<String> rejected) {
        return "runs that are not disturbed, after %s that did not count".formatted(rejected.size());
    }

    private double worsening(double change) {
        return switch (metric.better()) {
            case LOWER -> change;
            case HIGHER -> -change;
            case DEPENDS, NEITHER -> Math.abs(change);
        };
    }

    /** Returns the required number of runs; infinite if the baseline is too short, or if the spread is 0 and gives no estimate. */
    private double runsFor(double distance, double spread, double inverseBaseline) {
        double quantile = NORMAL.inverseSurvivalProbability(alpha);
        double share = Math.pow(distance / (quantile * spread), 2) * EFFICIENCY - inverseBaseline;
        return spread > 0 && share > 0 ? 1 / share : Double.POSITIVE_INFINITY;
    }

    static String ofDrift(double[] runs) {
        return "runs that do not drift: the last is %s %s than the first, as on a host that warms up"
                .formatted(
                        percent(Math.abs(Drift.of(runs).change())),
                        Drift.of(runs).change() > 0 ? "higher" : "lower");
    }

    String ofTwoGroups(double[] runs) {
        return TwoGroups.in(runs, margin.value(), Disturbance.APART)
                .map(groups ->
                        "runs of one kind: %s are about %s and %s about %s, as on a device that is slowed down at times"
                                .formatted(
                                        groups.low().length,
                                        shown(groups.low()),
                                        groups.high().length,
                                        shown(groups.high())))
                .orElse("");
    }

    private String shown(double[] runs) {
        return new Quantity(SampleMedian.of(runs), metric.unit()).toString();
    }

    static String percent(double part) {
        return String.format(Locale.ROOT, part < 0.001 ? "%.2g %%" : "%.1f %%", 100 * part);
    }
}
