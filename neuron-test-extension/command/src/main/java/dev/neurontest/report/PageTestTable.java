package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.report.PageText.isolated;

import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of all tests. It is complete without the script, which sorts and filters it. */
final class PageTestTable {

    private static final int LONGEST_REASON = 160;

    private final List<ReportedTest> tests;
    private final CoreStory story;
    private final PageLinks links;

    PageTestTable(List<ReportedTest> tests, CoreStory story, PageLinks links) {
        this.tests = tests;
        this.story = story;
        this.links = links;
    }

    /**
     * The table with its filters.
     *
     * @param details where more is said of a test, under which id
     */
    String html(Map<ReportedTest, String> details) {
        StringBuilder html = new StringBuilder(filters());
        html.append("<table id=\"tests\">\n<thead><tr>")
                .append(heading("outcome", "Outcome"))
                .append(heading("test", "Test"))
                .append(heading("core", "Core"))
                .append(heading("took", "Took"))
                .append(heading("waited", "Waited"))
                .append(heading("started", "Started"))
                .append("</tr></thead>\n<tbody>\n");
        tests.forEach(test -> row(html, test, details.get(test)));
        return html.append("</tbody></table>\n<button type=\"button\" id=\"more\" hidden=\"\">Show more</button>\n")
                .toString();
    }

    private static String heading(String kind, String text) {
        return "<th scope=\"col\" class=\"of-%s\">%s</th>".formatted(kind, text);
    }

    private String filters() {
        Map<TestOutcome, Long> outcomes = new LinkedHashMap<>();
        tests.forEach(test -> outcomes.merge(test.outcome(), 1L, Long::sum));
        StringBuilder html = new StringBuilder(
                "<form id=\"filters\" hidden=\"\">\n"
                        + "<input type=\"search\" id=\"text\" aria-label=\"Filter by text\" placeholder=\"Filter by name or reason\"/>\n");
        html.append("<select id=\"core\" aria-label=\"Filter by core\"><option value=\"\">All cores</option>\n");
        byDevice()
                .forEach((device, cores) -> html.append("<optgroup label=\"%s\">%s</optgroup>\n"
                        .formatted(
                                escape((device.host() + " " + device.name()).strip()),
                                (cores.size() > 1 ? option("all of " + device.name(), cores) : "")
                                        + cores.stream()
                                                .map(core -> option(core.name(), List.of(core)))
                                                .collect(Collectors.joining()))));
        html.append("</select>\n<span class=\"chips\" role=\"group\" aria-label=\"Filter by outcome\">\n");
        outcomes.forEach((outcome, count) -> html.append(
                "<label class=\"chip\"><input type=\"checkbox\" name=\"outcome\" value=\"%1$s\"/> %1$s %2$d</label>\n"
                        .formatted(PageText.name(outcome), count)));
        return html.append("</span>\n<p id=\"count\" class=\"mute\" role=\"status\"></p>\n</form>\n")
                .toString();
    }

    private Map<CoreStory.Device, List<CoreStory.Core>> byDevice() {
        return story.uses().stream()
                .map(CoreStory::core)
                .collect(Collectors.groupingBy(CoreStory.Core::device, LinkedHashMap::new, Collectors.toList()));
    }

    private String option(String text, List<CoreStory.Core> cores) {
        return "<option value=\"%s\">%s</option>"
                .formatted(
                        cores.stream()
                                .map(core -> String.valueOf(story.number(core)))
                                .collect(Collectors.joining(" ")),
                        escape(text));
    }

    private void row(StringBuilder html, ReportedTest test, @Nullable String details) {
        String outcome = PageText.name(test.outcome());
        html.append("<tr class=\"").append(outcome).append("\" data-cores=\"");
        html.append(story.cores(test).stream()
                .map(core -> String.valueOf(story.number(core)))
                .collect(Collectors.joining(" ")));
        html.append("\"><td>").append(PageText.badge(test.outcome())).append("</td><td>");
        String name = isolated(test.id().name());
        html.append(details == null ? name : "<a href=\"#%s\">%s</a>".formatted(details, name));
        if (test.retries() > 0) {
            html.append(" <span class=\"mute\">run again ")
                    .append(CountText.of(test.retries(), "time"))
                    .append("</span>");
        }
        test.reason()
                .filter(reason -> test.outcome() != TestOutcome.PASSED)
                .ifPresent(reason -> html.append("<div class=\"mute\">")
                        .append(escape(first(reason)))
                        .append("</div>"));
        if (!test.attachments().isEmpty()) {
            html.append("<div class=\"files\">")
                    .append(test.attachments().stream().map(links::link).collect(Collectors.joining(", ")))
                    .append("</div>");
        }
        html.append("</td><td>").append(escape(String.join(", ", test.cores()))).append("</td>");
        number(html, test.took());
        number(html, test.waited());
        html.append("<td>").append(PageText.clock(test.started())).append("</td></tr>\n");
    }

    private static void number(StringBuilder html, Duration time) {
        html.append("<td data-n=\"")
                .append(time.toMillis())
                .append("\">")
                .append(time.isZero() ? "" : DurationText.of(time))
                .append("</td>");
    }

    private static String first(String reason) {
        String line = reason.strip().lines().findFirst().orElse("");
        return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "\u2026";
    }
}
