package dev.neurontest.internal.gate;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A run with the content that a test of a gate needs. */
public final class RunFixture {

    private static final Instant START = Instant.parse("2026-11-21T02:00:00Z");

    private final List<ReportedJvm> jvms = new ArrayList<>();
    private final List<ReportedTest> tests = new ArrayList<>();
    private final List<ReportedQuarantine> quarantines = new ArrayList<>();
    private final List<HostError> errors = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private Optional<List<ReportedTest>> attempts = Optional.empty();

    /** Begins a JVM on such a host; {@code none} is a JVM without a host. */
    public RunFixture jvm(String kind) {
        return jvm(kind, true);
    }

    public RunFixture jvm(String kind, boolean finished) {
        Optional<RunEvent.PlatformChosen> platform = Optional.of(kind)
                .filter(known -> !known.equals("none"))
                .map(known -> new RunEvent.PlatformChosen(
                        known,
                        known.equals("real") ? "/" : known + ":trn1.2xlarge",
                        known,
                        "default",
                        "trn1.2xlarge",
                        null,
                        "2.30",
                        1,
                        2,
                        1));
        jvms.add(new ReportedJvm(
                Path.of("out", "run-%s.jsonl".formatted(jvms.size() + 1)),
                Optional.empty(),
                platform,
                START,
                START.plusSeconds(60),
                finished,
                Map.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty()));
        return this;
    }

    public RunFixture test(String name, TestOutcome outcome) {
        return test(name, outcome, null, Duration.ZERO, List.of());
    }

    /** Adds a test that passed in its second attempt. */
    public RunFixture flaky(String name) {
        test(name, TestOutcome.FAILED);
        attempts = Optional.of(List.of(tests.remove(tests.size() - 1)));
        test(name, TestOutcome.PASSED);
        attempts = Optional.empty();
        return this;
    }

    public RunFixture skipped(String name, String reason) {
        return test(name, TestOutcome.SKIPPED, reason, Duration.ZERO, List.of());
    }

    public RunFixture waiting(String name, Duration waited) {
        return test(name, TestOutcome.PASSED, null, waited, List.of());
    }

    public RunFixture compared(String name, ComparisonOutcome outcome) {
        return test(name, TestOutcome.PASSED, null, Duration.ZERO, List.of(comparison(name, outcome)));
    }

    public RunFixture compared(Comparison comparison) {
        return test(comparison.key().test(), TestOutcome.PASSED, null, Duration.ZERO, List.of(comparison));
    }

    /** Adds a container, named by the last segment of its unique id. */
    public RunFixture container(String name, TestOutcome outcome) {
        return test("[class:" + name + "]", name, outcome, null, Duration.ZERO, List.of());
    }

    /** Adds a test with undecided expectations. */
    public RunFixture undecided(String name, TestOutcome outcome, String... rules) {
        return test(
                "[class:BertTest]/[method:" + name + "]",
                "BertTest > " + name,
                outcome,
                null,
                Duration.ZERO,
                Stream.of(rules)
                        .map(rule -> new Undecided(rule, "total_time", "The device was throttled."))
                        .toList(),
                List.of());
    }

    private RunFixture test(
            String name, TestOutcome outcome, String reason, Duration waited, List<Comparison> comparisons) {
        return test(
                "[class:BertTest]/[method:" + name + "]", "BertTest > " + name, outcome, reason, waited, comparisons);
    }

    private RunFixture test(
            String id, String name, TestOutcome outcome, String reason, Duration waited, List<Comparison> comparisons) {
        return test(id, name, outcome, reason, waited, List.of(), comparisons);
    }

    private RunFixture test(
            String id,
            String name,
            TestOutcome outcome,
            String reason,
            Duration waited,
            List<Undecided> undecided,
            List<Comparison> comparisons) {
        TestId test = new TestId("[engine:junit-jupiter]/" + id, name);
        tests.add(new ReportedTest(
                jvms.size() - 1,
                test,
                test.isContainer(),
                outcome,
                outcome == TestOutcome.SKIPPED ? Optional.empty() : Optional.of(Phase.BODY),
                Optional.ofNullable(reason),
                List.of("neuron0/neuron_core1"),
                START.plusSeconds(tests.size()),
                Duration.ofSeconds(1),
                waited,
                List.of(),
                undecided,
                List.of(),
                List.of(),
                comparisons,
                List.of(),
                0,
                attempts));
        return this;
    }

    private static Comparison comparison(String name, ComparisonOutcome outcome) {
        return new Comparison(
                new BaselineKey("com.acme.BertTest", name, "total_time"),
                new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY),
                Stack.of(Map.of("driver", "2.30")),
                outcome,
                "slower",
                Fraction.ofPercent(3),
                Optional.of(new Sample(List.of(1.0), 1)),
                new Sample(List.of(1.043), 1),
                Optional.of(new Comparison.Ratio(1.041, 1.043, 1.045)),
                false,
                List.of(5),
                List.of(),
                "",
                "",
                Optional.empty(),
                "",
                List.of(),
                List.of());
    }

    public RunFixture quarantine(String core, String reason, String ended) {
        return quarantine(core, reason, false, ended);
    }

    public RunFixture suspect(String core, String reason, String ended) {
        return quarantine(core, reason, true, ended);
    }

    private RunFixture quarantine(String core, String reason, boolean suspect, String ended) {
        quarantines.add(new ReportedQuarantine(
                "ip-10-0-0-1", core, "BertTest > hang()", reason, suspect, START, Optional.ofNullable(ended)));
        return this;
    }

    public RunFixture error(String counter, long before, long after, long explained) {
        errors.add(new HostError(
                "ip-10-0-0-1", counter, before, after, "+" + (after - before), after - before, explained));
        return this;
    }

    public RunFixture problem(String problem) {
        problems.add(problem);
        return this;
    }

    public RunReport report() {
        return new RunReport(jvms, tests, quarantines, errors, List.of(), problems);
    }
}
