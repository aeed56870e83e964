package dev.neurontest.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs {@link EventBenchmark} over a generated file. */
final class Events {

    private static final String MEGABYTES = "benchmark.events.megabytes";
    private static final int USUAL_MEGABYTES = 1_000;

    private Events() {}

    static void measure(Path folder, Results results) throws IOException, RunnerException {
        Path file = folder.resolve("ntff.json");
        try {
            long bytes = EventFile.write(file, Long.getLong(MEGABYTES, USUAL_MEGABYTES) * 1_000_000);
            measure(file, bytes, results);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void measure(Path file, long bytes, Results results) throws RunnerException {
        RunResult run = new Runner(new OptionsBuilder()
                        .include(EventBenchmark.class.getName() + ".read$")
                        .jvmArgs(SmallHeap.option(EventBenchmark.HEAP_MEGABYTES))
                        .jvmArgsAppend("-D" + EventBenchmark.FILE + "=" + file)
                        .addProfiler(TokenLoop.class)
                        .shouldFailOnError(true)
                        .build())
                .runSingle();
        Collection<BenchmarkResult> forks = run.getBenchmarkResults();
        results.time(
                "events of a full json of %,d bytes".formatted(bytes),
                Forks.median(forks, Forks::millis),
                "events / tokens: %.2f"
                        .formatted(Forks.median(
                                forks, each -> Forks.millis(each) / Forks.secondary(each, TokenLoop.MILLIS))),
                "at most 1.3");
        results.time(
                "Jackson's tokens of the same file",
                Forks.median(forks, each -> Forks.secondary(each, TokenLoop.MILLIS)),
                "",
                "");
        results.note("events: processor time of the thread that reads, events / tokens: %.2f"
                .formatted(Forks.median(forks, each -> Forks.secondary(each, TokenLoop.PROCESSOR))));
        results.note("events: the heap held at most %.1f MiB, garbage included, in a JVM with a heap of %d MiB"
                .formatted(run.getSecondaryResults().get(TokenLoop.HEAP).getScore(), EventBenchmark.HEAP_MEGABYTES));
    }
}
