package dev.neurontest.internal.report.show;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.internal.report.CoreUse;
import dev.neurontest.internal.report.FailureGroup;
import dev.neurontest.internal.report.FlakyTest;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.report.Overview;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedShards;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.compare.RunChanges;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A view of a run: its parts within the space limits, the most urgent first. */
@API(status = API.Status.INTERNAL, since = "0.1")
public class ReportView {

    private static final List<ComparisonOutcome> URGENCY = List.of(
            ComparisonOutcome.WORSE,
            ComparisonOutcome.CONTAMINATED,
            ComparisonOutcome.UNDECIDED,
            ComparisonOutcome.NO_BASELINE,
            ComparisonOutcome.NOT_WORSE);

    private final RunReport report;
    private final List<GateOutcome> gates;
    private final Optional<RunChanges> changes;
    private final Limits limits;
    private final Overview overview;
    private final List<FailureGroup> wrong;

    /**
     * Creates the view of a run.
     *
     * @param gates verdicts of the gates; empty when there are no gates
     * @param changes changes since an earlier run; empty without a comparison
     * @param limits space limits
     */
    public ReportView(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes, Limits limits) {
        this.report = report;
        this.gates = List.copyOf(gates);
        this.changes = changes;
        this.limits = limits;
        this.overview = Overview.of(report);
        this.wrong = FailureGroup.of(report);
    }

    /** Returns the run. */
    public final RunReport report() {
        return report;
    }

    /** Returns the numbers of the run. */
    public final Overview overview() {
        return overview;
    }

    String summary() {
        return "%s of %s in %s"
                .formatted(
                        CountText.of(overview.tests(), "test"),
                        CountText.of(report.jvms().size(), "JVM"),
                        DurationText.of(overview.took()));
    }

    /** Returns the platforms, one line for each kind of host. */
    public final TruncatedList<String> platforms() {
        return TruncatedList.of(overview.platforms(), limits.lines());
    }

    /** Returns all gates. */
    public final List<GateOutcome> gates() {
        return gates;
    }

    /** Returns the passed gates, in order. */
    public final List<GateOutcome> passedGates() {
        return gates.stream().filter(GateOutcome::passed).toList();
    }

    List<GateOutcome> failedGates() {
        return gates.stream().filter(gate -> !gate.passed()).toList();
    }

    Optional<String> gatesVerdict() {
        int failed = failedGates().size();
        return gates.isEmpty()
                ? Optional.empty()
                : Optional.of((failed > 0
                                ? "FAILED: %s of %s".formatted(failed, gates.size())
                                : "PASSED: "
                                        + gates.stream().map(GateOutcome::gate).collect(Collectors.joining(", ")))
                        + judged());
    }

    /** Returns the judged run after its verdict, such as {@code  (GitHub run 4711)}; empty when it has no id. */
    public final String judged() {
        return overview.runsInWords().map(" (%s)"::formatted).orElse("");
    }

    /**
     * Returns the differences from an earlier run.
     *
     * @return empty without a comparison
     */
    public final Optional<ChangesView> changes() {
        return changes.map(each -> new ChangesView(each, limits));
    }

    /** Returns the failed, lost and undecided tests, one for each cause; mistakes in tests are at the end and have their own limit. */
    List<TestView> wrong() {
        return groups(each -> each.limit(limits.tests()))
                .map(group -> new TestView(group.first(), group.others(), report, limits))
                .toList();
    }

    private Stream<FailureGroup> groups(UnaryOperator<Stream<FailureGroup>> ofEachKind) {
        return Stream.of(false, true)
                .flatMap(mistake -> ofEachKind.apply(wrong.stream().filter(group -> group.isMistake() == mistake)));
    }

    /** Returns the failed, lost and undecided tests that are not shown in full, with a line each. */
    TruncatedList<TestView> otherWrong() {
        return TruncatedList.of(
                groups(each -> each.skip(limits.tests()))
                        .flatMap(group -> group.tests().stream())
                        .map(test -> new TestView(test, List.of(), report, limits))
                        .toList(),
                limits.rows());
    }

    List<ReportPart> parts() {
        return Stream.of(
                        baselines(),
                        skipped(),
                        simulated(),
                        notApplicable(),
                        noticed(),
                        flaky(),
                        shards(),
                        quarantines("suspect", "Suspect cores", ReportedQuarantine::suspect),
                        quarantines("quarantine", "Cores in quarantine", each -> !each.suspect()),
                        hostErrors(),
                        cores(),
                        notices(),
                        problems())
                .filter(ReportPart::isPresent)
                .toList();
    }

