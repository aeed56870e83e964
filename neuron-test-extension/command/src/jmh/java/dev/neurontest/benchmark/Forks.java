package dev.neurontest.benchmark;

import java.util.Collection;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;

/** The results of a benchmark and of its profilers over the iterations of all forks. */
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

    /** Returns a result of a profiler. */
    static double secondary(IterationResult iteration, String name) {
        return iteration.getSecondaryResults().get(name).getScore();
    }
}
