package dev.neurontest.benchmark;

import java.util.Collection;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;

/** What the iterations of all forks of a benchmark measured, and what its profilers did between them. */
final class Forks {

    private Forks() {}

    static double median(Collection<BenchmarkResult> forks, ToDoubleFunction<IterationResult> value) {
        return Median.of(forks.stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .map(value::applyAsDouble)
                .toList());
    }

    static double millis(IterationResult iteration) {
        return iteration.getPrimaryResult().getScore();
    }

    /** By a profiler. */
    static double secondary(IterationResult iteration, String name) {
        return iteration.getSecondaryResults().get(name).getScore();
    }
}
