package dev.neurontest.examples.guide;

import dev.neurontest.NeuronTest;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.device.NeuronCore;
import java.util.Iterator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Failures that docs/baselines.md shows: a slower model, and a model with too much variance to judge. */
@NeuronTest
class BaselinesGuideFixture {

    @Test
    void isNotSlowerThanItWas(NeuronCore core, Comparisons comparisons) {
        Iterator<Double> seconds = around(0.01665, 0.00001);
        comparisons.latency("p50").margin("3 %").compare(seconds::next);
    }

    @Test
    void isTooNoisyToTell(NeuronCore core, Comparisons comparisons) {
        Iterator<Double> seconds = around(0.01645, 0.0002);
        comparisons.latency("p50").margin("3 %").compare(seconds::next);
    }

    @Test
    void hasNoBaseline(NeuronCore core, Comparisons comparisons) {
        Iterator<Double> seconds = around(0.01645, 0.00001);
        comparisons.latency("p50").compare(seconds::next);
    }

    /** Returns the varying durations of runs. They are deterministic, to keep the page unchanged. */
    private static Iterator<Double> around(double middle, double step) {
        return DoubleStream.iterate(0, i -> i + 1)
                .map(i -> middle + step * ((i * 7) % 11 - 5))
                .iterator();
    }
}
