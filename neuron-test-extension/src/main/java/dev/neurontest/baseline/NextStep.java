package dev.neurontest.baseline;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Quantity;
import java.util.Locale;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * What would decide an open comparison, in a sentence. How many runs are missing follows from the normal approximation of the rank test, and is about right.
 *
 * @param metric what is measured
 * @param margin by how much worse is accepted
 * @param alpha the error of one look
 */
record NextStep(Metric metric, Fraction margin, double alpha) {

    /** Of the rank test, where runs are normally distributed. */
    private static final double EFFICIENCY = 3 / Math.PI;

    /** Nobody waits for more. */
    private static final int MOST_RUNS = 100;

    /** To be decided in four of five cases. */
    private static final double POWER = 0.8;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    String sentence(double[] baseline, double[] now) {
        double spread = Math.max(Middle.spreadAround(baseline), Middle.spreadAround(now));
        double change = Middle.of(now) / Middle.of(baseline) - 1;
        if (!Double.isFinite(change)) {
            return "a baseline that is not zero";
        }
        double distance = Math.abs(worsening(change) - margin.value());
        double missing = runsFor(distance, spread, baseline.length) - now.length;
        if (missing <= MOST_RUNS) {
            return "about %d more runs (neuron.test.baseline.runs)".formatted((long) Math.ceil(Math.max(1, missing)));
        }
        return distance < margin.value() / 3
                ? "another margin, because the change of %s is at the margin of %s itself"
                        .formatted(percent(Math.abs(change)), margin)
                : "a quieter host: run-to-run %s against a margin of %s".formatted(percent(spread), margin);
    }

    private double worsening(double change) {
        return switch (metric.better()) {
            case LOWER -> change;
            case HIGHER -> -change;
            case DEPENDS, NEITHER -> Math.abs(change);
        };
    }

    /** Infinite where the baseline itself is too short. */
    private double runsFor(double distance, double spread, int baselineRuns) {
        double quantiles = NORMAL.inverseSurvivalProbability(alpha) + NORMAL.inverseCumulativeProbability(POWER);
        double share = Math.pow(distance / (quantiles * spread), 2) * EFFICIENCY - 1.0 / baselineRuns;
        return share > 0 ? 1 / share : Double.POSITIVE_INFINITY;
    }

    static String ofDrift(double[] runs) {
        return "runs that do not drift: the last is %s %s than the first, as on a host that warms up"
                .formatted(
                        percent(Math.abs(Drift.of(runs).change())),
                        Drift.of(runs).change() > 0 ? "higher" : "lower");
    }

    String ofTwoGroups(double[] runs) {
        return TwoGroups.in(runs, margin.value())
                .map(groups ->
                        "runs of one kind: %d are about %s and %d about %s, as where a device is slowed down now and then"
                                .formatted(
                                        groups.low().length,
                                        shown(groups.low()),
                                        groups.high().length,
                                        shown(groups.high())))
                .orElse("");
    }

    private String shown(double[] runs) {
        return new Quantity(Middle.of(runs), metric.unit()).toString();
    }

    static String percent(double part) {
        return String.format(Locale.ROOT, part < 0.001 ? "%.2g %%" : "%.1f %%", 100 * part);
    }
}
