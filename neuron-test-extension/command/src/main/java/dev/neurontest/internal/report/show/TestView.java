package dev.neurontest.internal.report.show;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.CoreList;
import dev.neurontest.internal.report.FlakyTest;
import dev.neurontest.internal.report.ParsedOutputs;
import dev.neurontest.internal.report.ParsedPrints;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RerunCommand;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A view of a test, shared by all formats. */
@API(status = API.Status.INTERNAL, since = "0.1")
public class TestView {

    /** Kind of the measurement of a test that exceeded its time limit. */
    private static final String TIMEOUT = "timeout";

    /** Separator between the names of a container and of its tests. */
    private static final String INSIDE = " > ";

    private static final int TAB_STOP = 8;

    private final ReportedTest test;
    private final RunReport report;
    private final Limits limits;
    private final List<ReportedTest> others;

    /**
     * Creates the view of a test.
     *
     * @param others tests that did not pass for the same cause; only their names are shown
     * @param limits space limits
     */
    public TestView(ReportedTest test, List<ReportedTest> others, RunReport report, Limits limits) {
        this.test = test;
        this.others = others;
        this.report = report;
        this.limits = limits;
    }

    /**
     * The tests with the same cause.
     *
     * @param tests names, with the cores and the actual value where these differ
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Alike(TruncatedList<String> tests) {

        /** Returns the number of tests. */
        public String count() {
            return CountText.of(tests.count(), "more test");
        }

