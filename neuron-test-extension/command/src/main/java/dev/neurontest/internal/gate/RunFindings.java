package dev.neurontest.internal.gate;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.internal.baseline.ComparisonText;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.report.FlakyTest;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.report.Overview;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedShards;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The properties of a run that gates limit, as numbers and in words. */
final class RunFindings {

    private static final int SHOWN = 3;

    private static final Set<TestOutcome> RAN_TO_ITS_END =
            Set.of(TestOutcome.PASSED, TestOutcome.FAILED, TestOutcome.UNDECIDED);
    private static final Set<TestOutcome> DID_NOT_RUN = Set.of(TestOutcome.SKIPPED, TestOutcome.ABORTED);
    private static final Set<ComparisonOutcome> OPEN =
            Set.of(ComparisonOutcome.UNDECIDED, ComparisonOutcome.CONTAMINATED);

    private final RunReport report;
    private final Overview overview;
    private final ReportedShards shards;

    RunFindings(RunReport report) {
        this.report = report;
        this.overview = Overview.of(report);
        this.shards = ReportedShards.of(report.jvms());
    }

    /** Returns the outcome of the gate that requires at least one test that ran. */
    GateOutcome ran() {
        long executions = overview.executions();
        // A single shard may be empty. The report over all shards checks whether any test ran.
        Optional<String> shard = report.tests().isEmpty() ? shards.onlyOne() : Optional.empty();
        String nothing = report.jvms().isEmpty()
                ? "no run file"
                : "nothing ran in %s%s".formatted(CountText.of(report.jvms().size(), "JVM"), firstSkip());
        return new GateOutcome(
                "ran",
                executions > 0 || shard.isPresent(),
                "at least one test that ran",
                executions > 0
                        ? "%s of %s"
                                .formatted(
                                        CountText.of(executions, "execution"), CountText.of(overview.tests(), "test"))
                        : shard.map("no test is in shard %s"::formatted).orElse(nothing),
                tests(TestOutcome.SKIPPED).findAny().isPresent()
                        ? "Run neuron-test doctor on the host that should have run them: it shows what is missing."
                        : "Check that the tests were selected and the run files are in the folder that was read: neuron.test.output sets it.");
    }

    /** Returns the outcome of the gate that requires a complete run. */
    GateOutcome complete() {
        List<String> gaps = new ArrayList<>(report.problems());
        IntStream.range(0, report.jvms().size())
                .filter(index -> shards.startedAgain(index).isEmpty())
                .mapToObj(report.jvms()::get)
                .filter(jvm -> !jvm.finished())
                .map(jvm -> jvm.file().toString())
                // if tests had started in the JVM, the report already lists the file as a problem
                .filter(file -> report.problems().stream().noneMatch(problem -> problem.contains(file)))
                .map(file -> file + " has no last line: its JVM was killed, or is still running.")
                .forEach(gaps::add);
        return new GateOutcome(
                "complete",
                gaps.isEmpty(),
                "nothing about the run in doubt",
                gaps.isEmpty()
                        ? "all of %s".formatted(CountText.of(report.jvms().size(), "run file"))
                        : ListText.apart(gaps, SHOWN),
                "Tests without a known result may have failed. Wait until all JVMs have ended, run missing tests again, and remove files of other runs.");
    }

    /** Returns the number that a gate limits. */
    long measured(Gate gate) {
        return switch (gate) {
            case HARDWARE -> overview.hardwareTests();
            case ERRORS -> report.unexplainedErrors();
            case WAITING -> DurationText.nanos(overview.waited());
            default -> parts(gate).count();
        };
    }

    /** Returns that number in words, with its parts. */
    String words(Gate gate) {
        long measured = measured(gate);
        if (gate == Gate.HARDWARE) {
            return onHardware();
        }
        String number = gate.count(measured);
        return measured == 0
                ? number
                : number + ": " + ListText.apart(parts(gate).toList(), SHOWN);
    }

