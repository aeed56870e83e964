package dev.neurontest.internal.baseline.statistics;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apiguardian.api.API;

/**
 * The ratio of the new median to the old one, with the 95 % interval of the percentile bootstrap. The interval is for display only, because
 * it is too narrow for few runs. Equal runs give the same interval.
 *
 * @param low the lower end
 * @param value the measured ratio
 * @param high the upper end
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RatioInterval(double low, double value, double high) {

    private static final int RESAMPLES = 2_000;
    private static final long SEED = 0x5eed;
    private static final Quantile QUANTILE = Quantile.withDefaults();

    /** Creates the interval; empty if the old median is zero. */
    public static Optional<RatioInterval> of(double[] old, double[] now) {
        double before = SampleMedian.of(old);
        if (before == 0) {
            return Optional.empty();
        }
        SplittableRandom random = new SplittableRandom(SEED);
        return Optional.of(bootstrapped(
                SampleMedian.of(now) / before,
                () -> SampleMedian.of(drawn(now, random)) / SampleMedian.of(drawn(old, random))));
    }

    /** Creates the interval of paired runs. */
    public static RatioInterval ofPairs(double[] ratios) {
        SplittableRandom random = new SplittableRandom(SEED);
        return bootstrapped(SampleMedian.of(ratios), () -> SampleMedian.of(drawn(ratios, random)));
    }

    /** Computes the interval. Resamples with an old median of zero have no ratio and are ignored. */
    private static RatioInterval bootstrapped(double value, DoubleSupplier resample) {
        double[] ratios = DoubleStream.generate(resample)
                .limit(RESAMPLES)
                .filter(Double::isFinite)
                .toArray();
        double[] ends = QUANTILE.evaluate(ratios, 0.025, 0.975);
        return new RatioInterval(Math.min(ends[0], value), value, Math.max(ends[1], value));
    }

    private static double[] drawn(double[] values, SplittableRandom random) {
        return random.ints(values.length, 0, values.length)
                .mapToDouble(index -> values[index])
                .toArray();
    }
}
