package dev.neurontest.internal.export;

import java.util.SortedMap;

/**
 * A number of a run.
 *
 * @param name the name, such as {@code neuron.test.metric.total_time}
 * @param unit the UCUM unit that OTLP requires: {@code s}, {@code By}, {@code 1}
 * @param labels labels that distinguish it from other numbers with its name
 * @param value a finite value
 */
record OtlpPoint(String name, String unit, SortedMap<String, String> labels, double value) {}
