package dev.neurontest.benchmark;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.internal.report.page.ReportPage;
import dev.neurontest.internal.report.show.ReportJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The time to merge the run files of a large run, compared with counting their lines and with reading their tokens by Jackson. */
final class Reports {

    private static final int FILES = 100;
    private static final int TESTS = 100;
    private static final int TIMES = 15;
    private static final JsonFactory JSON = new JsonFactory();

    private Reports() {}

    /**
     * Merges once in a JVM that has done nothing else, as a command does.
     *
     * @param arguments the folder of the run files
     */
    public static void main(String[] arguments) {
        long begun = System.nanoTime();
        RunReport report = RunReports.merge(List.of(Path.of(arguments[0])));
        System.out.printf("%d %d%n", report.tests().size(), System.nanoTime() - begun);
    }

    static void measure(Path folder, Results results) throws IOException, InterruptedException {
        Path runs = Files.createDirectory(folder.resolve("runs"));
        write(runs);
        List<Path> files;
        try (var all = Files.list(runs)) {
            files = all.toList();
        }
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        RunReport report = RunReports.merge(List.of(runs));
        if (report.tests().size() != FILES * TESTS || !report.problems().isEmpty()) {
            throw new IllegalStateException("merged " + report.tests().size() + " tests, " + report.problems());
        }
        double merge = median(() -> RunReports.merge(List.of(runs)));
        double tokens = median(() -> tokens(files));
        double lines = median(() -> lines(files));
        results.time(
                "merge of %d run files with %,d tests in %,d bytes".formatted(FILES, FILES * TESTS, bytes),
                merge,
                "merge / tokens: %.2f, merge / lines: %.1f".formatted(merge / tokens, merge / lines),
                "");
        results.time("the same, the first thing that a JVM does", fresh(runs), "", "at most 2000 ms");
        results.time("Jackson's tokens of the same files, one thread", tokens, "", "");
        results.time("counting the lines of the same files, one thread", lines, "", "");
        results.time(
                "the report of it as JSON",
                median(() -> {
                    try (Writer out = Writer.nullWriter()) {
                        ReportJson.write(report, List.of(), Optional.empty(), out);
                    }
                    return report;
                }),
                "",
                "");
        Path page = folder.resolve("neuron-report.html");
        double write = median(() -> {
            ReportPage.write(report, List.of(), page);
            return report;
        });
        results.time("the report of it as a page of %,d bytes".formatted(Files.size(page)), write, "", "at most 4 MB");
    }

    private static void write(Path runs) throws IOException {
        for (int file = 0; file < FILES; file++) {
            RunLinesFixture jvm =
                    new RunLinesFixture(1000 + file).started("machine").onHardware();
            tests(jvm, file, TESTS).finished().writeTo(runs);
        }
    }

    /** Writes the run file of a JVM with the given number of tests. */
    static RunLinesFixture tests(RunLinesFixture jvm, int file, int tests) {
        for (int number = 0; number < tests; number++) {
            test(jvm, file, number);
        }
        return jvm;
    }

    /** Writes the events of a test that counts inferences on a core. */
    private static void test(RunLinesFixture jvm, int file, int number) {
        TestId test = new TestId(
                "[engine:junit-jupiter]/[class:com.acme.Model%dTest]/[method:inference%d(dev.neurontest.device.NeuronCore)]"
                        .formatted(file, number),
                "Model%dTest > inference%d(NeuronCore)".formatted(file, number));
        String core = "neuron%d/neuron_core%d".formatted(number % 16, file % 2);
        JsonObject recording = new JsonObject(counters(core, number));
        jvm.begun(test, core)
                .add(new RunEvent.PhaseStarted(test, Phase.SETTLE))
                .add(new RunEvent.Recorded(test, "counters", recording))
                .add(new RunEvent.PhaseStarted(test, Phase.JUDGE))
                .add(new RunEvent.PhaseStarted(test, Phase.EVIDENCE))
                .add(new RunEvent.Attached(
                        test, "neuron-counters.txt", "text/plain", 1234, "junit/neuron-counters.txt"))
                .after(Duration.ofMillis(20))
                .ended(test, Outcome.PASSED, core);
    }

    /** Returns the recorded counters of a core, as in the run file of a test. */
    static String counters(String core, int number) {
        List<String> changes = new ArrayList<>();
        for (String counter :
                List.of("model_load_count", "inference_count", "success", "memory_usage/device_mem/tensors")) {
            changes.add(
                    ("{\"place\":\"%s\",\"counter\":\"stats/%s\",\"field\":\"total\",\"unit\":\"count\",\"movement\":\"rose\","
                                    + "\"before\":%d,\"after\":%d,\"delta\":100,"
                                    + "\"location\":\"/sys/devices/virtual/neuron_device/%s/stats/%s/total\"}")
                            .formatted(core, counter, number * 100, number * 100 + 100, core, counter));
        }
        return ("{\"version\":1,\"kind\":\"counters\",\"host\":\"/\",\"cores\":[\"%s\"],\"moved\":[%s],\"foreign\":[],"
                        + "\"restarted\":\"\",\"unreadable\":[],\"settled\":true,\"settlingMillis\":10,\"deferredBy\":{},\"neighbours\":[]}")
                .formatted(core, String.join(",", changes));
    }

    private static double fresh(Path runs) throws IOException, InterruptedException {
        List<Double> millis = new ArrayList<>();
        for (int time = 0; time < 5; time++) {
            Process child = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Reports.class.getName(),
                            runs.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String[] numbers =
                    new String(child.getInputStream().readAllBytes()).strip().split(" ");
            if (child.waitFor() != 0 || Integer.parseInt(numbers[0]) != FILES * TESTS) {
                throw new IllegalStateException("a fresh JVM did not merge");
            }
            millis.add(Long.parseLong(numbers[1]) / 1e6);
        }
        return Median.of(millis);
    }

    private static double median(Callable<?> work) throws IOException {
        List<Double> millis = new ArrayList<>();
        for (int time = 0; time < TIMES; time++) {
            long begun = System.nanoTime();
            try {
                if (work.call() == null) {
                    throw new IllegalStateException("nothing came of it");
                }
            } catch (IOException | RuntimeException failed) {
                throw failed;
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            if (time >= TIMES / 3) {
                millis.add((System.nanoTime() - begun) / 1e6);
            }
        }
        return Median.of(millis);
    }

    /** Reads all tokens by Jackson, the lower bound for reading JSON. */
    static long tokens(List<Path> files) throws IOException {
        long tokens = 0;
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file);
                    JsonParser json = JSON.createParser(ObjectReadContext.empty(), in)) {
                while (json.nextToken() != null) {
                    tokens++;
                }
            }
        }
        return tokens;
    }

    private static long lines(List<Path> files) throws IOException {
        long lines = 0;
        for (Path file : files) {
            try (var all = Files.lines(file)) {
                lines += all.count();
            }
        }
        return lines;
    }
}