    private ReportPart part(String id, String title, String lead, List<String> lines) {
        return new ReportPart(id, title, lead, TruncatedList.of(lines, limits.lines()), Optional.empty());
    }

    /** Returns the comparisons with baselines, the most urgent first. */
    public final List<Comparison> comparisonsByUrgency() {
        return report.tests().stream()
                .flatMap(test -> test.comparisons().stream())
                .sorted(Comparator.comparing(each -> URGENCY.indexOf(each.outcome())))
                .toList();
    }

    private ReportPart baselines() {
        Map<Boolean, List<Comparison>> plain = comparisonsByUrgency().stream()
                .collect(Collectors.partitioningBy(
                        each -> each.outcome() == ComparisonOutcome.NOT_WORSE && !each.improved()));
        List<String> lines = new ArrayList<>(plain.get(false).stream()
                .map(each -> new ComparisonView(each).sentence())
                .toList());
        if (!plain.get(true).isEmpty()) {
            lines.add("not worse: " + CountText.of(plain.get(true).size(), "metric"));
        }
        return part("baselines", "Baselines", "baseline ", lines);
    }

    /** Returns the reasons for skipped tests, the most frequent first. */
    public final ReportPart skipped() {
        return part(
                "skipped",
                "Skipped tests",
                "skipped ",
                overview.skips().entrySet().stream()
                        .map(each -> "%s: %s".formatted(CountText.of(each.getValue(), "test"), each.getKey()))
                        .toList());
    }

    /** Returns the notices of passed tests, each once. */
    public final ReportPart noticed() {
        return part("noticed", "Passed with a notice", "passed with a notice: ", noticesOfPassed());
    }

    /** Returns the tests whose programs all simulated their kernels. */
    public final ReportPart simulated() {
        return part(
                "simulated",
                "Simulated tests",
                "simulated: ",
                report.tests().stream()
                        .filter(test -> test.isTest() && test.simulated())
                        .map(test -> test.id().name())
                        .toList());
    }

    /** Returns the expectations that do not apply, each once, with its tests. */
    public final ReportPart notApplicable() {
        return part(
                "not-applicable",
                "Expectations that are not applicable",
                "not applicable: ",
                byTest(
                        test -> true,
                        test -> test.notApplicable().stream().map(each -> each.rule() + ": " + each.reason())));
    }

    private List<String> noticesOfPassed() {
        return byTest(test -> test.outcome() == TestOutcome.PASSED, test -> test.notices().stream());
    }

    /** Returns each sentence once, after the name of its first test and the number of the others. */
    private List<String> byTest(Predicate<ReportedTest> which, Function<ReportedTest, Stream<String>> sentences) {
        Map<String, List<ReportedTest>> tests = new LinkedHashMap<>();
        report.tests().stream()
                .filter(which)
                .forEach(test -> sentences
                        .apply(test)
                        .distinct()
                        .forEach(sentence -> tests.computeIfAbsent(sentence, absent -> new ArrayList<>())
                                .add(test)));
        return tests.entrySet().stream()
                .map(each -> "%s%s: %s"
                        .formatted(
                                each.getValue().get(0).id().name(),
                                each.getValue().size() == 1
                                        ? ""
                                        : " and " + CountText.of(each.getValue().size() - 1L, "more test"),
                                each.getKey()))
                .toList();
    }

    /** Returns the flaky tests, with a sentence each. */
    public final ReportPart flaky() {
        return part(
                "flaky",
                "Flaky tests",
                "flaky: ",
                FlakyTest.of(report).stream().map(FlakyTest::toString).toList());
    }

    /** Returns all attempts at the shards of a suite. */
    public final ReportPart shards() {
        ReportedShards shards = ReportedShards.of(report.jvms());
        Optional<String> balance = shards.balance();
        Table table = new Table(balance.orElse(""), limits, "Shard", "Machine", "Host", "#Tests", "#Took", "State");
        Map<Integer, Long> tests = report.testsByJvm();
        shards.attempts()
                .forEach(attempt -> table.row(
                        !attempt.finished(),
                        attempt.name(),
                        attempt.place(),
                        attempt.host(),
                        attempt.tests(tests),
                        DurationText.of(attempt.took()),
                        shards.state(attempt)));
        return part("shards", "Shards", "", balance.stream().toList()).with(table);
    }

