package dev.neurontest.internal.report.compare;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.show.ReportJson;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run of a few tests. Each test gets the values of the latest calls. */
public final class CompareFixture {

    private static final Instant START = Instant.parse("2026-11-21T02:10:00Z");

    private final List<ReportedJvm> jvms = new ArrayList<>();
    private final List<ReportedTest> tests = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private String kind = "real";
    private String instance = "trn1.32xlarge";
    private String driver = "2.30.51.0";
    private String directory = "bert-tests";
    private Map<String, String> versions = Map.of();
    private Duration took = Duration.ofSeconds(1);
    private Duration waited = Duration.ZERO;
    private List<ReportedTest.Recorded> recordings = List.of();
    private List<Comparison> comparisons = List.of();
    private int retries;
    private Optional<List<ReportedTest>> attempts = Optional.empty();

    public CompareFixture on(String kind, String instance, String driver) {
        this.kind = kind;
        this.instance = instance;
        this.driver = driver;
        return this;
    }

    public CompareFixture in(String directory) {
        this.directory = directory;
        return this;
    }

    public CompareFixture versions(Map<String, String> versions) {
        this.versions = versions;
        return this;
    }

    public CompareFixture taking(long millis) {
        took = Duration.ofMillis(millis);
        return this;
    }

    public CompareFixture waiting(long millis) {
        waited = Duration.ofMillis(millis);
        return this;
    }

    public CompareFixture retried(int retries) {
        this.retries = retries;
        return this;
    }

    /** Gives the next tests an earlier attempt that failed. */
    public CompareFixture afterFailedAttempt() {
        attempts =
                Optional.of(List.of(new CompareFixture().failed("attempt").tests.get(0)));
        return this;
    }

    public CompareFixture problem(String problem) {
        problems.add(problem);
        return this;
    }

    /** Adds one execution with these metrics, such as {@code "total_time": 0.0165}. */
    public CompareFixture profiling(String metrics) {
        return profiling("[]", "{\"rank\": 0, \"index\": 2, \"metrics\": {%s}, \"doubts\": []}".formatted(metrics));
    }

    public CompareFixture profiling(String doubts, String executions) {
        return recording("""
                {"version": 1, "kind": "profile", "title": "bert.neff", "capture": "replay", "tool": "neuron-explorer 2.31.0",
                 "doubts": %s, "executions": [%s]}
                """.formatted(doubts, executions));
    }

    public CompareFixture recording(String profile) {
        recordings = List.of(new ReportedTest.Recorded("profile", new JsonObject(profile)));
        return this;
    }

    /** Adds a comparison with a baseline, with these runs. */
    public CompareFixture measuring(Metric metric, Map<String, String> stack, Double... runs) {
        comparisons = List.of(new Comparison(
                new BaselineKey("com.acme.BertTest", "t()", metric.name()),
                metric,
                Stack.of(stack),
                ComparisonOutcome.NO_BASELINE,
                "",
                new Fraction(0.03),
                Optional.empty(),
                new Sample(List.of(runs), 30),
                Optional.empty(),
                false,
                List.of(),
                List.of(),
                "",
                "",
                Optional.empty(),
                "",
                List.of(),
                List.of()));
        return this;
    }

    public static Metric totalTime() {
        return new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY);
    }

    public CompareFixture passed(String... names) {
        return tests(TestOutcome.PASSED, names);
    }

    public CompareFixture failed(String... names) {
        return tests(TestOutcome.FAILED, names);
    }

    public CompareFixture tests(TestOutcome outcome, String... names) {
        for (String name : names) {
            test(
                    new TestId(
                            "[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:%s()]".formatted(name),
                            "BertTest > %s()".formatted(name)),
                    outcome);
        }
        return this;
    }

    public CompareFixture test(TestId id, TestOutcome outcome) {
        tests.add(new ReportedTest(
                jvm(),
                id,
                id.isContainer(),
                outcome,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                START.plusSeconds(tests.size()),
                took,
                waited,
                List.of(),
                List.of(),
                List.of(),
                recordings,
                comparisons,
                List.of(),
                retries,
                attempts));
        return this;
    }

    private int jvm() {
        ReportedJvm jvm = new ReportedJvm(
                Path.of("run-4711-x.jsonl"),
                Optional.of(new RunEvent.RunStarted(
                        1, 4711, "17.0.15+6", "Linux 6.1 amd64", "0.1.0", directory, "ip-10-0-0-7", null)),
                kind.equals("none")
                        ? Optional.empty()
                        : Optional.of(new RunEvent.PlatformChosen(
                                kind, "/", "auto", "default", instance, null, driver, 16, 32, 1)),
                START,
                START.plusSeconds(60),
                true,
                versions,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty());
        if (!jvms.contains(jvm)) {
            jvms.add(jvm);
        }
        return jvms.indexOf(jvm);
    }

    public RunReport report() {
        return new RunReport(jvms, tests, List.of(), List.of(), List.of(), problems);
    }

    /** Returns the later of two runs that differ by each kind of change. */
    public static CompareFixture later() {
        return new CompareFixture()
                .taking(1000)
                .failed("breaks", "stillBroken")
                .tests(TestOutcome.SKIPPED, "skips")
                .passed("mended", "ranAgain", "added")
                .failed("shaky")
                .passed("shaky")
                .profiling("\"total_time\": 0.0182")
                .passed("slows")
                .profiling("\"total_time\": 0.0120")
                .passed("quickens")
                .on("real", "trn2.48xlarge", "2.30.51.0")
                .passed("moves");
    }

    /** Returns the changes between the two runs. */
    public static RunChanges everything(Path folder) {
        CompareFixture before = new CompareFixture()
                .taking(1000)
                .passed("breaks", "skips", "shaky", "away")
                .failed("mended", "stillBroken")
                .tests(TestOutcome.SKIPPED, "ranAgain")
                .profiling("\"total_time\": 0.0165")
                .passed("slows", "quickens", "moves");
        return RunChanges.of(before.written(folder), later().report());
    }

    /** Returns the run as an earlier run, written to a file and read back. */
    public ComparedRun written(Path folder) {
        return ComparedRun.read(file(folder));
    }

    public Path file(Path folder) {
        try {
            Path file = folder.resolve("previous.json");
            ReportJson.write(report(), List.of(), Optional.empty(), file);
            return file;
        } catch (IOException disk) {
            throw new UncheckedIOException(disk);
        }
    }
}
