package dev.neurontest.benchmark;

import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs {@link LeaseBenchmark}. */
final class Leases {

    private static final String WANTED = "below 0.2 ms";

    private Leases() {}

    static void measure(Results results) throws RunnerException {
        double locks = millis("locksOfAFile");
        double directory = millis("inDirectory");
        results.time("lease and release, in memory", millis("inMemory"), "", WANTED);
        results.time(
                "lease and release, in a shared directory",
                directory,
                "lease / locks: %.1f".formatted(directory / locks),
                WANTED);
        results.time("two locks of a file", locks, "", "");
        results.note(
                "%d threads that share 2 cores lease and release %.0f times a second in memory and %.0f times in a shared directory; they lock a file twice %.0f times."
                        .formatted(
                                LeaseBenchmark.THREADS,
                                perSecond("contendedInMemory"),
                                perSecond("contendedInDirectory"),
                                perSecond("contendedLocksOfAFile")));
    }

    private static double millis(String benchmark) throws RunnerException {
        return median(
                benchmark,
                iteration -> iteration.getPrimaryResult().getStatistics().getPercentile(50));
    }

    private static double perSecond(String benchmark) throws RunnerException {
        return median(benchmark, iteration -> iteration.getPrimaryResult().getScore());
    }

    private static double median(String benchmark, ToDoubleFunction<IterationResult> value) throws RunnerException {
        RunResult result = new Runner(new OptionsBuilder()
                        .include(LeaseBenchmark.class.getName() + "." + benchmark + "$")
                        .shouldFailOnError(true)
                        .build())
                .runSingle();
        Stream<IterationResult> iterations =
                result.getBenchmarkResults().stream().flatMap(fork -> fork.getIterationResults().stream());
        return Median.of(iterations.map(value::applyAsDouble).toList());
    }
}
