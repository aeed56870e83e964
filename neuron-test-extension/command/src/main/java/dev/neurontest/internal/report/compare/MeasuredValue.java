package dev.neurontest.internal.report.compare;

import dev.neurontest.baseline.Stack;
import dev.neurontest.metric.Metric;

/**
 * One value of a metric that a test measured.
 *
 * @param subject title of the profile; empty for a value that is compared with a baseline
 * @param metric name, unit and direction
 * @param value value in the unit; finite and not negative
 * @param stack conditions of the value in addition to its host: the kind of capture, the tool, the compiler
 */
record MeasuredValue(String subject, Metric metric, double value, Stack stack) {

    /** Key of comparable values. */
    record Series(String subject, String metric) {}

    Series series() {
        return new Series(subject, metric.name());
    }
}
