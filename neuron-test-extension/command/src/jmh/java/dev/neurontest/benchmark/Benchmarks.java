package dev.neurontest.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/** Runs the benchmarks and prints one table. */
public final class Benchmarks {

    private Benchmarks() {}

    /**
     * Runs them.
     *
     * @param arguments the folder of the sources in other languages, the folder to write to, and which of {@code snapshots},
     *     {@code tests}, {@code first}, {@code memory}, {@code leases}, {@code events}, {@code tables}, {@code explain},
     *     {@code profile}, {@code prints}, {@code executions}, {@code verdicts}, {@code shards}, {@code report} and {@code fuse} to run, separated by commas
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, RunnerException {
        Path sources = Path.of(arguments[0]);
        Path output = Files.createDirectories(Path.of(arguments[1]));
        List<String> parts = List.of(arguments[2].split(","));
        Results results = new Results();
        Path files = Files.createTempDirectory(output, "files");
        try {
            if (parts.contains("snapshots")) {
                Snapshots.measure(sources, files, results);
            }
            if (parts.contains("tests")) {
                TestCost.measure(files, results);
            }
            if (parts.contains("first")) {
                FreshJvms.measure(sources, files, results);
            }
            if (parts.contains("memory")) {
                TestMemory.measure(files, results);
            }
            if (parts.contains("leases")) {
                Leases.measure(results);
            }
            if (parts.contains("events")) {
                Events.measure(files, results);
            }
            if (parts.contains("tables")) {
                Tables.measure(files, results);
            }
            if (parts.contains("explain")) {
                Explanations.measure(files, results);
            }
            if (parts.contains("profile")) {
                Captures.measure(files, results);
            }
            if (parts.contains("prints")) {
                Prints.measure(sources, files, results);
            }
            if (parts.contains("executions")) {
                Executions.measure(sources, files, results);
            }
            if (parts.contains("verdicts")) {
                Verdicts.measure(output, results);
            }
            if (parts.contains("shards")) {
                ShardBalance.measure(files, results);
                ShardFiles.measure(files, results);
                ShardReports.measure(files, results);
            }
            if (parts.contains("report")) {
                Reports.measure(files, results);
            }
            if (parts.contains("fuse")) {
                Mounts.measure(sources, files, results);
            }
        } finally {
            Folders.delete(files);
        }
        Path table = Files.writeString(output.resolve("results.md"), results.toMarkdown());
        System.out.printf("%n%s%nThis table is in %s%n", results.toMarkdown(), table);
    }
}
