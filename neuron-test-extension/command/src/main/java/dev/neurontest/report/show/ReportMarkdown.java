package dev.neurontest.report.show;

import dev.neurontest.json.JsonObject;
import dev.neurontest.json.JsonValue;
import dev.neurontest.recording.Violation;
import dev.neurontest.report.CoreUse;
import dev.neurontest.report.FlakyTest;
import dev.neurontest.report.GateOutcome;
import dev.neurontest.report.HostError;
import dev.neurontest.report.Overview;
import dev.neurontest.report.PassedWithNotice;
import dev.neurontest.report.RecordedPrints;
import dev.neurontest.report.ReportedShards;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.RerunCommand;
import dev.neurontest.report.RunReport;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.report.compare.RunChanges;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import dev.neurontest.text.VisibleText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A run as the summary of a CI job, in the Markdown of GitHub; GitLab and Gitea show the same. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportMarkdown {

    /** GitHub refuses the summary of a step that has more bytes than a mebibyte; what else the step writes has room, too. */
    private static final int MOST_BYTES = 1_000_000;

    /** Leaves room for what comes after them. */
    private static final int MOST_BYTES_OF_TESTS = 600_000;

    /** Of the recording of a test whose time was over. */
    private static final String TIMEOUT = "timeout";

    private static final int MOST_ROWS = 50;
    private static final int MOST_LINES = 200;
    private static final int LONGEST = 2_000;
    private static final int LONGEST_MESSAGE = 8_000;
    private static final String ELSEWHERE = "The report as HTML and as JSON has more.";
    private static final String SPECIAL = "&<>|*_`[]\\~#$@";

    private final RunReport report;
    private final List<GateOutcome> gates;
    private final Optional<RunChanges> changes;
    private final Overview overview;
    private final List<String> leftOut = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int bytes;

    private ReportMarkdown(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes) {
        this.report = report;
        this.gates = gates;
        this.changes = changes;
        this.overview = Overview.of(report);
    }

    /**
     * Writes the summary.
     *
     * @param report of the run
     * @param gates what they decided; none when no gates were given
     * @return Markdown, bounded so that a job page takes it; what is from outside is escaped
     */
    public static String of(RunReport report, List<GateOutcome> gates) {
        return of(report, gates, Optional.empty());
    }

    /**
     * Writes the summary, with what is different from an earlier run.
     *
     * @param report of the run
     * @param gates what they decided; none when no gates were given
     * @param changes since an earlier run; empty where it is compared with none
     * @return Markdown, bounded so that a job page takes it; what is from outside is escaped
     */
    public static String of(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes) {
        return new ReportMarkdown(report, gates, changes).write();
    }

    private String write() {
        boolean failed = gates.stream().anyMatch(gate -> !gate.passed());
        String verdict = gates.isEmpty() ? "" : failed ? ": gates failed" : ": gates passed";
        text.append("## Neuron Test%s\n\n".formatted(verdict));
        text.append("%s of %s in %s: **%s**\n\n"
                .formatted(
                        CountText.of(overview.tests(), "test"),
                        CountText.of(report.jvms().size(), "JVM"),
                        DurationText.of(overview.took()),
                        overview.outcomesInWords()));
        part("platforms", () -> items(overview.platforms()));
        part("gates", this::gates);
        changes.ifPresent(
                each -> part("what is different from the earlier run", () -> text.append(ChangesMarkdown.of(each))));
        tests();
        folded(
                "Baselines",
                overview.comparisons().stream().map(Words::comparison).toList());
        folded(
                "Skipped",
                overview.skips().entrySet().stream()
                        .map(each -> "%s: %s".formatted(CountText.of(each.getValue(), "test"), each.getKey()))
                        .toList());
        folded("Passed with a notice", PassedWithNotice.of(report));
        folded("Flaky", FlakyTest.of(report).stream().map(FlakyTest::toString).toList());
        part("shards", this::shards);
        part("cores", this::cores);
        folded(
                "Error counters of hosts",
                report.hostErrors().stream().map(HostError::toString).toList());
        folded("Notices", report.notices());
        folded("Problems of this report", report.problems());
        if (!leftOut.isEmpty()) {
            text.append("A summary has at most %s bytes. Left out: %s. %s\n"
                    .formatted(MOST_BYTES, String.join(", ", leftOut), ELSEWHERE));
        }
        return text.toString();
    }

    private void part(String name, Runnable writes) {
        if (!fits(MOST_BYTES, writes)) {
            leftOut.add(name);
        }
    }

    /** Keeps what is written only where it fits as a whole: half a table is none. */
    private boolean fits(int most, Runnable writes) {
        int begin = text.length();
        writes.run();
        int size = text.substring(begin).getBytes(StandardCharsets.UTF_8).length;
        if (bytes + size > most) {
            text.setLength(begin);
            return false;
        }
        bytes += size;
        return true;
    }

    private void gates() {
        if (gates.isEmpty()) {
            return;
        }
        table(
                List.of("Gate", "", "Expected", "Was", "What to do"),
                gates.stream()
                        .map(gate -> List.of(
                                gate.gate(),
                                gate.passed() ? "passed" : "FAILED",
                                gate.expected(),
                                gate.actual(),
                                gate.advice()))
                        .toList());
    }

    /** Those of the first rows in full, then one line each, then their number. */
    private void tests() {
        List<ReportedTest> bad = report.tests().stream()
                .filter(test -> test.outcome().compareTo(TestOutcome.UNDECIDED) <= 0)
                .toList();
        int full = 0;
        while (full < Math.min(bad.size(), MOST_ROWS)) {
            ReportedTest test = bad.get(full);
            boolean open = full == 0;
            if (!fits(MOST_BYTES_OF_TESTS, () -> test(test, open))) {
                break;
            }
            full++;
        }
        List<ReportedTest> rest = bad.subList(full, bad.size());
        int lines = Math.min(rest.size(), MOST_LINES);
        while (lines > 0 && !lines(rest.subList(0, lines))) {
            lines /= 2;
        }
        if (lines < rest.size()) {
            text.append("And %s more that failed, were lost or are undecided. %s\n\n"
                    .formatted(rest.size() - lines, ELSEWHERE));
        }
    }

    private boolean lines(List<ReportedTest> tests) {
        return fits(MOST_BYTES_OF_TESTS, () -> {
            begin("More that failed, were lost or are undecided (%s)".formatted(tests.size()));
            tests.forEach(test -> item("%s %s%s%s"
                    .formatted(
                            test.outcome(),
                            test.id().name(),
                            onCores(test),
                            firstLine(test).map(line -> ": " + line).orElse(""))));
            text.append('\n');
            end();
        });
    }

    private static String onCores(ReportedTest test) {
        return test.cores().isEmpty() ? "" : " on " + String.join(", ", test.cores());
    }

    private static Optional<String> firstLine(ReportedTest test) {
        return test.reason().flatMap(reason -> reason.strip().lines().findFirst());
    }

    private void test(ReportedTest test, boolean open) {
        text.append("<details%s><summary><b>%s</b> %s</summary>\n\n"
                .formatted(open ? " open" : "", test.outcome(), escape(test.id().name() + onCores(test))));
        List<String> more = new ArrayList<>(firstLine(test).stream().toList());
        if (!test.violations().isEmpty()) {
            items(more);
            more.clear();
            table(
                    List.of("Demand", "Subject", "Expected", "Was", "What to do"),
                    test.violations().stream().map(ReportMarkdown::violation).toList());
        }
        List<RecordedPrints> prints =
                recorded(test, RecordedPrints.KIND).map(RecordedPrints::of).toList();
        List<JsonValue> hangs = recorded(test, TIMEOUT).map(JsonValue::of).toList();
        hangs.forEach(hang -> hang.texts("devices")
                .forEach(device -> more.add("before the interrupt, in %s: %s".formatted(hang.text("phase"), device))));
        test.undecided().forEach(each -> more.add("undecided: %s: %s".formatted(each.subject(), each.reason())));
        prints.forEach(each -> more.addAll(each.mismatches()));
        test.comparisons().forEach(each -> more.add(Words.comparison(each)));
        more.addAll(test.notices());
        more.add(when(test));
        items(more);
        prints.forEach(this::prints);
        hangs.forEach(hang -> {
            begin("Counters and threads before the interrupt");
            pre(bounded(hang.text("counters").strip(), LONGEST) + "\n\n" + bounded(hang.text("threads"), LONGEST));
            end();
        });
        test.reason()
                .map(String::strip)
                .filter(reason -> reason.lines().count() > 1)
                .ifPresent(reason -> {
                    begin("The whole message");
                    pre(reason);
                    end();
                });
        RerunCommand.of(report, test).ifPresent(this::pre);
        RerunCommand.onRecording(report, test).ifPresent(this::pre);
        text.append("</details>\n\n");
    }

    private static Stream<JsonObject> recorded(ReportedTest test, String kind) {
        return test.recordings().stream()
                .filter(each -> each.kind().equals(kind))
                .map(ReportedTest.Recorded::recording);
    }

    private String when(ReportedTest test) {
        return "took %s%s%s, on %s"
                .formatted(
                        DurationText.of(test.took()),
                        test.waited().toMillis() == 0
                                ? ""
                                : ", waited %s for cores".formatted(DurationText.of(test.waited())),
                        test.lastPhase()
                                .filter(phase -> test.outcome() == TestOutcome.LOST)
                                .map(phase -> ", last seen in " + Words.word(phase))
                                .orElse(""),
                        report.jvms().get(test.jvm()).host());
    }

    private void prints(RecordedPrints prints) {
        if (prints.prints().isEmpty()) {
            return;
        }
        text.append(prints.caption()).append("\n\n");
        table(
                List.of("Arrived", "Core", "Print", "Values"),
                prints.last().stream()
                        .map(each -> List.of(each.clock(), each.core(), each.prefix(), each.values()))
                        .toList());
    }

    /** As it is, line by line. */
    private void pre(String content) {
        text.append("<pre>");
        text.append(bounded(content, LONGEST_MESSAGE)
                .lines()
                .map(ReportMarkdown::escaped)
                .collect(Collectors.joining("\n")));
        text.append("</pre>\n\n");
    }

    private static List<String> violation(Violation violation) {
        return List.of(
                violation.rule(), violation.subject(), violation.expected(), violation.actual(), violation.advice());
    }

    private void shards() {
        ReportedShards shards = ReportedShards.of(report.jvms());
        Map<Integer, Long> tests = report.testsByJvm();
        shards.balance(DurationText::of).ifPresent(balance -> {
            begin("Shards: " + balance);
            table(
                    List.of("Shard", "Machine", "Host", "Tests", "Took", "State"),
                    shards.attempts().stream()
                            .map(attempt -> List.of(
                                    attempt.name(),
                                    attempt.place(),
                                    attempt.host(),
                                    String.valueOf(attempt.tests(tests)),
                                    DurationText.of(attempt.took()),
                                    shards.state(attempt)))
                            .toList());
            end();
        });
    }

    private void cores() {
        List<CoreUse> cores = CoreUse.of(report);
        if (cores.isEmpty()) {
            return;
        }
        begin("Cores");
        table(
                List.of("Host", "Core", "Tests", "Failed", "Used", "Quarantine"),
                cores.stream().map(ReportMarkdown::core).toList());
        end();
    }

    private static List<String> core(CoreUse core) {
        return List.of(
                core.host(),
                core.core(),
                String.valueOf(core.tests()),
                String.valueOf(core.failed()),
                DurationText.of(core.used()),
                core.quarantines().stream()
                        .map(each -> (each.suspect() ? "suspect: " : "")
                                + each.reason()
                                + each.ended().map(how -> "; over: " + how).orElse(""))
                        .collect(Collectors.joining("; ")));
    }

    private void folded(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            String heading = "%s (%s)".formatted(title, lines.size());
            part(heading, () -> {
                begin(heading);
                items(lines);
                end();
            });
        }
    }

    private void begin(String title) {
        text.append("<details><summary>").append(title).append("</summary>\n\n");
    }

    private void end() {
        text.append("</details>\n\n");
    }

    private void items(List<String> lines) {
        lines.stream().limit(MOST_ROWS).forEach(this::item);
        if (lines.size() > MOST_ROWS) {
            text.append("- and %s more\n".formatted(lines.size() - MOST_ROWS));
        }
        text.append(lines.isEmpty() ? "" : "\n");
    }

    private void item(String line) {
        text.append("- ").append(escape(line)).append('\n');
    }

    private void table(List<String> headings, List<List<String>> rows) {
        row(headings);
        row(headings.stream().map(heading -> "---").toList());
        rows.stream()
                .limit(MOST_ROWS)
                .map(row -> row.stream().map(ReportMarkdown::escape).toList())
                .forEach(this::row);
        text.append('\n');
        if (rows.size() > MOST_ROWS) {
            text.append("And %s more.\n\n".formatted(rows.size() - MOST_ROWS));
        }
    }

    private void row(List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** One line, as long as one may be. */
    static String escape(String content) {
        return escaped(bounded(content, LONGEST));
    }

    private static String bounded(String content, int longest) {
        return content.length() <= longest
                ? content
                : content.substring(0, content.offsetByCodePoints(0, content.codePointCount(0, longest) - 1))
                        + "\u2026";
    }

    /** As character references, which mean the same in Markdown, in its tables and in HTML. */
    private static String escaped(String content) {
        StringBuilder escaped = new StringBuilder();
        content.codePoints().forEach(point -> {
            if (point < 128 && SPECIAL.indexOf(point) >= 0) {
                escaped.append("&#").append(point).append(';');
            } else {
                escaped.append(point == '\n' || point == '\t' ? " " : VisibleText.line(Character.toString(point)));
            }
        });
        return escaped.toString();
    }
}
