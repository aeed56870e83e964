package dev.neurontest.baseline;

import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;

/** The median, and what lies around it. */
final class Middle {

    private static final Median MEDIAN = Median.withDefaults().withCopy(true);

    private Middle() {}

    static double of(double[] values) {
        return MEDIAN.evaluate(values);
    }

    /** The standard deviation as a part of the median; 0 where the median is. */
    static double spreadAround(double[] values) {
        double middle = of(values);
        return values.length < 2 || middle == 0
                ? 0
                : StandardDeviation.of(values).getAsDouble() / middle;
    }
}
