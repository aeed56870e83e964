package dev.neurontest.internal.baseline.statistics;

import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apiguardian.api.API;

/** The median, and what lies around it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SampleMedian {

    private static final Median MEDIAN = Median.withDefaults().withCopy(true);

    private SampleMedian() {}

    public static double of(double[] values) {
        return MEDIAN.evaluate(values);
    }

    /** The standard deviation as a part of the median; 0 where the median is. */
    public static double spreadAround(double[] values) {
        double middle = of(values);
        return values.length < 2 || middle == 0
                ? 0
                : StandardDeviation.of(values).getAsDouble() / middle;
    }
}
