package dev.neurontest.internal.report;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.configuration.Origin;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.evidence.TestTool;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A run of a night on a fake host with two devices and four cores, with one of each item of a report. */
public final class RunFixture {

    public static final String HOST = "fake:trn1.32xlarge@driver-2.30";
    public static final Instant START = Instant.parse("2026-11-21T02:10:00Z");

    private static final String HW_ERROR =
            "/sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/hw_error/total";

    private final List<ReportedTest> tests = new ArrayList<>();
    private final List<ReportedQuarantine> quarantines = new ArrayList<>();
    private Path attachment = Path.of("nowhere");
    private Path output = Path.of("");

    /** Sets the folder of the run files. */
    public RunFixture in(Path folder) {
        output = folder;
        return this;
    }

    public RunFixture attachment(Path file) {
        attachment = file;
        return this;
    }

    public RunReport report() {
        tests.sort(Comparator.comparing(ReportedTest::outcome).thenComparing(ReportedTest::started));
        return new RunReport(
                List.of(jvm(4711, true), jvm(4712, false)),
                tests,
                quarantines,
                List.of(
                        new HostError(HOST, "neuron0/neuron_core1 status/hw_error", 0, 3, "+3", 3, 3),
                        new HostError(HOST, "neuron1 hardware/mem_ecc_uncorrected", 1, 2, "+1", 1, 0)),
                List.of("Execution counters appear when their owner exits: driver 2.24."),
                List.of("run-4712-x.jsonl, line 17: half a line, which is left out."));
    }

    public static List<GateOutcome> gates() {
        return List.of(
                new GateOutcome("failed.max", false, "at most 0 failed tests", "2", "See the failing tests below."),
                new GateOutcome(
                        "quarantined.max",
                        false,
                        "no core in quarantine",
                        "1: neuron0/neuron_core1",
                        "Reset the device: echo 1 > /sys/…/reset."),
                new GateOutcome("hardware.min", true, "at least 0 tests on hardware", "0", ""),
                new GateOutcome("lost.max", true, "at most 1 lost test", "1", ""));
    }

    private ReportedJvm jvm(long pid, boolean finished) {
        return new ReportedJvm(
                output.resolve("run-" + pid + "-x.jsonl"),
                Optional.of(new RunEvent.RunStarted(
                        1,
                        pid,
                        "17.0.15+6",
                        "Linux 6.1 amd64",
                        "0.1.0",
                        "bert-tests",
                        "ip-10-0-0-7",
                        new TestTool(TestTool.MAVEN, null, null))),
                Optional.of(new RunEvent.PlatformChosen(
                        "fake",
                        HOST,
                        "fake:trn1.32xlarge",
                        "from system property neuron.test.platform",
                        "trn1.32xlarge",
                        "driver-2.30",
                        "2.30.51.0",
                        2,
                        4,
                        1)),
                START,
                START.plusSeconds(2940),
                finished,
                Map.of("profiler", "2.31.0", "runtime", "2.33.4"),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.of(List.of(new RunEvent.Configured(
                        "neuron.test.platform", "fake:trn1.32xlarge", Origin.SYSTEM_PROPERTY))));
    }

    /** Adds one of each item. */
    public RunFixture night() {
        passing(0, 12);
        tests.add(earlier());
        tests.add(failing());
        tests.add(simple("KernelTest > transpose()", TestOutcome.LOST, 1500, "neuron1/neuron_core0"));
        tests.add(undecided());
        tests.add(simple("TokenizerTest > padding()", TestOutcome.ABORTED, 1700, "neuron1/neuron_core1"));
        tests.add(simple("LargeModelTest > needs16Devices()", TestOutcome.SKIPPED, 1710));
        tests.add(compared());
        quarantines.add(new ReportedQuarantine(
                HOST,
                "neuron0/neuron_core1",
                "BertTest > inference(int)[1]",
                "hw_error rose by 3",
                false,
                START.plusSeconds(905),
                Optional.empty()));
        return this;
    }

