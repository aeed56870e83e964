package dev.neurontest.internal.export;

import java.util.SortedMap;

/**
 * One number.
 *
 * @param name such as {@code neuron.test.metric.total_time}
 * @param unit as OTLP wants it, in UCUM: {@code s}, {@code By}, {@code 1}
 * @param labels what tells it from others of its name
 * @param value finite
 */
record OtlpPoint(String name, String unit, SortedMap<String, String> labels, double value) {}