    private ReportPart quarantines(String id, String title, Predicate<ReportedQuarantine> which) {
        return part(
                id,
                title,
                id + ": ",
                report.quarantines().stream()
                        .filter(which)
                        .map(ReportedQuarantine::toString)
                        .toList());
    }

    /** Returns the error counters of hosts that changed, with the part that tests explain. */
    public final ReportPart hostErrors() {
        Table table =
                new Table("", limits, "Host", "Counter", "#Start", "#End", "#Change", "#Tests explain", "#Unexplained");
        report.hostErrors()
                .forEach(error -> table.row(
                        error.unexplained() > 0,
                        error.host(),
                        error.counter(),
                        Long.toUnsignedString(error.before()),
                        Long.toUnsignedString(error.after()),
                        error.change(),
                        error.explained(),
                        error.unexplained()));
        List<String> lines =
                report.hostErrors().stream().map(HostError::toString).toList();
        return part("errors", "Error counters of hosts", "error counter: ", lines)
                .with(table);
    }

    private ReportPart cores() {
        List<CoreUse> uses = CoreUse.of(report);
        Map<String, List<CoreUse>> devices = uses.stream()
                .collect(Collectors.groupingBy(
                        use -> use.device() + " of " + use.host(), LinkedHashMap::new, Collectors.toList()));
        Table table = new Table("", limits, "Host", "Core", "#Tests", "#Failed", "#Used for", "Quarantine");
        uses.forEach(use -> table.row(
                use.failed() > 0,
                use.host(),
                use.core(),
                use.tests(),
                use.failed(),
                DurationText.of(use.used()),
                use.quarantines().stream()
                        .map(each -> (each.suspect() ? "suspect: " : "") + each.reason() + each.over())
                        .collect(Collectors.joining("; "))));
        return part(
                        "cores",
                        "Cores",
                        "",
                        devices.entrySet().stream()
                                .map(each -> device(each.getKey(), each.getValue()))
                                .toList())
                .with(table);
    }

    private static String device(String name, List<CoreUse> cores) {
        long failed = cores.stream().filter(core -> core.failed() > 0).count();
        return "%s: %s used for at most %s%s"
                .formatted(
                        name,
                        CountText.of(cores.size(), "core"),
                        DurationText.of(cores.stream()
                                .map(CoreUse::used)
                                .max(Comparator.naturalOrder())
                                .orElse(Duration.ZERO)),
                        failed == 0 ? "" : ", %s with failures".formatted(failed));
    }

    Optional<String> waited() {
        return report.executions()
                .max(Comparator.comparing(ReportedTest::waited))
                .filter(test -> test.waited().toMillis() > 0)
                .map(test -> "%s in all, at most %s (%s)"
                        .formatted(
                                DurationText.of(overview.waited()),
                                DurationText.of(test.waited()),
                                test.id().name()));
    }

    /** Returns the JVMs with their hosts and versions, in the order of their starts. */
    public final ReportPart jvms() {
        Table table = new Table("", limits, "JVM", "Host", "Versions", "Java and system", "Ran");
        report.jvms()
                .forEach(jvm -> table.row(
                        !jvm.finished(),
                        jvm.start()
                                .map(start -> "%s in %s".formatted(start.pid(), start.directory()))
                                .orElse(String.valueOf(jvm.file().getFileName())),
                        jvm.platform()
                                .map(host -> "%s; %s %s".formatted(host.words(), host.choice(), host.origin()))
                                .orElse(jvm.host()),
                        new TreeMap<>(jvm.versions())
                                .entrySet().stream()
                                        .map(each -> each.getKey() + " " + each.getValue())
                                        .collect(Collectors.joining(", ")),
                        jvm.start()
                                .map(start -> "Java %s, %s, Neuron Test %s"
                                        .formatted(start.java(), start.os(), start.module()))
                                .orElse(""),
                        clock(jvm.started()) + " to " + clock(jvm.ended()) + (jvm.finished() ? "" : ", did not end")));
        return part("run", "Platform and versions", "", List.of()).with(table);
    }

    private static String clock(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ').replace("Z", "");
    }

    /** Returns notices about the whole run, with a sentence each. */
    public final ReportPart notices() {
        return part("notices", "Notices", "notice: ", report.notices());
    }

    /** Returns unreadable or contradictory data, with a sentence each. */
    public final ReportPart problems() {
        return part("problems", "Problems of this report", "problem: ", report.problems());
    }
}
