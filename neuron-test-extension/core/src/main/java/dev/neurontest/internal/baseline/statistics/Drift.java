package dev.neurontest.internal.baseline.statistics;

import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * The trend over the runs in their order, by Kendall's rank test and the Theil–Sen slope. A device that warms up has a trend; a model does
 * not.
 *
 * @param probability the exact two-sided probability that an equally strong order occurs by chance
 * @param change the change from the first run to the last by the median slope, as a fraction of the median
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Drift(double probability, double change) {

    public static Drift of(double[] runs) {
        int length = runs.length;
        double[] slopes = new double[length * (length - 1) / 2];
        int next = 0;
        int rising = 0;
        for (int early = 0; early < length; early++) {
            for (int late = early + 1; late < length; late++) {
                slopes[next++] = (runs[late] - runs[early]) / (late - early);
                rising += (int) Math.signum(runs[late] - runs[early]);
            }
        }
        double middle = SampleMedian.of(runs);
        double change = next == 0 || middle == 0 ? 0 : SampleMedian.of(slopes) * (length - 1) / middle;
        return new Drift(byChance(length, Math.abs(rising)), change);
    }

    /** Computes the probability of a surplus of rising or falling pairs, over all orders of the same number of runs. */
    private static double byChance(int length, int surplus) {
        double[] parts = {1};
        for (int run = 2; run <= length; run++) {
            double[] longer = new double[parts.length + run - 1];
            for (int falling = 0; falling < parts.length; falling++) {
                for (int more = 0; more < run; more++) {
                    longer[falling + more] += parts[falling] / run;
                }
            }
            parts = longer;
        }
        int pairs = parts.length - 1;
        int mostFalling = Math.floorDiv(pairs - surplus, 2);
        return Math.min(1, 2 * Arrays.stream(parts, 0, mostFalling + 1).sum());
    }
}
