package dev.neurontest.report.show;

import dev.neurontest.recording.Violation;
import dev.neurontest.report.CoreUse;
import dev.neurontest.report.FlakyTest;
import dev.neurontest.report.GateOutcome;
import dev.neurontest.report.Overview;
import dev.neurontest.report.PassedWithNotice;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.RerunCommand;
import dev.neurontest.report.RunReport;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.report.compare.RunChanges;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import dev.neurontest.text.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** A run as the summary of a CI job, in the Markdown of GitHub; GitLab and Gitea show the same. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportMarkdown {

    /** GitHub takes a mebibyte for a whole job. */
    private static final int MOST_CHARACTERS = 200_000;

    private static final int MOST_ROWS = 50;
    private static final int LONGEST = 2_000;
    private static final String SPECIAL = "&<>|*_`[]\\~#$@";

    private final RunReport report;
    private final List<GateOutcome> gates;
    private final Optional<RunChanges> changes;
    private final Overview overview;
    private final StringBuilder text = new StringBuilder();

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
        items(overview.platforms());
        gates();
        changes.map(ChangesMarkdown::of).ifPresent(text::append);
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
        cores();
        folded(
                "Error counters of hosts",
                report.hostErrors().stream().map(Words::hostError).toList());
        folded("Notices", report.notices());
        folded("Problems of this report", report.problems());
        return text.toString();
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

    private void tests() {
        List<ReportedTest> bad = report.tests().stream()
                .filter(test -> test.outcome().compareTo(TestOutcome.UNDECIDED) <= 0)
                .toList();
        int shown = 0;
        for (ReportedTest test : bad) {
            if (shown == MOST_ROWS || text.length() > MOST_CHARACTERS) {
                break;
            }
            test(test, shown++ == 0);
        }
        if (shown < bad.size()) {
            text.append("And %d more that failed, were lost or are undecided.\n\n".formatted(bad.size() - shown));
        }
    }

    private void test(ReportedTest test, boolean open) {
        text.append("<details%s><summary><b>%s</b> %s%s</summary>\n\n"
                .formatted(
                        open ? " open" : "",
                        test.outcome(),
                        escape(test.id().name()),
                        test.cores().isEmpty() ? "" : " on " + escape(String.join(", ", test.cores()))));
        if (test.violations().isEmpty() && test.undecided().isEmpty()) {
            items(test.reason().stream().toList());
        }
        if (!test.violations().isEmpty()) {
            table(
                    List.of("Subject", "Expected", "Was", "What to do"),
                    test.violations().stream().map(ReportMarkdown::violation).toList());
        }
        List<String> more = new ArrayList<>();
        test.undecided().forEach(each -> more.add("undecided: %s: %s".formatted(each.subject(), each.reason())));
        test.comparisons().forEach(each -> more.add(Words.comparison(each)));
        more.addAll(test.notices());
        items(more);
        RerunCommand.of(report, test)
                .ifPresent(
                        command -> text.append("<pre>").append(escape(command)).append("</pre>\n\n"));
        text.append("</details>\n\n");
    }

    private static List<String> violation(Violation violation) {
        return List.of(violation.subject(), violation.expected(), violation.actual(), violation.advice());
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
                        .map(each -> each.reason()
                                + each.ended().map(how -> "; over: " + how).orElse(""))
                        .collect(Collectors.joining("; ")));
    }

    private void folded(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            begin("%s (%d)".formatted(title, lines.size()));
            items(lines);
            end();
        }
    }

    private void begin(String title) {
        text.append("<details><summary>").append(title).append("</summary>\n\n");
    }

    private void end() {
        text.append("</details>\n\n");
    }

    private void items(List<String> lines) {
        lines.stream()
                .limit(MOST_ROWS)
                .forEach(line -> text.append("- ").append(escape(line)).append('\n'));
        if (lines.size() > MOST_ROWS) {
            text.append("- and %d more\n".formatted(lines.size() - MOST_ROWS));
        }
        text.append(lines.isEmpty() ? "" : "\n");
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
            text.append("And %d more.\n\n".formatted(rows.size() - MOST_ROWS));
        }
    }

    private void row(List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** As character references, which mean the same in Markdown, in its tables and in HTML. */
    static String escape(String content) {
        StringBuilder escaped = new StringBuilder();
        int end = content.length() <= LONGEST
                ? content.length()
                : content.offsetByCodePoints(0, content.codePointCount(0, LONGEST) - 1);
        content.substring(0, end).codePoints().forEach(point -> {
            if (point < 128 && SPECIAL.indexOf(point) >= 0) {
                escaped.append("&#").append(point).append(';');
            } else {
                escaped.append(point == '\n' || point == '\t' ? " " : VisibleText.line(Character.toString(point)));
            }
        });
        return end < content.length() ? escaped.append('\u2026').toString() : escaped.toString();
    }
}
