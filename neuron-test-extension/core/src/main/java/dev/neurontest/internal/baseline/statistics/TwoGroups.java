package dev.neurontest.internal.baseline.statistics;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Variance;
import org.apiguardian.api.API;

/**
 * Runs in two groups. The spread of each group is much smaller than their distance, as on a device that is throttled from time to time.
 *
 * @param low the runs of the lower group, in ascending order
 * @param high the runs of the upper group, in ascending order
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TwoGroups(double[] low, double[] high) {

    private static final int FEWEST = 2;

    /** Splits the runs at the widest gap; empty if this does not give two groups. */
    public static Optional<TwoGroups> in(double[] runs, double leastGap, double apart) {
        double[] sorted = runs.clone();
        Arrays.sort(sorted);
        int split = -1;
        double widest = 0;
        for (int at = FEWEST; at <= sorted.length - FEWEST; at++) {
            double gap = sorted[at] - sorted[at - 1];
            if (gap > widest) {
                widest = gap;
                split = at;
            }
        }
        if (split < 0 || widest < leastGap * SampleMedian.of(sorted)) {
            return Optional.empty();
        }
        return Optional.of(new TwoGroups(
                        Arrays.copyOfRange(sorted, 0, split), Arrays.copyOfRange(sorted, split, sorted.length)))
                .filter(groups -> groups.distance() >= apart);
    }

    /**
     * Returns the distance of the means in standard deviations within the groups. The halves of one normal distribution have a distance of
     * 2.7.
     */
    private double distance() {
        double within = Math.sqrt((squares(low) + squares(high)) / (low.length + high.length - 2));
        return (Mean.of(high).getAsDouble() - Mean.of(low).getAsDouble()) / within;
    }

    private static double squares(double[] values) {
        return values.length * Variance.of(values).setBiased(true).getAsDouble();
    }
}