    /** Adds many tests that pass, and one in a hundred that fails. */
    public RunFixture many(int count) {
        IntStream.range(0, count)
                .forEach(i -> tests.add(simple(
                        "com.acme.models.Suite%sTest > inference(int, String)[%s]".formatted(i % 97, i),
                        i % 100 == 7 ? TestOutcome.FAILED : TestOutcome.PASSED,
                        i * 3000 / count,
                        "neuron%s/neuron_core%s".formatted(i % 16, i / 16 % 2))));
        return this;
    }

    public RunFixture with(ReportedTest test) {
        tests.add(test);
        return this;
    }

    private void passing(int first, int count) {
        IntStream.range(first, first + count)
                .forEach(i -> tests.add(simple(
                        "WarmupTest > step(int)[%s]".formatted(i + 1),
                        TestOutcome.PASSED,
                        20 + 110 * i,
                        "neuron%s/neuron_core%s".formatted(i / 2 % 2, i % 2))));
    }

    private static TestId id(String name) {
        String[] parts = name.split(" > ", 2);
        return new TestId(
                "[engine:junit-jupiter]/[class:com.acme.%s]/[method:%s]".formatted(parts[0], parts[parts.length - 1]),
                name);
    }

    public static ReportedTest simple(String name, TestOutcome outcome, long second, String... cores) {
        return simple(id(name), outcome, second, cores);
    }

