package dev.neurontest.benchmark;

import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.show.ReportJson;
import dev.neurontest.internal.shard.ShardPlan;
import dev.neurontest.internal.shard.Sharding;
import dev.neurontest.internal.shard.Timings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import tools.jackson.core.JsonGenerator;

/** The balance of 200,000 tests over 1,000 shards, and the time of one JVM to find its own tests. */
final class ShardBalance {

    private static final int SHARDS = 1000;
    private static final int TESTS = 200_000;
    private static final int TIMES = 5;
    private static final String WANTED = "at most 1.1";
    private static final Instant STARTED = Instant.parse("2026-11-21T09:00:00Z");

    /** The fixed seed of the random suites. */
    private static final long SEED = 20_261_124;

    private ShardBalance() {}

    static void measure(Path folder, Results results) throws IOException {
        plans(results);
        decisions(folder, results);
    }

    private static void plans(Results results) {
        for (int classes : List.of(20_000, 10_000, 5_000, 2_000)) {
            Map<String, Long> suite = suite(classes);
            row("%,d classes".formatted(classes), suite, suite, results);
        }
        Map<String, Long> huge = suite(10_000);
        huge.put(
                "com.acme.HugeTest",
                10 * huge.values().stream().mapToLong(Long::longValue).sum() / SHARDS);
        row("10,000 classes and one as long as ten shards", huge, huge, results);
        Random random = new Random(SEED);
        Map<String, Long> suite = suite(10_000);
        row(
                "10,000 classes that take up to 20 % more or less than last time",
                suite, changed(suite, nanos -> (long) (nanos * (0.8 + 0.4 * random.nextDouble()))), results);
        for (int every : List.of(3, 20, 100)) {
            Map<String, Long> known = new LinkedHashMap<>(suite);
            List<String> names = List.copyOf(suite.keySet());
            for (int index = 0; index < names.size(); index += every) {
                known.remove(names.get(index));
            }
            row("10,000 classes, one of %d not in the timings file".formatted(every), known, suite, results);
        }
    }

    private static Map<String, Long> changed(Map<String, Long> suite, LongUnaryOperator change) {
        Map<String, Long> changed = new LinkedHashMap<>();
        suite.forEach((name, nanos) -> changed.put(name, change.applyAsLong(nanos)));
        return changed;
    }

    /** Creates a suite: nineteen of twenty classes have 7 to 50 tests of 0.1 to 7 seconds, both log-normal. */
    private static Map<String, Long> suite(int classes) {
        Random random = new Random(SEED);
        double[] sizes = new double[classes];
        double all = 0;
        for (int index = 0; index < classes; index++) {
            sizes[index] = Math.exp(0.5 * random.nextGaussian());
            all += sizes[index];
        }
        Map<String, Long> nanos = new LinkedHashMap<>();
        for (int index = 0; index < classes; index++) {
            long tests = Math.max(1, Math.round(TESTS * sizes[index] / all));
            long took = 0;
            for (long test = 0; test < tests; test++) {
                took += (long) (1e9 * Math.exp(random.nextGaussian()));
            }
            nanos.put("com.acme.Model" + index + "Test", took);
        }
        return nanos;
    }

    private static void row(String what, Map<String, Long> known, Map<String, Long> takes, Results results) {
        Timings timings = new Timings(known, "of the last run");
        double millis = millis(() -> new ShardPlan(SHARDS, timings));
        double mean = takes.values().stream().mapToLong(Long::longValue).sum() / (double) SHARDS;
        long longest = takes.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        results.time(
                "assigning %s to %,d shards".formatted(what, SHARDS),
                millis,
                "longest shard / mean: %.3f, by hash alone %.2f, the longest class alone %.2f"
                        .formatted(
                                longest(new ShardPlan(SHARDS, timings), takes) / mean,
                                longest(new ShardPlan(SHARDS, Timings.NONE), takes) / mean,
                                longest / mean),
                longest <= mean && known.equals(takes) ? WANTED : "");
    }

