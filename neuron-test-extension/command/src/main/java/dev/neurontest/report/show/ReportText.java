package dev.neurontest.report.show;

import dev.neurontest.recording.Undecided;
import dev.neurontest.recording.Violation;
import dev.neurontest.report.CoreUse;
import dev.neurontest.report.FlakyTest;
import dev.neurontest.report.GateOutcome;
import dev.neurontest.report.HostError;
import dev.neurontest.report.Overview;
import dev.neurontest.report.PassedWithNotice;
import dev.neurontest.report.ReportedQuarantine;
import dev.neurontest.report.ReportedShards;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.RerunCommand;
import dev.neurontest.report.RunReport;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.terminal.Look;
import dev.neurontest.terminal.Style;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import dev.neurontest.text.RangeText;
import dev.neurontest.text.VisibleText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** A run on one screen of a console: gates, what failed and how to run it again, then what else is worth knowing. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportText {

    private static final int MOST_TESTS = 5;
    private static final int MOST_LINES = 4;

    /**
     * As RerunCommand quotes them: what stands between quotes is one word with its spaces. A class path has some ten thousand characters,
     * each of which must not be a call of its own.
     */
    private static final Pattern SHELL_WORD = Pattern.compile("(?:[^\\s'\\\\]++|\\\\.|'[^']*+')++");

    private static final String OPTION = "'?(-D|--).*|-[mc]";

    /** A command whose quotes a line break of ours would spoil. */
    private static final Pattern APPROVAL = Pattern.compile("To accept it: neuron-test [^\\p{Cntrl}]+");

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}$");

    private final Look look;
    private final RunReport report;
    private final List<GateOutcome> gates;
    private final Overview overview;
    private final StringBuilder text = new StringBuilder();

    private ReportText(RunReport report, List<GateOutcome> gates, Look look) {
        this.look = look;
        this.report = report;
        this.gates = gates;
        this.overview = Overview.of(report);
    }

    /**
     * Writes the report.
     *
     * @param report of the run
     * @param gates what they decided; none when no gates were given
     * @return lines of at most 120 characters, the last one ended too
     */
    public static String of(RunReport report, List<GateOutcome> gates) {
        return of(report, gates, Look.PLAIN);
    }

    /**
     * Writes the report for a terminal.
     *
     * @param report of the run
     * @param gates what they decided; none when no gates were given
     * @param look its width and colours
     * @return lines that fit there, the last one ended too
     */
    public static String of(RunReport report, List<GateOutcome> gates, Look look) {
        return new ReportText(report, gates, look).write();
    }

    private String write() {
        line(
                Style.HEADING,
                "Neuron Test report",
                ": %s of %s in %s"
                        .formatted(
                                CountText.of(overview.tests(), "test"),
                                CountText.of(report.jvms().size(), "JVM"),
                                DurationText.of(overview.took())));
        int outcomes = text.length();
        line("  ", overview.outcomesInWords());
        for (TestOutcome outcome : TestOutcome.values()) {
            style(outcomes, Pattern.compile("[0-9]+ " + outcome.name().toLowerCase(Locale.ROOT)), style(outcome));
        }
        some("  ", overview.platforms(), "platforms");
        ReportedShards.of(report.jvms()).balance(DurationText::of).ifPresent(shards -> line("  ", shards));
        gates();
        tests();
        some("baseline ", overview.comparisons().stream().map(Words::comparison).toList(), "comparisons");
        if (overview.comparedWell() > 0) {
            line("", "baselines: %s not worse".formatted(CountText.of(overview.comparedWell(), "metric")));
        }
        some(
                "skipped ",
                overview.skips().entrySet().stream()
                        .map(each -> "%s: %s".formatted(CountText.of(each.getValue(), "test"), each.getKey()))
                        .toList(),
                "reasons to skip");
        some("passed with a notice: ", PassedWithNotice.of(report), "notices of tests that passed");
        some("flaky: ", FlakyTest.of(report).stream().map(FlakyTest::toString).toList(), "flaky tests");
        suspects();
        some(
                "quarantine: ",
                report.quarantines().stream()
                        .filter(each -> !each.suspect())
                        .map(ReportText::quarantine)
                        .toList(),
                "quarantines");
        some(
                "error counter: ",
                report.hostErrors().stream().map(HostError::toString).toList(),
                "error counters");
        devices();
        overview.longestWait()
                .ifPresent(test -> line(
                        "",
                        "waited for cores: %s in all, at most %s (%s)"
                                .formatted(
                                        DurationText.of(overview.waited()),
                                        DurationText.of(test.waited()),
                                        test.id().name())));
        some("notice: ", report.notices(), "notices");
        some("problem: ", report.problems(), "problems");
        return text.toString();
    }

    private void gates() {
        if (gates.isEmpty()) {
            return;
        }
        List<GateOutcome> failed = gates.stream().filter(gate -> !gate.passed()).toList();
        if (failed.isEmpty()) {
            line(
                    Style.PASSED,
                    "GATES PASSED",
                    ": " + gates.stream().map(GateOutcome::gate).collect(Collectors.joining(", ")));
        } else {
            line(Style.FAILED, "GATES FAILED", ": %s of %s".formatted(failed.size(), gates.size()));
        }
        for (GateOutcome gate : failed) {
            line("  ", "%s: expected %s, was %s".formatted(gate.gate(), gate.expected(), gate.actual()));
            line("    ", gate.advice());
        }
    }

    private void tests() {
        List<ReportedTest> bad = report.tests().stream()
                .filter(test -> test.outcome().compareTo(TestOutcome.UNDECIDED) <= 0)
                .toList();
        bad.stream().limit(MOST_TESTS).forEach(this::test);
        if (!bad.isEmpty()) {
            text.append('\n');
        }
        if (bad.size() > MOST_TESTS) {
            line("", "and %s more that failed, were lost or are undecided".formatted(bad.size() - MOST_TESTS));
        }
    }

    private void test(ReportedTest test) {
        text.append('\n');
        line(
                style(test.outcome()),
                test.outcome().toString(),
                " %s%s (%s)"
                        .formatted(
                                test.id().name(),
                                test.cores().isEmpty() ? "" : " on " + String.join(", ", test.cores()),
                                DurationText.of(test.took())));
        if (test.violations().isEmpty() && test.undecided().isEmpty()) {
            test.reason().ifPresent(reason -> line("  ", reason));
        }
        some("  ", test.violations().stream().map(ReportText::violation).toList(), "violations");
        test.violations().stream()
                .map(Violation::advice)
                .distinct()
                .limit(2)
                .flatMap(String::lines)
                .forEach(this::advice);
        some(
                "  undecided: ",
                test.undecided().stream().map(ReportText::undecided).distinct().toList(),
                "undecided");
        some(
                "  ",
                test.notices().stream()
                        // that it passed all the same, with the reason that stands above
                        .filter(notice ->
                                test.undecided().stream().map(Undecided::reason).noneMatch(notice::contains))
                        .toList(),
                "notices");
        RerunCommand.of(report, test).ifPresent(command -> command("  rerun: ", command));
        RerunCommand.onRecording(report, test).ifPresent(command -> command("  replay: ", command));
    }

    private void advice(String advice) {
        if (APPROVAL.matcher(advice).matches()) {
            text.append("    ")
                    .append(
                            advice.length() + 4 <= look.width()
                                    ? advice
                                    : advice.replaceAll(" (--(directory|output|only|note) ')", " \\\\\n        $1"))
                    .append('\n');
        } else {
            line("    ", advice);
        }
    }

    private static String violation(Violation violation) {
        return "%s: expected %s, was %s".formatted(violation.subject(), violation.expected(), violation.actual());
    }

    private static String undecided(Undecided undecided) {
        return "%s: %s".formatted(undecided.subject(), undecided.reason());
    }

    private void suspects() {
        List<ReportedQuarantine> suspects = report.quarantines().stream()
                .filter(ReportedQuarantine::suspect)
                .toList();
        long cores = suspects.stream()
                .map(each -> each.host() + " " + each.core())
                .distinct()
                .count();
        String title = CountText.of(cores, "core") + " suspect:";
        List<String> texts = suspects.stream().map(ReportText::quarantine).toList();
        if (texts.size() == 1) {
            line("", title + " " + texts.get(0));
        } else if (!texts.isEmpty()) {
            line("", title);
            some("  ", texts, "suspicions");
        }
    }

    private static String quarantine(ReportedQuarantine quarantine) {
        return "%s of %s after %s: %s%s"
                .formatted(
                        quarantine.core(),
                        quarantine.host(),
                        quarantine.test(),
                        quarantine.reason(),
                        quarantine.ended().map(how -> "; over: " + how).orElse(""));
    }

    private void devices() {
        Map<String, List<CoreUse>> devices = new LinkedHashMap<>();
        CoreUse.of(report)
                .forEach(core -> devices.computeIfAbsent(core.host() + " " + core.device(), absent -> new ArrayList<>())
                        .add(core));
        some(
                "",
                devices.entrySet().stream()
                        .map(each -> device(each.getKey(), each.getValue()))
                        .toList(),
                "devices");
    }

    /** Cores that did the same are told as one: tests on many cores use all of them alike. */
    private static String device(String name, List<CoreUse> cores) {
        Map<String, List<CoreUse>> alike =
                cores.stream().collect(Collectors.groupingBy(ReportText::use, LinkedHashMap::new, Collectors.toList()));
        return name + ": "
                + alike.entrySet().stream()
                        .map(each -> names(each.getValue()) + each.getKey())
                        .collect(Collectors.joining("; "));
    }

    private static String names(List<CoreUse> cores) {
        List<String> names = cores.stream().map(ReportText::name).toList();
        if (names.size() == 1) {
            return names.get(0) + " ";
        }
        String kind = NUMBER.matcher(names.get(0)).replaceFirst("");
        List<Integer> numbers = names.stream()
                .filter(each -> each.startsWith(kind))
                .map(each -> each.substring(kind.length()))
                .filter(each -> NUMBER.matcher(each).matches())
                .map(Integer::valueOf)
                .toList();
        // A run file of another version may call its cores otherwise.
        return (numbers.size() < names.size()
                        ? String.join(", ", names)
                        : (kind.equals("core ") ? "cores " : kind) + RangeText.of(numbers))
                + " each ";
    }

    private static String name(CoreUse core) {
        return core.core().startsWith("core ")
                ? core.core().substring(0, core.core().indexOf(" ("))
                : core.core().substring(core.core().indexOf('/') + 1);
    }

    private static String use(CoreUse core) {
        return "%s in %s%s"
                .formatted(
                        CountText.of(core.tests(), "test"),
                        DurationText.of(core.used()),
                        core.failed() == 0 ? "" : ", " + core.failed() + " failed");
    }

    private void some(String prefix, List<String> lines, String what) {
        int shown = lines.size() <= MOST_LINES ? lines.size() : MOST_LINES - 1;
        lines.subList(0, shown).forEach(each -> {
            if (prefix.startsWith(" ") || prefix.isEmpty()) {
                line(prefix, each);
            } else {
                line(Style.UNDECIDED, prefix.strip(), " " + each);
            }
        });
        if (shown < lines.size()) {
            line(prefix.isBlank() ? prefix : "  ", "and %s more %s".formatted(lines.size() - shown, what));
        }
    }

    private static Style style(TestOutcome outcome) {
        return switch (outcome) {
            case PASSED -> Style.PASSED;
            case FAILED, LOST -> Style.FAILED;
            default -> Style.UNDECIDED;
        };
    }

    /** A line whose first words, which are ours, are coloured once nothing of what follows can be sent to the terminal. */
    private void line(Style style, String lead, String rest) {
        int begin = text.length();
        line("", lead + rest);
        style(begin, Pattern.compile("\\G" + Pattern.quote(lead)), style);
    }

    private void style(int begin, Pattern words, Style style) {
        Matcher found = words.matcher(text);
        if (found.find(begin)) {
            text.replace(found.start(), found.end(), look.show(style, found.group()));
        }
    }

    /** Long text goes on below, for two more lines at most; for more where lines are short. */
    private void line(String prefix, String content) {
        String rest = plain(prefix + content);
        String indent = " ".repeat(prefix.length() - prefix.stripLeading().length() + 4);
        for (int number = 1; !rest.isEmpty(); number++) {
            if (rest.length() <= look.width()) {
                text.append(rest).append('\n');
                return;
            }
            if (number == (MOST_LINES - 1) * Look.WIDEST / look.width()) {
                text.append(rest, 0, end(rest, look.width() - 1)).append("\u2026\n");
                return;
            }
            int space = rest.lastIndexOf(' ', look.width());
            int wordEnd = rest.indexOf(' ', space + 1);
            int word = (wordEnd < 0 ? rest.length() : wordEnd) - space;
            // a path that fits into a line of its own can be copied from there
            boolean fits = !rest.substring(0, Math.max(space, 0)).isBlank() && indent.length() + word <= look.width();
            int end = space > look.width() / 2 || fits ? space : end(rest, look.width());
            text.append(rest, 0, end).append('\n');
            rest = indent + rest.substring(end).strip();
        }
    }

    /** A command is never cut: it goes on below in a way that a shell understands. */
    private void command(String prefix, String command) {
        boolean fits = prefix.length() + command.length() <= look.width();
        text.append(prefix)
                .append(
                        fits
                                ? command
                                : SHELL_WORD
                                        .matcher(command)
                                        .results()
                                        .map(MatchResult::group)
                                        .map(word -> word.matches(OPTION) ? "\\\n      " + word : word)
                                        .collect(Collectors.joining(" ")))
                .append('\n');
    }

    /** Half a character is none. */
    private static int end(String line, int wanted) {
        return Character.isHighSurrogate(line.charAt(wanted - 1)) ? wanted - 1 : wanted;
    }

    /** Names come from outside: nothing of them is to move the cursor. */
    private static String plain(String content) {
        return VisibleText.line(content.replaceAll("\\s*\\R\\s*|\t", " "));
    }
}
