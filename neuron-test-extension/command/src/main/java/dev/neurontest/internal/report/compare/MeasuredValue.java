package dev.neurontest.internal.report.compare;

import dev.neurontest.baseline.Stack;
import dev.neurontest.metric.Metric;

/**
 * What a test measured of one metric, in one number.
 *
 * @param subject the profile that has it, by its title; empty for what is compared with a baseline
 * @param metric its name, unit and direction
 * @param value in the unit; finite and not negative
 * @param stack what the number belongs to beside its host: the kind of capture, the tool, the compiler
 */
record MeasuredValue(String subject, Metric metric, double value, Stack stack) {

    /** What is compared with what. */
    record Series(String subject, String metric) {}

    Series series() {
        return new Series(subject, metric.name());
    }
}
