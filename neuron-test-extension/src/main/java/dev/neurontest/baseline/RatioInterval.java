package dev.neurontest.baseline;

import dev.neurontest.baseline.Comparison.Ratio;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * How many times the old median the new one is, with the middle 95 % of what other runs of the same kind would have given (percentile bootstrap). It is shown
 * and decides nothing: of few runs it is too narrow. The same runs give the same interval.
 */
final class RatioInterval {

    private static final int RESAMPLES = 2_000;
    private static final long SEED = 0x5eed;
    private static final Quantile QUANTILE = Quantile.withDefaults();

    private RatioInterval() {}

    /** Empty where the old median is zero. */
    static Optional<Ratio> of(double[] old, double[] now) {
        double before = Middle.of(old);
        if (before == 0) {
            return Optional.empty();
        }
        SplittableRandom random = new SplittableRandom(SEED);
        double[] ratios = new double[RESAMPLES];
        int kept = 0;
        for (int resample = 0; resample < RESAMPLES; resample++) {
            double denominator = Middle.of(drawn(old, random));
            if (denominator != 0) {
                ratios[kept++] = Middle.of(drawn(now, random)) / denominator;
            }
        }
        double value = Middle.of(now) / before;
        double[] ends = QUANTILE.evaluateRange(ratios, 0, kept, 0.025, 0.975);
        return Optional.of(new Ratio(Math.min(ends[0], value), value, Math.max(ends[1], value)));
    }

    private static double[] drawn(double[] values, SplittableRandom random) {
        return random.ints(values.length, 0, values.length)
                .mapToDouble(index -> values[index])
                .toArray();
    }
}
