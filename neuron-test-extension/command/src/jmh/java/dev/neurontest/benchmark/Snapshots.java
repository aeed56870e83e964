package dev.neurontest.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs {@link SnapshotBenchmark}: snapshots of files together with loops in other languages, and snapshots in process
 * alone.
 */
final class Snapshots {

    private Snapshots() {}

    static void measure(Path sources, Path programs, Results results)
            throws IOException, InterruptedException, RunnerException {
        try (HostFiles files = HostFiles.make(sources, programs)) {
            files.notes().forEach(results::note);
            RunResult wholeHost = new Runner(options(files, "wholeHostOnFiles")
                            .addProfiler(PeerProfiler.class)
                            .build())
                    .runSingle();
            results.time("snapshot of a whole host, from files", median(wholeHost, Snapshots::millis), "", "");
            beside(wholeHost, PeerLoop.C, Runtime.version().feature() < 25 ? 1.4 : 1.2, results);
            beside(wholeHost, PeerLoop.PYTHON, 0.6, results);
            core(files, "coreOfTrn1OnFiles", "snapshot of a core of trn1.2xlarge, from files", 0.35, results);
            core(files, "coreOfTrn2OnFiles", "snapshot of a core of trn2.48xlarge, from files", 0.7, results);
            RunResult inProcess =
                    new Runner(options(files, "wholeHostInProcess").build()).runSingle();
            results.time(
                    "snapshot of a whole host, in process", median(inProcess, Snapshots::millis), "", "at most 3 ms");
        }
    }

    private static void beside(RunResult wholeHost, String loop, double atMost, Results results) {
        if (iterations(wholeHost)
                .anyMatch(iteration -> !iteration.getSecondaryResults().containsKey(loop))) {
            return;
        }
        ToDoubleFunction<IterationResult> itsMillis =
                iteration -> iteration.getSecondaryResults().get(loop).getScore();
        double ratio = median(wholeHost, iteration -> millis(iteration) / itsMillis.applyAsDouble(iteration));
        results.time(
                "the same files read by " + loop,
                median(wholeHost, itsMillis),
                "snapshot / %s: %.2f".formatted(loop, ratio),
                "at most " + atMost);
    }

    private static void core(HostFiles files, String benchmark, String what, double atMost, Results results)
            throws RunnerException {
        RunResult core = new Runner(options(files, benchmark)
                        .addProfiler(PeerProfiler.class)
                        .build())
                .runSingle();
        results.time(what, median(core, Snapshots::millis), "", "at most %s ms".formatted(atMost));
        beside(core, PeerLoop.C, 1, results);
    }

    private static ChainedOptionsBuilder options(HostFiles files, String benchmark) {
        return new OptionsBuilder()
                .include(SnapshotBenchmark.class.getName() + "." + benchmark + "$")
                .jvmArgsAppend(files.folders().jvmOptions())
                .shouldFailOnError(true);
    }

    private static double median(RunResult result, ToDoubleFunction<IterationResult> value) {
        return Median.of(iterations(result).map(value::applyAsDouble).toList());
    }

    private static double millis(IterationResult iteration) {
        return iteration.getPrimaryResult().getStatistics().getPercentile(50);
    }

    private static Stream<IterationResult> iterations(RunResult result) {
        Collection<BenchmarkResult> forks = result.getBenchmarkResults();
        return forks.stream().flatMap(fork -> fork.getIterationResults().stream());
    }
}