    private static long longest(ShardPlan plan, Map<String, Long> takes) {
        long[] loads = new long[SHARDS];
        takes.forEach((name, nanos) -> loads[plan.shardOf(name) - 1] += nanos);
        return LongStream.of(loads).max().orElseThrow();
    }

    /** Reads the timings and assigns the classes, as each JVM of a shard does before its first test. */
    private static void decisions(Path folder, Results results) throws IOException {
        Map<String, Long> suite = suite(10_000);
        List<String> names = List.copyOf(suite.keySet());
        RunReport report = report(names);
        Path whole = folder.resolve("neuron-report.json");
        ReportJson.write(report, List.of(), Optional.empty(), whole);
        decision("a report of %,d tests".formatted(TESTS), whole, results);
        Path small = folder.resolve("neuron-timings.json");
        try (JsonGenerator json = Json.generator(Files.newBufferedWriter(small))) {
            json.writeStartObject();
            json.writeStringProperty("kind", "neuron-report");
            json.writeArrayPropertyStart("tests");
            for (ReportedTest test : report.tests()) {
                json.writeStartObject();
                json.writeStringProperty("id", test.id().id());
                json.writeBooleanProperty("container", !test.isTest());
                json.writeNumberProperty("tookNanos", test.took().toNanos());
                json.writeNumberProperty("waitedNanos", test.waited().toNanos());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        decision("the same, of each test its name and times", small, results);
    }

    private static void decision(String what, Path file, Results results) throws IOException {
        Map<String, String> parameters =
                Map.of("neuron.test.shard", "3/" + SHARDS, "neuron.test.shard.timings", file.toString());
        results.time(
                "deciding in a JVM by " + what,
                millis(() -> Sharding.of(Settings.of(name -> Optional.ofNullable(parameters.get(name))), Map.of())
                        .orElseThrow()),
                "%,.0f MB, %,.0f GB for %,d JVMs"
                        .formatted(Files.size(file) / 1e6, Files.size(file) * (double) SHARDS / 1e9, SHARDS),
                "");
        Files.delete(file);
    }

    private static RunReport report(List<String> names) {
        List<ReportedTest.Recorded> recordings = List.of(
                new ReportedTest.Recorded("counters", new JsonObject(Reports.counters("neuron0/neuron_core0", 1))));
        List<ReportedTest> tests = new ArrayList<>(TESTS);
        for (int number = 0; number < TESTS; number++) {
            String name = names.get(number % names.size());
            tests.add(new ReportedTest(
                    0,
                    new TestId(
                            "[engine:junit-jupiter]/[class:%s]/[method:inference%d(dev.neurontest.device.NeuronCore)]"
                                    .formatted(name, number),
                            "%s > inference%d(NeuronCore)".formatted(name, number)),
                    false,
                    TestOutcome.PASSED,
                    Optional.empty(),
                    Optional.empty(),
                    List.of("neuron0/neuron_core0"),
                    STARTED,
                    Duration.ofMillis(1000 + number % 1000),
                    Duration.ofMillis(4),
                    List.of(),
                    List.of(),
                    List.of(),
                    recordings,
                    List.of(),
                    List.of(),
                    0,
                    Optional.empty()));
        }
        ReportedJvm jvm = new ReportedJvm(
                Path.of("run.jsonl"),
                Optional.empty(),
                Optional.empty(),
                STARTED,
                STARTED,
                true,
                Map.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty());
        return new RunReport(List.of(jvm), tests, List.of(), List.of(), List.of(), List.of());
    }

    private static double millis(Runnable work) {
        List<Double> millis = new ArrayList<>();
        for (int time = 0; time < TIMES; time++) {
            long begun = System.nanoTime();
            work.run();
            millis.add((System.nanoTime() - begun) / 1e6);
        }
        return Median.of(millis);
    }
}
