package dev.neurontest.internal.report.show;

import dev.neurontest.internal.page.PageTemplate;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.compare.RunChanges;
import dev.neurontest.internal.terminal.Style;
import dev.neurontest.internal.terminal.TerminalStyle;
import dev.neurontest.internal.text.VisibleText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Writer of a run as text for one screen of a console. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportText {

    private static final PageTemplate TEMPLATE = PageTemplate.ofText(ReportText.class, "console", ReportText::escaped);

    /** Lines with commands for a shell. They are only broken at places where a shell continues the command. */
    private static final Pattern COMMAND = Pattern.compile(" +(rerun|replay|To accept it): ");

    /**
     * Pattern of a word of a shell command. It is possessive, because a class path has some ten thousand characters, and a recursive call
     * for each of them would be too deep.
     */
    private static final Pattern SHELL_WORD = Pattern.compile("(?:[^\\s'\\\\]++|\\\\.|'[^']*+')++");

    private static final String OPTION = "'?(-D|--).*|-[mc]";

    /** Words at the beginning of a line that are highlighted, by style. */
    private static final Map<Style, Pattern> LEADS = Map.of(
            Style.HEADING, Pattern.compile("^(Neuron Test report|Compared with)"),
            Style.PASSED, Pattern.compile("^GATES PASSED"),
            Style.FAILED, Pattern.compile("^(GATES FAILED|FAILED|LOST|MISTAKE IN TEST)"),
            Style.UNDECIDED,
                    Pattern.compile(
                            "^(UNDECIDED|baseline|skipped|simulated:|not applicable:|passed with a notice:|flaky:|suspect:|quarantine:|error counter:|notice:|problem:)"));

    private static final Map<Style, Pattern> OUTCOMES = Map.of(
            Style.PASSED, Pattern.compile("[0-9]+ passed"),
            Style.FAILED, Pattern.compile("[0-9]+ (failed|lost)"),
            Style.UNDECIDED, Pattern.compile("[0-9]+ (undecided|aborted|skipped|expectations? not applicable)"));

    private ReportText() {}

    /**
     * Writes the report.
     *
     * @param gates verdicts of the gates; empty when there are no gates
     * @param changes changes since an earlier run; empty without a comparison
     * @param style width and colours of the console
     * @return lines for this width, each with a line feed
     */
    public static String of(
            RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes, TerminalStyle style) {
        List<String> lines = TEMPLATE.fill(new ReportView(report, gates, changes, Limits.CONSOLE))
                .lines()
                .toList();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            text.append(coloured(folded(lines.get(i), style), i == 1 ? OUTCOMES : LEADS, style))
                    .append('\n');
        }
        return text.toString();
    }

    private static String escaped(String content) {
        return VisibleText.line(content.replaceAll("\\s*\\R\\s*|\t", " "));
    }

    private static String folded(String line, TerminalStyle style) {
        String indent = " ".repeat(line.length() - line.stripLeading().length() + 4);
        if (!COMMAND.matcher(line).lookingAt()) {
            return style.folded(Limits.bounded(line, Limits.CONSOLE.characters()), indent);
        }
        String start = line.substring(0, indent.length() - 4);
        return line.length() <= style.width()
                ? line
                : SHELL_WORD
                        .matcher(line)
                        .results()
                        .map(MatchResult::group)
                        .map(word -> word.matches(OPTION) ? "\\\n" + indent + word : word)
                        .collect(Collectors.joining(" ", start, ""));
    }

    private static String coloured(String text, Map<Style, Pattern> words, TerminalStyle style) {
        String coloured = text;
        for (Map.Entry<Style, Pattern> each : words.entrySet()) {
            coloured = each.getValue()
                    .matcher(coloured)
                    .replaceAll(word -> Matcher.quoteReplacement(style.show(each.getKey(), word.group())));
        }
        return coloured;
    }
}
