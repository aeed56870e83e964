package dev.neurontest.export;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Stack;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Unit;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a metric of a test gave in this run.
 *
 * @param key of what
 * @param stack where
 * @param metric its name, unit and direction
 * @param median of the runs
 */
record MeasuredMetric(BaselineKey key, Stack stack, Metric metric, double median) {

    Point toPoint() {
        SortedMap<String, String> labels = new TreeMap<>();
        // what Prometheus calls instance is the address that it reads from
        stack.parts().forEach((part, value) -> labels.put(part.equals("instance") ? "instance_type" : part, value));
        labels.put("test_class", key.testClass());
        labels.put("test", key.test());
        return new Point("neuron.test.metric." + metric.name(), ucum(metric.unit()), labels, median);
    }

    private static String ucum(Unit unit) {
        return switch (unit) {
            case SECONDS -> "s";
            case NANOSECONDS -> "ns";
            case BYTES -> "By";
            case CYCLES -> "{cycle}";
            case FLOPS -> "{flop}";
            case FLOPS_PER_BYTE -> "{flop}/By";
            case COUNT, FRACTION, INDEX, TEXT -> "1";
        };
    }
}