    private Stream<String> parts(Gate gate) {
        return switch (gate) {
            case HARDWARE -> Stream.of();
            case FAILED -> failed();
            case FLAKY -> FlakyTest.of(report).stream().map(FlakyTest::toString);
            case LOST ->
                report.counted(test -> test.outcome() == TestOutcome.LOST).stream()
                        .map(this::lost);
            case SKIPPED -> tests(DID_NOT_RUN).map(RunFindings::withReason);
            case UNDECIDED -> undecidedExpectations();
            case NOT_APPLICABLE ->
                report.tests().stream()
                        .flatMap(test -> test.notApplicable().stream()
                                .map(each -> test.id().name() + ": " + each.rule()));
            case UNDECIDED_COMPARISONS ->
                report.tests().stream()
                        .flatMap(test -> test.comparisons().stream())
                        .filter(comparison -> OPEN.contains(comparison.outcome()))
                        .map(comparison -> comparison.key().toString());
            case QUARANTINED -> report.quarantinedCores().values().stream().map(ReportedQuarantine::toString);
            case ERRORS ->
                report.hostErrors().stream()
                        .filter(error -> error.unexplained() > 0)
                        .map(HostError::toString);
            case REGRESSIONS -> comparisons(ComparisonOutcome.WORSE).map(RunFindings::regression);
            case WITHOUT_BASELINE ->
                comparisons(ComparisonOutcome.NO_BASELINE)
                        .map(comparison -> comparison.key().toString());
            case WAITING ->
                report.executions()
                        .filter(test ->
                                !test.waited().isZero() && !test.waited().isNegative())
                        .sorted(Comparator.comparing(ReportedTest::waited).reversed())
                        .map(test -> "%s of it %s"
                                .formatted(
                                        DurationText.of(test.waited()),
                                        test.id().name()));
        };
    }

    private String onHardware() {
        long onHardware = tests(this::ranOnHardware).count();
        String others = report.tests().stream()
                .filter(test -> test.isTest() && RAN_TO_ITS_END.contains(test.outcome()) && !ranOnHardware(test))
                .map(test -> jvm(test).host())
                .distinct()
                .limit(SHOWN)
                .collect(Collectors.joining(", "));
        return "%s%s%s%s"
                .formatted(
                        overview.tests() == 0
                                ? "no test ran"
                                : "%s of %s ran on hardware"
                                        .formatted(
                                                onHardware == 0 ? "none" : Long.toString(onHardware),
                                                CountText.of(overview.tests(), "test")),
                        onHardware == overview.hardwareTests()
                                ? ""
                                : ", %s of them different".formatted(overview.hardwareTests()),
                        others.isEmpty() ? "" : "; others on " + others,
                        firstSkip());
    }

    private String firstSkip() {
        return tests(TestOutcome.SKIPPED)
                .min(Comparator.comparing(ReportedTest::started))
                .map(test -> "; the first skip: " + withReason(test))
                .orElse("");
    }

    private Stream<String> failed() {
        Set<ReportedTest> passedLater = FlakyTest.of(report).stream()
                .flatMap(flaky -> flaky.executions().stream())
                .collect(Collectors.toCollection(() -> Collections.newSetFromMap(new IdentityHashMap<>())));
        return report.counted(test -> test.outcome() == TestOutcome.FAILED).stream()
                .map(test -> (test.isTest() ? "" : "class ")
                        + test.id().name()
                        + (passedLater.contains(test) ? " (passed later)" : ""));
    }

    private String lost(ReportedTest test) {
        return test.id().name()
                + test.lastPhase()
                        .map(phase -> " in its " + phase.name().toLowerCase(Locale.ROOT))
                        .orElse("");
    }

    private static String regression(Comparison comparison) {
        return comparison.key()
                + new ComparisonText(comparison)
                        .change()
                        // Semicolons separate the changes of several comparisons.
                        .map(change -> ": " + change.replace("; ", ", "))
                        .orElse("");
    }

    private static String withReason(ReportedTest test) {
        return test.id().name() + test.messageInOneLine().map(": "::concat).orElse("");
    }

    private Stream<ReportedTest> tests(Predicate<ReportedTest> which) {
        return report.tests().stream().filter(which);
    }

    private Stream<ReportedTest> tests(TestOutcome outcome) {
        return tests(Set.of(outcome));
    }

    private Stream<ReportedTest> tests(Collection<TestOutcome> outcomes) {
        return tests(test -> outcomes.contains(test.outcome()));
    }

    private boolean ranOnHardware(ReportedTest test) {
        return Overview.ranOnHardware(report, test);
    }

    private ReportedJvm jvm(ReportedTest test) {
        return report.jvms().get(test.jvm());
    }

    /** Returns the undecided expectations, each with its test. */
    private Stream<String> undecidedExpectations() {
        return report.tests().stream()
                .flatMap(test -> expectations(test).map(rule -> test.id().name() + rule));
    }

    private static Stream<String> expectations(ReportedTest test) {
        // An undecided test without an undecided expectation: the expectation was lost, or the file comes from another
        // version of this
        // project.
        return test.undecided().isEmpty() && test.comparisons().isEmpty() && test.outcome() == TestOutcome.UNDECIDED
                ? Stream.of("")
                : test.undecided().stream()
                        .map(Undecided::rule)
                        .filter(rule -> !Comparison.isRule(rule))
                        .map(rule -> ": " + rule);
    }

    private Stream<Comparison> comparisons(ComparisonOutcome outcome) {
        return report.tests().stream()
                .flatMap(test -> test.comparisons().stream())
                .filter(comparison -> comparison.outcome() == outcome);
    }
}
