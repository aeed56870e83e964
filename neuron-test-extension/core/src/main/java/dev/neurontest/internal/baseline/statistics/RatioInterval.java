package dev.neurontest.internal.baseline.statistics;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apiguardian.api.API;

/**
 * How many times the old median the new one is, with the middle 95 % of what other runs of the same kind would have given (percentile bootstrap). It is shown
 * and decides nothing: of few runs it is too narrow. The same runs give the same interval.
 *
 * @param low its lower end
 * @param value what the runs say
 * @param high its upper end
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RatioInterval(double low, double value, double high) {

    private static final int RESAMPLES = 2_000;
    private static final long SEED = 0x5eed;
    private static final Quantile QUANTILE = Quantile.withDefaults();

    /** Empty where the old median is zero. */
    public static Optional<RatioInterval> of(double[] old, double[] now) {
        double before = SampleMedian.of(old);
        if (before == 0) {
            return Optional.empty();
        }
        SplittableRandom random = new SplittableRandom(SEED);
        return Optional.of(around(
                SampleMedian.of(now) / before,
                () -> SampleMedian.of(drawn(now, random)) / SampleMedian.of(drawn(old, random))));
    }

    /** Of runs that were made in pairs. */
    public static RatioInterval ofPairs(double[] ratios) {
        SplittableRandom random = new SplittableRandom(SEED);
        return around(SampleMedian.of(ratios), () -> SampleMedian.of(drawn(ratios, random)));
    }

    /** A resample whose old median is zero has no ratio. */
    private static RatioInterval around(double value, DoubleSupplier resample) {
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
