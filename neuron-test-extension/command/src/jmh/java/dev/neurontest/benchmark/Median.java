package dev.neurontest.benchmark;

import java.util.Collection;
import java.util.List;

/** The median, which a few disturbed measurements do not change. */
final class Median {

    private Median() {}

    static double of(Collection<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