        String inOneLine() {
            return "%s: %s%s"
                    .formatted(
                            count(),
                            String.join("; ", tests.shown()),
                            tests.more() == 0 ? "" : "; and " + tests.more() + " more");
        }
    }

    /**
     * A violated expectation.
     *
     * @param violation expected and actual value
     * @param advice advice; empty when an expectation above has the same
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Expectation(Violation violation, String advice) {

        List<String> adviceLines() {
            return advice.lines().toList();
        }
    }

    /** The measurement of a test that exceeded its time limit. */
    record Stopped(String phase, List<String> devices, String counters, String threads) {}

    /** The state before a test was interrupted. */
    record Hang(Stopped recording, Limits limits) {

        List<String> devices() {
            return recording.devices().stream()
                    .map(device -> "before the interrupt, in %s: %s".formatted(recording.phase(), device))
                    .toList();
        }

        TruncatedList<String> lines() {
            String all = recording.counters().strip() + "\n\n" + recording.threads();
            return TruncatedList.of(all.lines().toList(), limits.lines());
        }
    }

    /** Returns the test. */
    public ReportedTest test() {
        return test;
    }

    /** Returns the display name. */
    public String name() {
        return test.id().name();
    }

    /** Returns the outcome. */
    public TestOutcome outcome() {
        return test.outcome();
    }

    /** Returns the outcome in capitals. A mistake in the test is no finding about the device. */
    public String verdict() {
        return test.isMistake() ? "MISTAKE IN TEST" : test.outcome().name();
    }

    /** Returns the tests that did not pass for the same cause; empty without any. */
    public Optional<Alike> alike() {
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(new Alike(new TruncatedList<>(
                        others.stream()
                                .limit(limits.lines())
                                .map(this::shortName)
                                .toList(),
                        Math.max(0, others.size() - limits.lines()))));
    }

    /** Returns a name without the part in common with this test, followed by what differs from it. */
    private String shortName(ReportedTest other) {
        int inside = name().lastIndexOf(INSIDE);
        String around = inside < 0 ? "" : name().substring(0, inside + INSIDE.length());
        String name = other.id().name();
        String actual = actual(other);
        return (other.isTest() ? "" : "class ")
                + (name.startsWith(around) ? name.substring(around.length()) : name)
                + (other.cores().equals(test.cores()) ? "" : onCores(other))
                + (actual.equals(actual(test)) ? "" : ": " + actual);
    }

    private static String actual(ReportedTest test) {
        return test.violations().stream().findFirst().map(Violation::actual).orElse("");
    }

    /** Returns the cores after the word "on"; empty without any. */
    public String onCores() {
        return onCores(test);
    }

    private static String onCores(ReportedTest test) {
        return test.cores().isEmpty() ? "" : " on " + CoreList.of(test.cores());
    }

    /**
     * Returns the heading of a failure. Without expectations, this is the whole message in one line; with expectations, only its first
     * line. Many assertion libraries begin their message in the line below the name of the exception.
     *
     * @return one line; empty when no reason is known
     */
    public Optional<String> reason() {
        Optional<String> reason = test.message()
                .map(text -> text.lines()
                        .limit(hasExpectations() ? 1 : Long.MAX_VALUE)
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .collect(Collectors.joining(" ")))
                .map(line -> Limits.bounded(line, Limits.CONSOLE.characters()));
        return reason.isEmpty() && test.outcome() == TestOutcome.LOST
                ? Optional.of("Its JVM ended before the test did.")
                : reason;
    }

    private boolean hasExpectations() {
        return !test.violations().isEmpty() || !test.undecided().isEmpty();
    }

    /** Checks whether the message consists of expectations. The message of a failed body does not contain any. */
    private boolean isOfExpectations() {
        String message = inOneLine(test.reason().orElse(""));
        return Stream.concat(
                        test.violations().stream()
                                .flatMap(each ->
                                        Stream.of(each.sentence(), each.subject() + " expected " + each.expected())),
                        test.undecided().stream().map(Undecided::reason))
                .anyMatch(each -> message.contains(inOneLine(each)));
    }

    private static String inOneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /** Checks whether the message contains more than the violated and undecided expectations, such as the failure of the body. */
    public boolean hasOwnReason() {
        return reason().isPresent() && !isOfExpectations();
    }

    /**
     * Returns the lines of the message, without empty lines.
     *
     * @return no lines for a message that repeats expectations
     */
    TruncatedList<String> ownReason() {
        List<String> lines = test.message().filter(text -> hasOwnReason()).stream()
                .flatMap(String::lines)
                .filter(line -> !line.isBlank())
                .map(line -> Limits.bounded(withoutTabs(line).stripTrailing(), limits.characters()))
                .toList();
        return TruncatedList.of(
                lines.isEmpty() && hasOwnReason() ? reason().stream().toList() : lines, limits.messageLines());
    }

    /** Replaces tabs with spaces up to the next tab stop, which keeps the columns of a table. */
    private static String withoutTabs(String line) {
        StringBuilder text = new StringBuilder();
        for (String part : line.split("(?<=\t)")) {
            text.append(part);
            if (part.endsWith("\t")) {
                int column = text.length() - 1;
                text.setLength(column);
                text.append(" ".repeat(TAB_STOP - column % TAB_STOP));
            }
        }
        return text.toString();
    }

    /** Returns the lines of a message with several lines; empty for a single line. */
    public List<String> message() {
        return test.reason()
                .map(reason -> Limits.bounded(reason.strip(), limits.characters())
                        .lines()
                        .toList())
                .filter(lines -> lines.size() > 1)
                .orElse(List.of());
    }

    /** Returns the violated expectations, each with its advice. */
    public TruncatedList<Expectation> expectations() {
        Set<String> advised = new HashSet<>();
        return TruncatedList.of(
                test.violations().stream()
                        .map(each -> new Expectation(each, advised.add(each.advice()) ? each.advice() : ""))
                        .toList(),
                limits.lines());
    }

    /** Returns the expectations that could not be judged, each once. */
    public TruncatedList<Undecided> undecided() {
        return TruncatedList.of(test.undecided().stream().distinct().toList(), limits.lines());
    }

    /** Returns the expectations that do not apply, with a sentence each. */
    public ReportPart notApplicable() {
        return ReportPart.of(
                "Not applicable",
                test.notApplicable().stream()
                        .map(each -> each.rule() + ": " + each.reason())
                        .distinct()
                        .toList(),
                limits);
    }

    /** Returns the comparisons with baselines, with a sentence each. */
    public TruncatedList<String> comparisonLines() {
        return TruncatedList.of(
                test.comparisons().stream()
                        .map(each -> new ComparisonView(each).sentence())
                        .toList(),
                limits.lines());
    }

    /** Returns the notices that do not repeat an undecided expectation, with a sentence each. */
    public ReportPart notices() {
        List<String> notices = test.notices().stream()
                .filter(notice ->
                        test.undecided().stream().map(Undecided::reason).noneMatch(notice::contains))
                .toList();
        return ReportPart.of("Also seen", notices, limits);
    }

    /** Returns the earlier attempts with their reasons, a phrase each. */
    public ReportPart attempts() {
        return ReportPart.of(
                "Earlier attempts", FlakyTest.attempts(test.attempts().orElse(List.of())), limits);
    }

    /** Returns "class " for a class, whose failure is not that of one test. */
    public String kind() {
        return test.isTest() ? "" : "class ";
    }

    /** Returns the prints of the device, one instance for each measurement. */
    public List<ParsedPrints> prints() {
        return recorded(ParsedPrints.KIND).map(ParsedPrints::of).toList();
    }

    /** Returns the outputs of models, one instance for each measurement. */
    public List<ParsedOutputs> outputs() {
        return recorded(ParsedOutputs.KIND).map(ParsedOutputs::of).toList();
    }

    /** Returns the prints that differ from the expected values, with a sentence each. */
    public ReportPart mismatches() {
        return ReportPart.of(
                "Prints that differ from what was expected",
                prints().stream().flatMap(each -> each.differences().stream()).toList(),
                limits);
    }

    List<Hang> hangs() {
        return recorded(TIMEOUT)
                .map(each -> new Hang(RecordReader.LENIENT.read(each, Stopped.class), limits))
                .toList();
    }

    /**
     * Returns the measurements of a kind.
     *
     * @param kind for example {@code counters}
     */
    protected final Stream<JsonObject> recorded(String kind) {
        return test.recordings().stream()
                .filter(each -> each.kind().equals(kind))
                .map(ReportedTest.Recorded::recording);
    }

    /** Returns the time and the host of the test, such as {@code took 3.2 s, waited 1.2 s for cores, on ip-10-0-0-7}. */
    public String course() {
        List<String> parts = new ArrayList<>(List.of("took " + DurationText.of(test.took())));
        if (test.waited().toMillis() > 0) {
            parts.add("waited %s for cores".formatted(DurationText.of(test.waited())));
        }
        test.lastPhase()
                .filter(phase -> test.outcome() == TestOutcome.LOST)
                .ifPresent(phase -> parts.add("last phase: " + phase.name().toLowerCase(Locale.ROOT)));
        test.attempts()
                .ifPresent(earlier -> parts.add("attempt %s of %s".formatted(earlier.size() + 1, earlier.size() + 1)));
        parts.add("on " + report.jvms().get(test.jvm()).host());
        return String.join(", ", parts);
    }

    /** Returns the command that repeats the test; empty when unknown. */
    public Optional<String> rerun() {
        return RerunCommand.of(report, test);
    }

    /** Returns the command that repeats the test on the recording of its host; empty without a recording. */
    public Optional<String> replay() {
        return RerunCommand.onRecording(report, test);
    }
}
