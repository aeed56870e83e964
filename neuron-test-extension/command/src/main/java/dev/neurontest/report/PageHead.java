package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.paragraph;

import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a reader sees first: whether the run is good, how much of it there is, and where it ran. */
final class PageHead {

    private static final List<TestOutcome> WRONG = List.of(TestOutcome.FAILED, TestOutcome.LOST, TestOutcome.UNDECIDED);
    private static final Pattern SECTION = Pattern.compile("<section id=\"([a-z]+)\">\n<h2>([^<]*)</h2>");

    private final RunReport report;
    private final List<GateOutcome> gates;
    private final Overview overview;

    PageHead(RunReport report, List<GateOutcome> gates) {
        this.report = report;
        this.gates = gates;
        this.overview = Overview.of(report);
    }

    String title() {
        return verdict() + ": " + headline();
    }

    /** Gates decide where there are any, but never that nothing is good. */
    private String verdict() {
        if (overview.outcomes().keySet().stream().allMatch(TestOutcome.SKIPPED::equals)) {
            return "Nothing ran";
        }
        boolean failed = gates.isEmpty()
                ? report.tests().stream().anyMatch(CoreStory::isBad)
                : gates.stream().anyMatch(gate -> !gate.passed());
        return failed ? "Failed" : "Passed";
    }

    private String headline() {
        Map<TestOutcome, Long> outcomes = overview.outcomes();
        String wrong = WRONG.stream()
                .filter(outcomes::containsKey)
                .map(outcome -> outcomes.get(outcome) + " " + PageText.name(outcome))
                .collect(Collectors.joining(", "));
        String all = CountText.of(overview.tests(), "test");
        return wrong.isEmpty() ? all + ", none failed" : wrong + " of " + all;
    }

    /**
     * The head of the page.
     *
     * @param sections what is below it, to be led to
     */
    String html(String sections) {
        String tiles = overview.outcomes().entrySet().stream()
                .map(each -> "<div class=\"tile %1$s\"><b>%2$d</b><span>%1$s</span></div>\n"
                        .formatted(PageText.name(each.getKey()), each.getValue()))
                .collect(Collectors.joining());
        return "<header>\n<h1><span class=\"verdict %s\">%s</span> %s</h1>\n"
                        .formatted(verdict().equals("Passed") ? "passed" : "failed", verdict(), escape(headline()))
                + overview.platforms().stream()
                        .map(platform -> paragraph("mute", platform))
                        .collect(Collectors.joining())
                + overview.started().map(this::when).orElse("")
                + "<div class=\"tiles\">\n%s</div>\n%s</header>\n".formatted(tiles, navigation(sections));
    }

    private String when(Instant started) {
        String waited = overview.longestWait()
                .map(test -> "; tests waited %s for cores, at most %s"
                        .formatted(DurationText.of(overview.waited()), DurationText.of(test.waited())))
                .orElse("");
        return "<p class=\"mute\">%s, %s to %s UTC, %s in %s%s</p>\n"
                .formatted(
                        PageText.day(started),
                        PageText.clock(started),
                        PageText.clock(started.plus(overview.took())),
                        DurationText.of(overview.took()),
                        CountText.of(report.jvms().size(), "JVM"),
                        waited);
    }

    private static String navigation(String sections) {
        return SECTION.matcher(sections)
                .results()
                .map(section -> "<a href=\"#%s\">%s</a>".formatted(section.group(1), section.group(2)))
                .collect(Collectors.joining("\n", "<nav aria-label=\"Parts of this page\">\n", "\n</nav>\n"));
    }

    /** Those that did not pass with what to do, the others folded. */
    String gates() {
        StringBuilder html = new StringBuilder();
        PageTable passed = PageTable.cards("", "Gate", "Expected", "Actual");
        for (GateOutcome gate : gates) {
            if (gate.passed()) {
                passed.row(gate.gate(), gate.expected(), gate.actual());
            } else {
                html.append("<div class=\"gate\">%s <b>%s</b> expected %s, was %s%s</div>\n"
                        .formatted(
                                PageText.badge("failed", "not passed"),
                                escape(gate.gate()),
                                escape(gate.expected()),
                                escape(gate.actual()),
                                paragraph("mute", gate.advice())));
            }
        }
        long count = gates.stream().filter(GateOutcome::passed).count();
        return html + PageText.folded(CountText.of(count, "gate") + " passed", passed.html());
    }
}
