package dev.neurontest.internal.report.page;

import dev.neurontest.internal.page.PageTemplate;
import dev.neurontest.internal.report.CoreUse;
import dev.neurontest.internal.report.FailureGroup;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.Overview;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.compare.RunChanges;
import dev.neurontest.internal.report.history.RunHistory;
import dev.neurontest.internal.report.show.Limits;
import dev.neurontest.internal.report.show.ReportPart;
import dev.neurontest.internal.report.show.ReportView;
import dev.neurontest.internal.report.show.TruncatedList;
import dev.neurontest.internal.report.show.WholeFile;
import dev.neurontest.internal.text.CountText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A run as one HTML page that needs no network. Files that are too large for it are in a folder next to it, which must be moved with it.
 * The most urgent parts come first. The page is complete without its script, which only sorts and filters the table of all tests. It
 * follows the light or dark mode of the reader's system, and is readable on a phone and on paper.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportPage extends ReportView {

    private static final Limits LIMITS = Limits.PAGE;

    private static final List<TestOutcome> WRONG = List.of(TestOutcome.FAILED, TestOutcome.LOST, TestOutcome.UNDECIDED);
    private static final Map<String, PageTemplate> TEMPLATES = new ConcurrentHashMap<>();

    private final List<ReportedTest> counted;
    private final List<ReportedTest> listed;
    private final CoreStory story;

    /** True if the cores are on several hosts. It is computed once, because each row of a table needs it. */
    private final boolean severalHosts;

    private final PageFiles files;
    private final Map<ReportedTest, Details> details = new IdentityHashMap<>();
    private int articles;
    private final List<Section> sections;

    private ReportPage(
            RunReport report,
            List<GateOutcome> gates,
            Optional<RunChanges> changes,
            Optional<RunHistory> history,
            PageFiles files) {
        super(report, gates, changes, LIMITS);
        this.counted = report.tests().stream().filter(Overview::isListed).toList();
        this.listed = listed(counted);
        this.story = new CoreStory(report);
        this.severalHosts = story.uses().stream().map(CoreUse::host).distinct().count() > 1;
        this.files = files;
        List<FailureGroup> groups = FailureGroup.of(with(counted, TestOutcome.FAILED, TestOutcome.LOST));
        TruncatedList<PageTest> failed = detailed(groups, group -> !group.isMistake());
        TruncatedList<PageTest> mistakes = detailed(groups, FailureGroup::isMistake);
        TruncatedList<PageTest> undecided =
                detailed(FailureGroup.of(with(counted, TestOutcome.UNDECIDED)), group -> true);
        this.sections = Stream.of(
                        new Section("gates", "Gates", "gates", this),
                        new Section("compared", "Against the earlier run", "compared", this),
                        new Section("failed", "Failing tests", "tests", failed),
                        new Section("mistakes", "Mistakes in tests", "tests", mistakes),
                        new Section("undecided", "Undecided tests", "tests", undecided),
                        new Section(simulated()),
                        new Section(notApplicable()),
                        new Section(noticed()),
                        new Section(flaky()),
                        history.map(each -> new Section("runs", "Over the last runs", "runs", new PageRuns(each)))
                                .orElseGet(() -> new Section("runs", "", "")),
                        new Section(skipped()),
                        new Section("all", leftOut().isEmpty() ? "All tests" : "Tests", "all", this),
                        new Section(shards()),
                        new Section("timeline", "Cores over time", "timeline", timeline()),
                        new Section("cores", "Cores", "cores", this),
                        new Section("baselines", "Against baselines", "baselines", this),
                        new Section("margins", "Profile margins", "margins", PageThresholds.of(report)),
                        new Section(hostErrors()),
                        new Section(jvms()),
                        new Section(notices()),
                        new Section(problems()))
                .filter(section -> !section.markup().isEmpty())
                .toList();
    }

    /**
     * Writes the page. Readers see either the old or the new page, never an incomplete one. A link in its place is replaced and not
     * followed.
     *
     * @param report the run
     * @param gates verdicts of the gates; may be empty
     * @param page the file; its folder is created
     * @throws IOException when the page cannot be written
     */
    public static void write(RunReport report, List<GateOutcome> gates, Path page) throws IOException {
        write(report, gates, Optional.empty(), Optional.empty(), page);
    }

    /**
     * Writes the page with the differences from an earlier run.
     *
     * @param report the run
     * @param gates verdicts of the gates; may be empty
     * @param changes changes since an earlier run; empty without a comparison
     * @param history the last runs; empty without a history
     * @param page the file; its folder is created
     * @throws IOException when the page cannot be written
     */
    public static void write(
            RunReport report,
            List<GateOutcome> gates,
            Optional<RunChanges> changes,
            Optional<RunHistory> history,
            Path page)
            throws IOException {
        Path file = page.toAbsolutePath().normalize();
        Path folder = Objects.requireNonNull(file.getParent(), "a file, and not the root of a file system");
        Files.createDirectories(folder);
        PageFiles files = PageFiles.of(file, report.jvms());
        String html = html(report, gates, changes, history, files);
        files.write();
        WholeFile.write(file, out -> out.write(html));
    }

    static String html(
            RunReport report,
            List<GateOutcome> gates,
            Optional<RunChanges> changes,
            Optional<RunHistory> history,
            PageFiles files) {
        return template("report").fill(new ReportPage(report, gates, changes, history, files));
    }

    private static PageTemplate template(String name) {
        return TEMPLATES.computeIfAbsent(name, each -> PageTemplate.of(ReportPage.class, each));
    }

    /** A section of the page, which is omitted when it is empty. */
    record Section(String id, String title, String markup) {

        Section(String id, String title, String template, Object model) {
            this(id, title, template(template).fill(model).strip());
        }

        Section(ReportPart part) {
            this(part.id(), part.title(), "part", part);
        }
    }

    /** The place where a group of tests is shown in full. */
    private record Details(FailureGroup group, String id) {}

    /** A number of tests with an outcome. */
    record Count(TestOutcome outcome, long count) {}

    /** A device in the filter of the table: one of its cores can be chosen, or all of them by their numbers. */
    record Device(String label, List<NumberedUse> cores) {

        String name() {
            return cores.get(0).use().device();
        }

        String whole() {
            return cores.size() == 1
                    ? ""
                    : cores.stream().map(each -> String.valueOf(each.number())).collect(Collectors.joining(" "));
        }
    }

    /**
     * Returns the tests of the table in the order of the run. If there are too many, they are ordered by urgency and the rest is omitted.
     */
    private static List<ReportedTest> listed(List<ReportedTest> counted) {
        return counted.size() <= LIMITS.rows()
                ? counted
                : counted.stream()
                        .sorted(Comparator.comparing(ReportedTest::outcome)
                                .thenComparing(ReportedTest::took, Comparator.reverseOrder()))
                        .limit(LIMITS.rows())
                        .toList();
    }

    private TruncatedList<PageTest> detailed(List<FailureGroup> all, Predicate<FailureGroup> which) {
        List<FailureGroup> matching = all.stream().filter(which).toList();
        List<PageTest> shown = new ArrayList<>();
        for (FailureGroup group : matching.subList(0, Math.min(matching.size(), LIMITS.tests()))) {
            Details place = new Details(group, "t" + ++articles);
            group.tests().forEach(test -> details.put(test, place));
            shown.add(test(group.first()));
        }
        return new TruncatedList<>(shown, FailureGroup.tests(matching.subList(shown.size(), matching.size())));
    }

    private static List<ReportedTest> with(List<ReportedTest> tests, TestOutcome... outcomes) {
        return tests.stream()
                .filter(test -> List.of(outcomes).contains(test.outcome()))
                .toList();
    }

    private PageTest test(ReportedTest test) {
        Details place = details(test);
        return new PageTest(test, place.group(), place.id(), story, files);
    }

    private Details details(ReportedTest test) {
        return details.getOrDefault(test, new Details(new FailureGroup(List.of(test)), ""));
    }

    private PageTimeline timeline() {
        return new PageTimeline(report(), story, test -> details(test).id());
    }

    /** Returns the digests of the styles of included pages. */
    Set<String> styles() {
        return files.styles();
    }

    List<Section> sections() {
        return sections;
    }

    String title() {
        return verdict() + ": " + headline();
    }

    /** Returns the verdict. Gates determine it if there are any, except that a run without executed tests never passes. */
    String verdict() {
        if (counted.stream().map(ReportedTest::outcome).allMatch(TestOutcome.SKIPPED::equals)) {
            return "Nothing ran";
        }
        boolean failed = gates().isEmpty()
                ? report().tests().stream().anyMatch(ReportedTest::hasFailed)
                : gates().stream().anyMatch(gate -> !gate.passed());
        return failed ? "Failed" : "Passed";
    }

    String verdictKind() {
        return verdict().equals("Passed") ? "passed" : "failed";
    }

    /** Returns the tests that did not pass as a part of all, such as {@code 2 of 20 tests failed, 1 lost, 1 failed class}. */
    String headline() {
        List<Count> wrong = outcomes().stream()
                .filter(each -> WRONG.contains(each.outcome()))
                .toList();
        String all = CountText.of(overview().tests(), "test");
        return Stream.of(
                        wrong.isEmpty()
                                ? Stream.of("none of %s failed".formatted(all))
                                : Stream.of("%s of %s %s"
                                        .formatted(
                                                CountText.of(wrong.get(0).count()),
                                                all,
                                                wrong.get(0).outcome())),
                        wrong.stream().skip(1).map(each -> CountText.of(each.count()) + " " + each.outcome()),
                        overview().classesInWords())
                .flatMap(Function.identity())
                .collect(Collectors.joining(", "));
    }

    List<Count> outcomes() {
        return overview().outcomes().entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .map(each -> new Count(each.getKey(), each.getValue()))
                .toList();
    }

    String countOfJvms() {
        return CountText.of(report().jvms().size(), "JVM");
    }

    String countOfPassedGates() {
        return CountText.of(passedGates().size(), "gate");
    }

    /** Returns a sentence about the tests that the table omits; empty when it contains all. */
    String leftOut() {
        if (listed.size() == counted.size()) {
            return "";
        }
        String missing = outcomes().stream()
                .map(each -> new Count(
                        each.outcome(),
                        each.count() - with(listed, each.outcome()).size()))
                .filter(each -> each.count() > 0)
                .map(each -> CountText.of(each.count()) + " " + each.outcome())
                .collect(Collectors.joining(", "));
        return "This table has %s of %s, by outcome and the slowest first. Left out: %s."
                .formatted(CountText.of(listed.size()), CountText.of(counted.size(), "test"), missing);
    }

    /** Returns the tests of the table by class, a class with urgent tests first. The counts include omitted tests. */
    List<PageClass> classes() {
        Map<String, List<ReportedTest>> all = counted.stream().collect(Collectors.groupingBy(PageClass::key));
        return listed.stream()
                .collect(Collectors.groupingBy(PageClass::key, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(each -> new PageClass(
                        all.getOrDefault(each.getKey(), List.of()),
                        each.getValue().stream().map(this::test).toList()))
                .toList();
    }

    List<Device> devices() {
        return uses().stream()
                .collect(Collectors.groupingBy(
                        each -> (each.use().host() + " " + each.use().device()).strip(),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .entrySet()
                .stream()
                .map(each -> new Device(each.getKey(), each.getValue()))
                .toList();
    }

    /** A core with its number. */
    record NumberedUse(int number, CoreUse use) {}

    List<NumberedUse> uses() {
        return IntStream.range(0, story.uses().size())
                .mapToObj(number -> new NumberedUse(number, story.uses().get(number)))
                .toList();
    }

    boolean severalHosts() {
        return severalHosts;
    }

    TruncatedList<PageComparison> comparisons() {
        return TruncatedList.of(
                comparisonsByUrgency().stream().map(PageComparison::new).toList(), LIMITS.lines());
    }
}