    public static ReportedTest simple(TestId id, TestOutcome outcome, long second, String... cores) {
        return test(
                id,
                outcome,
                second,
                outcome == TestOutcome.PASSED ? null : "reason of " + id.name(),
                List.of(cores),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** Returns a test that was slower than its baseline. */
    public static ReportedTest compared(String name, long second, double slower) {
        return test(
                id(name),
                TestOutcome.PASSED,
                second,
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(comparison("total_time", ComparisonOutcome.WORSE, "slower", slower)),
                List.of());
    }

    /** Returns the id of an invocation of a template, such as of {@code KernelTest > adds(int)}. */
    public static TestId invocation(String template, int number) {
        String[] parts = template.split(" > ", 2);
        return new TestId(
                "[engine:junit-jupiter]/[class:com.acme.%s]/[test-template:%s]/[test-template-invocation:#%s]"
                        .formatted(parts[0], parts[1], number),
                "%s > [%s] n=%s".formatted(template, number, number));
    }

    public static ReportedTest failed(TestId id, String reason, List<Violation> violations, String... cores) {
        return test(
                id,
                TestOutcome.FAILED,
                1,
                reason,
                List.of(cores),
                violations,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    public static ReportedTest undecided(TestId id, Undecided expectation) {
        return test(
                id,
                TestOutcome.UNDECIDED,
                1,
                "1 expectation undecided",
                List.of(),
                List.of(),
                List.of(expectation),
                List.of(),
                List.of(),
                List.of());
    }

    /** Adds invocations of one template that violate the same rule, each on one of four cores, and two mistakes in a test. */
    public RunFixture alike(int count) {
        IntStream.rangeClosed(1, count)
                .forEach(i -> tests.add(hardwareError(
                        invocation("KernelTest > adds(int)", i),
                        i,
                        "neuron%s/neuron_core%s".formatted(i / 2 % 2, i % 2))));
        IntStream.rangeClosed(1, 2)
                .forEach(i -> tests.add(failed(
                        invocation("NamesTest > counts(int)", i),
                        "org.junit.jupiter.api.extension.ExtensionConfigurationException: @ExpectCounter names no counter",
                        List.of())));
        return this;
    }

    public static ReportedTest hardwareError(TestId id, int errors, String core) {
        return failed(
                id,
                "org.opentest4j.AssertionFailedError: %s status/hw_error: expected unchanged, was +%s\nNeuron counters of %s: 1 expectation violated\n\n..."
                        .formatted(core, errors, core),
                List.of(new Violation(
                        "no error counter may move",
                        core + " status/hw_error",
                        "unchanged",
                        "+" + errors,
                        "Otherwise check dmesg.")),
                core);
    }

    private static ReportedTest test(
            TestId id,
            TestOutcome outcome,
            long second,
            String reason,
            List<String> cores,
            List<Violation> violations,
            List<Undecided> undecided,
            List<ReportedTest.Recorded> recordings,
            List<Comparison> comparisons,
            List<ReportedTest.Attached> attachments) {
        return new ReportedTest(
                0,
                id,
                id.isContainer(),
                outcome,
                outcome == TestOutcome.LOST ? Optional.of(Phase.BODY) : Optional.empty(),
                Optional.ofNullable(reason),
                cores,
                START.plusSeconds(second),
                Duration.ofMillis(1000 + 37 * second % 90_000),
                Duration.ofMillis(second % 7 * 13),
                violations,
                undecided,
                List.of(),
                recordings,
                comparisons,
                attachments,
                0,
                Optional.empty());
    }

    private static ReportedTest earlier() {
        return test(
                id("BertTest > warmup()"),
                TestOutcome.FAILED,
                400,
                "Counters of neuron0/neuron_core1: 1 expectation violated",
                List.of("neuron0/neuron_core1"),
                List.of(new Violation(
                        "no error counter may move",
                        "neuron0/neuron_core1 status/hw_error",
                        "no movement",
                        "+1",
                        "See dmesg, or @AllowCounter(\"hw_error\").")),
                List.of(),
                List.of(counters(0, 1)),
                List.of(),
                List.of());
    }

    private ReportedTest failing() {
        return new ReportedTest(
                0,
                new TestId(
                        "[engine:junit-jupiter]/[class:com.acme.BertTest]/[nested-class:Large]/[test-template:inference(int)]/[test-template-invocation:#1]",
                        "BertTest > Large > inference(int)[1]"),
                false,
                TestOutcome.FAILED,
                Optional.of(Phase.EVIDENCE),
                Optional.of(
                        "Counters of neuron0/neuron_core1: 2 expectations violated\n\ncounter                                before  after  delta\nneuron0/neuron_core1 status/hw_error        1      3     +2\n"),
                List.of("neuron0/neuron_core1"),
                START.plusSeconds(900),
                Duration.ofMillis(3217),
                Duration.ofMillis(1250),
                List.of(
                        new Violation(
                                "no error counter may move",
                                "neuron0/neuron_core1 status/hw_error",
                                "no movement",
                                "+2",
                                "See dmesg, or @AllowCounter(\"hw_error\") if it was intended."),
                        new Violation(
                                "@ExpectCounter(\"inference_count\", delta = 100)",
                                "neuron0/neuron_core1 other_info/inference_count",
                                "+100",
                                "+98",
                                "Two executions did not end.")),
                List.of(),
                List.of("The counters did not settle within 2 s."),
                List.of(counters(1, 3), prints(), profile(0.4)),
                List.of(comparison("total_time", ComparisonOutcome.WORSE, "slower", 0.041)),
                List.of(
                        new ReportedTest.Attached("neuron-counters.txt", "text/plain", 1234, Optional.of(attachment)),
                        new ReportedTest.Attached(
                                "lost.npy", "application/octet-stream", 4096, Optional.of(Path.of("not/there.npy")))),
                1,
                Optional.empty());
    }

    private static ReportedTest undecided() {
        return test(
                id("LlamaTest > tokensPerSecond()"),
                TestOutcome.UNDECIDED,
                1600,
                "total_time is undecided after 20 runs",
                List.of("neuron1/neuron_core1"),
                List.of(),
                List.of(new Undecided(
                        "@CompareToBaseline(\"total_time\")",
                        "total_time",
                        "The runs vary by 2.1 % from one to the next, which is too much for a margin of 3 %.")),
                List.of(),
                List.of(comparison("total_time", ComparisonOutcome.UNDECIDED, "too-noisy", 0.02)),
                List.of());
    }

    private ReportedTest compared() {
        return test(
                id("ResNetTest > batch8()"),
                TestOutcome.PASSED,
                2000,
                null,
                List.of("neuron1/neuron_core0"),
                List.of(),
                List.of(),
                List.of(profile(0)),
                List.of(
                        comparison("total_time", ComparisonOutcome.NOT_WORSE, "", 0.005),
                        comparison("mfu_estimated_percent", ComparisonOutcome.NO_BASELINE, "other-stack", 0)),
                List.of(new ReportedTest.Attached("neuron-profile.html", "text/html", 999, Optional.of(attachment))));
    }

    public static ReportedTest.Recorded counters(int before, int after) {
        return new ReportedTest.Recorded("counters", new JsonObject("""
                {"version": 1, "kind": "counters", "host": "%s", "cores": ["neuron0/core1"],
                 "moved": [
                  {"place": "neuron0/neuron_core1", "counter": "memory_usage/device_mem/model_code", "field": "total", "unit": "bytes", "movement": "rose", "before": 0, "after": 2048000, "delta": 2048000, "text": "+1.95 MiB", "location": "/x"},
                  {"place": "neuron0/neuron_core1", "counter": "status/success", "field": "total", "unit": "count", "movement": "rose", "before": 18446744073709551500, "after": 18446744073709551598, "delta": 98, "text": "+98", "location": "/x"},
                  {"place": "neuron0/neuron_core1", "counter": "status/hw_error", "field": "total", "unit": "count", "movement": "rose", "error": true, "before": %s, "after": %s, "delta": %s, "text": "+%s", "location": "%s"},
                  {"place": "neuron0", "counter": "hardware/mem_ecc_corrected", "field": "value", "unit": "count", "movement": "rose", "before": 4, "after": 9, "delta": 5, "text": "+5", "location": "/x", "attribution": "shared"}],
                 "foreign": [{"place": "neuron0/neuron_core0", "counter": "status/success", "field": "total", "unit": "count", "movement": "rose", "before": 0, "after": 7, "delta": 7, "text": "+7", "location": "/x"}],
                 "unreadable": [], "settled": false, "settlingMillis": 2000, "deferredBy": {},
                 "neighbours": ["WarmupTest > step(int)[9] (pid 4712) on neuron0/neuron_core0"]}
                """.formatted(
                        HOST, before, after, after - before, after - before, HW_ERROR)));
    }

    private static ReportedTest.Recorded prints() {
        String prints = IntStream.range(0, 12)
                .mapToObj(i -> """
                        {"order": %s, "prefix": "acc tile %s", "arrived": "2026-11-21T02:25:0%s.123456Z", "origin": "poll", "coreIndex": 1, "coreId": 1, "core": "neuron0/neuron_core1", "pipe": 0, "dtype": "bfloat16", "shape": [128, 512], "bytes": 131072, "values": {"least": -3.5, "most": %s.25, "nan": %s, "infinite": 0}, "file": "x.npy"}
                        """.formatted(i, i, i % 10, 4 + i, i == 11 ? 30_000 : 0))
                .reduce((a, b) -> a + "," + b)
                .orElseThrow();
        return new ReportedTest.Recorded("prints", new JsonObject("""
                {"version": 1, "kind": "prints", "doubts": [], "prefixes": {}, "prints": [%s], "notListed": 0, "notAttached": 0,
                 "mismatches": [{"order": 11, "prefix": "acc tile 11", "tolerance": "exactly", "found": "3 of 65536 elements differ, the first at [17, 3]: expected 1.5, was NaN", "mismatches": 3}],
                 "odd": [], "oddNotListed": 0}
                """.formatted(prints)));
    }

    private static ReportedTest.Recorded profile(double throttled) {
        return new ReportedTest.Recorded("profile", new JsonObject("""
                {"version": 1, "kind": "profile", "title": "bert-large.neff", "capture": "replay", "tool": "neuron-explorer 2.31.0", "folder": "x",
                 "doubts": [%s], "notices": [],
                 "executions": [
                  {"rank": null, "index": 1, "metrics": {"total_time": 0.0165, "throttle_ham_active_time_nc1_percent": %s, "throttle_ham_avg_util_limit_nc1_percent": 0.6}},
                  {"rank": null, "index": 2, "metrics": {"total_time": 0.0181, "throttle_ham_active_time_nc1_percent": 0.1, "throttle_ham_avg_util_limit_nc1_percent": 0.6,
                    "throttle_none_active_time_nc1_percent": 1, "throttle_none_avg_util_limit_nc1_percent": 1}}],
                 "helpers": [],
                 "thresholds": [
                  {"rule": "@Threshold(metric = \\"total_time\\", atMost = \\"17 ms\\")", "metric": "total_time", "outcome": "%s", "value": %s, "bound": 0.017, "shown": "%s", "limit": "at most 17 ms", "margin": "%s"},
                  {"rule": "@Threshold(metric = \\"mfu_estimated_percent\\", atLeast = \\"30 %%\\")", "metric": "mfu_estimated_percent", "outcome": "kept", "value": 0.42, "bound": 0.3, "shown": "42 %%", "limit": "at least 30 %%", "margin": "12 points left"}],
                 "units": {"total_time": "s"}, "runs": []}
                """.formatted(
                        throttled > 0
                                ? "{\"kind\": \"throttled\", \"reason\": \"The device was throttled: ham 40 % of the time (doubtful from 5 %).\"}"
                                : "",
                        throttled,
                        throttled > 0 ? "violated" : "kept",
                        throttled > 0 ? 0.0173 : 0.0161,
                        throttled > 0 ? "17.3 ms" : "16.1 ms",
                        throttled > 0 ? "1.8 % over" : "5.3 % left")));
    }

    public static Comparison comparison(String metric, ComparisonOutcome outcome, String reason, double slower) {
        Stack stack = Stack.of(Map.of(
                "platform", "fake", "instance", "trn1.32xlarge", "driver", "2.30", "runtime", "2.33", "lnc", "1"));
        boolean known = outcome != ComparisonOutcome.NO_BASELINE;
        Sample before = new Sample(runs(10, 0.0169), 30);
        Sample now = new Sample(runs(known ? 10 : 1, 0.0169 * (1 + slower)), 30);
        return new Comparison(
                new BaselineKey("com.acme.BertTest", "inference(int)[1]", metric),
                new Metric(
                        metric,
                        metric.endsWith("percent") ? Unit.FRACTION : Unit.SECONDS,
                        metric.endsWith("percent") ? Direction.HIGHER : Direction.LOWER,
                        Noise.NOISY),
                stack,
                outcome,
                reason,
                new Fraction(0.03),
                known ? Optional.of(before) : Optional.empty(),
                now,
                known
                        ? Optional.of(new Comparison.Ratio(1 + slower - 0.006, 1 + slower, 1 + slower + 0.006))
                        : Optional.empty(),
                false,
                known ? List.of(5, 10) : List.of(),
                outcome == ComparisonOutcome.UNDECIDED
                        ? List.of("Run 3 was throttled for 40 % of the time.")
                        : List.of(),
                outcome == ComparisonOutcome.UNDECIDED
                        ? "about 12 more runs, or a quieter host: run-to-run 2.1 % against a margin of 3 %"
                        : "",
                "src/test/resources/neuron-baselines/com.acme.BertTest.json",
                known ? Optional.empty() : Optional.of(Stack.of(Map.of("driver", "2.24", "instance", "trn1.32xlarge"))),
                "neuron-test baseline approve --filter 'com.acme.BertTest#inference(int)[1] " + metric + "' --note '…'",
                List.of("The baseline is 201 days old."),
                known
                        ? List.of(
                                new Comparison.Accepted(0.0169, LocalDate.of(2026, 5, 4), "compiler 2.25"),
                                new Comparison.Accepted(0.0175, LocalDate.of(2026, 2, 2), ""),
                                new Comparison.Accepted(0.0181, LocalDate.of(2025, 11, 3), ""))
                        : List.of());
    }

    private static List<Double> runs(int count, double middle) {
        return DoubleStream.iterate(0, i -> i + 1)
                .limit(count)
                .map(i -> middle * (1 + 0.004 * Math.sin(2.4 * i)))
                .boxed()
                .toList();
    }
}
