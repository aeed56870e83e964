package dev.neurontest.internal.baseline.statistics;

import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apiguardian.api.API;

/** The median of a sample, and the spread around it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SampleMedian {

    private static final Median MEDIAN = Median.withDefaults().withCopy(true);

    private SampleMedian() {}

    public static double of(double[] values) {
        return MEDIAN.evaluate(values);
    }

    /** Returns the standard deviation as a fraction of the median; 0 if the median is 0. */
    public static double spreadAround(double[] values) {
        double middle = of(values);
        return values.length < 2 || middle == 0
                ? 0
                : StandardDeviation.of(values).getAsDouble() / middle;
    }
}
