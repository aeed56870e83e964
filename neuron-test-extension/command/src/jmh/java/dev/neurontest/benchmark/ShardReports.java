package dev.neurontest.benchmark;

import dev.neurontest.internal.command.NeuronTestCommand;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The time and memory of {@code neuron-test report} over many shards. */
final class ShardReports {

    private static final int SHARDS = Integer.getInteger("benchmark.shards.count", 1000);
    private static final int TESTS = Integer.getInteger("benchmark.shards.tests", 200_000);
    private static final int TIMES = 3;

    private ShardReports() {}

    static void measure(Path folder, Results results) throws IOException, InterruptedException {
        Path runs = folder.resolve("shards");
        write(runs);
        List<Path> files;
        try (Stream<Path> all = Files.walk(runs)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        List<Double> tokens = new ArrayList<>();
        List<Double> reports = new ArrayList<>();
        for (int time = 0; time < TIMES; time++) {
            long begun = System.nanoTime();
            Reports.tokens(files);
            tokens.add((System.nanoTime() - begun) / 1e6);
            reports.add(report(runs, folder, "1g"));
        }
        results.time(
                "neuron-test report of %,d tests in %,d shards (run files of %,.0f MB) as HTML, JSON and Markdown, heap of 1 GB"
                        .formatted(TESTS, SHARDS, bytes / 1e6),
                Median.of(reports),
                "report / tokens: %.1f; page %,.1f MB, JSON %,.0f MB"
                        .formatted(
                                Median.of(reports) / Median.of(tokens),
                                Files.size(folder.resolve("shards.html")) / 1e6,
                                Files.size(folder.resolve("shards.json")) / 1e6),
                "at most 20 s");
        results.time("Jackson's tokens of the same files, one thread", Median.of(tokens), "", "");
        for (String heap : List.of("768m", "640m", "512m")) {
            double millis = report(runs, folder, heap);
            if (millis < 0) {
                results.note("the same in a heap of %s ends with an error: it is too small".formatted(heap));
            } else {
                results.time("the same in a heap of " + heap, millis, "", "");
            }
        }
    }

    /** Writes one run file per shard and machine; in every second the first test fails, and in some of them passes on its second run. */
    private static void write(Path runs) throws IOException {
        for (int shard = 1; shard <= SHARDS; shard++) {
            RunLinesFixture jvm = new RunLinesFixture(1000 + shard)
                    .started("node-" + shard)
                    .add(new RunEvent.Sharded(shard, SHARDS, "0123456789abcdef", "Slurm job 4711", 0, "abc", true))
                    .onHardware();
            TestId flaky = RunLinesFixture.test("inference" + shard);
            if (shard % 2 == 0) {
                jvm.ran(flaky, Outcome.FAILED, "neuron0/neuron_core0");
            }
            if (shard % 4 == 0) {
                jvm.ran(flaky, Outcome.PASSED, "neuron0/neuron_core0");
            }
            Reports.tests(jvm, shard, TESTS / SHARDS)
                    .finished()
                    .writeTo(Files.createDirectories(runs.resolve(String.valueOf(shard))));
        }
    }

    /** Runs the report in a fresh JVM and returns its time, negative when the heap is too small. */
    private static double report(Path runs, Path folder, String heap) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        Path said = folder.resolve("said.txt");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-cp",
                        System.getProperty("java.class.path"),
                        NeuronTestCommand.class.getName(),
                        "report",
                        "--html=" + folder.resolve("shards.html"),
                        "--json=" + folder.resolve("shards.json"),
                        "--markdown=" + folder.resolve("shards.md"),
                        runs.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        int status = child.waitFor();
        double millis = (System.nanoTime() - begun) / 1e6;
        String text = Files.readString(said);
        if (status == 0) {
            return millis;
        } else if (text.contains("needs more memory than this JVM has")) {
            return -1;
        }
        throw new IllegalStateException("the report ended with " + status + ": " + text);
    }
}
