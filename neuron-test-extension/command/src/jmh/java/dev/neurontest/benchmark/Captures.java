package dev.neurontest.benchmark;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.internal.profile.ProfilerObserver;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.profile.NeffCapture;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import dev.neurontest.profile.TraceExport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The time of a capture compared with its two calls of the tool, capture and view, made by hand. Both alternate, and each pair is
 * compared.
 */
final class Captures {

    private static final int WARM_UP = 5;
    private static final int MEASURED = 25;
    private static final List<String> SUMMARY =
            List.of("--output-format", "summary-json", "-F", "ignore-nc-buf-usage=true");

    private Captures() {}

    static void measure(Path files, Results results) throws IOException, InterruptedException {
        try (FakeNeuronHost fake =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
            NeuronHost host = NeuronHost.discover(FileTree.at(fake.directory()));
            List<NeuronCore> core = host.cores().subList(0, 1);
            Path neff = FakeNeff.builder().time(Duration.ofMillis(17)).write(files.resolve("model.neff"));
            ProfilerTool tool = ProfilerTool.find(
                    new ProfilerTool.Search(fake.directory(), Optional.empty(), "", Map.of(), Duration.ofMinutes(1)));
            Profiler profiler = new Profiler(
                    new ProfilerContext(
                            () -> tool,
                            false,
                            host,
                            core,
                            core,
                            () -> files.resolve("captures"),
                            Map.of(),
                            0.05,
                            0,
                            Optional.empty(),
                            Set.of(),
                            OutputCollector.NONE,
                            pid -> false,
                            ProfilerObserver.NONE),
                    profile -> {});
            compare(tool, core, neff, files, results, "", SUMMARY, () -> capture(profiler.capture(neff)));
            double first = millis(() -> capture(profiler.capture(neff).also(TraceExport.TABLES)));
            compare(
                    tool,
                    core,
                    neff,
                    files,
                    results,
                    " with tables",
                    List.of("--output-format", "parquet", "--output-file", "tables", "--ingest-only"),
                    () -> capture(profiler.capture(neff).also(TraceExport.TABLES)));
            results.time("the first profile with tables of a JVM, which unpacks and loads DuckDB", first, "", "");
        }
    }

    private static void compare(
            ProfilerTool tool,
            List<NeuronCore> core,
            Path neff,
            Path files,
            Results results,
            String what,
            List<String> view,
            Work profile)
            throws IOException, InterruptedException {
        List<Double> bare = new ArrayList<>();
        List<Double> whole = new ArrayList<>();
        List<Double> over = new ArrayList<>();
        for (int turn = 0; turn < WARM_UP + MEASURED; turn++) {
            double called = millis(() -> call(tool, core, neff, files.resolve("bare"), view));
            double captured = millis(profile);
            if (turn >= WARM_UP) {
                bare.add(called);
                whole.add(captured);
                over.add(captured - called);
            }
        }
        results.time("capture and view%s by the tool alone".formatted(what), Median.of(bare), "", "");
        results.time(
                "a profile%s by the same tool".formatted(what),
                Median.of(whole),
                "%+.1f ms".formatted(Median.of(over)),
                "below +50 ms");
        results.note("The fastest of %d calls%s by the tool alone took %.1f ms, the fastest profile %.1f ms."
                .formatted(MEASURED, what, Collections.min(bare), Collections.min(whole)));
    }

    private interface Work {

        void run() throws IOException, InterruptedException;
    }

    private static double millis(Work work) throws IOException, InterruptedException {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e6;
    }

    private static void capture(NeffCapture capture) {
        Profile profile = capture.run();
        if (!profile.allDoubts().isEmpty()) {
            throw new IllegalStateException(profile.allDoubts().toString());
        }
    }

    private static void call(ProfilerTool tool, List<NeuronCore> core, Path neff, Path folder, List<String> view)
            throws IOException, InterruptedException {
        Folders.delete(folder);
        Files.createDirectory(folder);
        String program = tool.path().toString();
        String ntff = folder.resolve("profile.ntff").toString();
        start(
                folder,
                core,
                List.of(
                        program,
                        "capture",
                        "-n",
                        neff.toString(),
                        "-s",
                        ntff,
                        "--num-exec",
                        "2",
                        "--profile-nth-exec",
                        "2"));
        start(
                folder,
                List.of(),
                Stream.concat(
                                Stream.of(
                                        program,
                                        "view",
                                        "-n",
                                        neff.toString(),
                                        "-s",
                                        folder.resolve("profile_exec_2.ntff").toString()),
                                view.stream())
                        .toList());
    }

    private static void start(Path folder, List<NeuronCore> cores, List<String> command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("stdout.log").toFile())
                .redirectError(folder.resolve("stderr.log").toFile());
        builder.environment().keySet().removeIf(RuntimeVariables::isOfRuntime);
        builder.environment().putAll(RuntimeVariables.ofCores(cores));
        int code = builder.start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("%s: exit code %d".formatted(command, code));
        }
    }
}
