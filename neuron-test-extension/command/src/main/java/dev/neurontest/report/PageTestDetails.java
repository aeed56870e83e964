package dev.neurontest.report;

import static dev.neurontest.recording.Markup.bar;
import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.paragraph;
import static dev.neurontest.report.PageText.isolated;

import dev.neurontest.evidence.Phase;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.recording.Violation;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that is known of one test that needs attention, what helps most first. */
final class PageTestDetails {

    private static final int LAST_PRINTS = 8;
    private static final int MOST_COUNTERS = 12;
    private static final int MOST_NAMED = 3;

    private final RunReport report;
    private final ReportedTest test;
    private final CoreStory story;
    private final PageLinks links;
    private final List<RecordedProfile> profiles;

    PageTestDetails(RunReport report, ReportedTest test, CoreStory story, PageLinks links) {
        this.report = report;
        this.test = test;
        this.story = story;
        this.links = links;
        this.profiles = recordings(RecordedProfile.KIND)
                .map(each -> RecordedProfile.of(each.recording()))
                .toList();
    }

    private Stream<ReportedTest.Recorded> recordings(String kind) {
        return test.recordings().stream().filter(each -> each.kind().equals(kind));
    }

    String html(String id) {
        return "<article class=\"test %s\" id=\"%s\">\n".formatted(PageText.name(test.outcome()), id)
                + "<h3>%s %s</h3>\n"
                        .formatted(
                                PageText.badge(test.outcome()),
                                isolated(test.id().name()))
                + facts()
                + reason()
                + violations()
                + undecided()
                + counters()
                + prints()
                + profiles()
                + comparisons()
                + attachments()
                + notices()
                + "</article>\n";
    }

    private String facts() {
        StringBuilder facts = new StringBuilder("<dl class=\"facts\">\n");
        for (CoreStory.Core core : story.cores(test)) {
            facts.append(fact("Core", "<b>%s</b> %s".formatted(escape(core.name()), history(core))));
        }
        Optional<Fraction> throttled =
                profiles.stream().flatMap(each -> each.throttled().stream()).max(Comparator.naturalOrder());
        throttled.ifPresent(part -> facts.append(fact(
                "Throttled",
                "<b class=\"warn\">%s of the time</b>, by its profile".formatted(escape(part.toString())))));
        RerunCommand.of(report, test)
                .ifPresent(command -> facts.append(
                        fact("Run it again", "<code class=\"command\">%s</code>".formatted(escape(command)))));
        return facts.append(fact("When", when())).append("</dl>\n").toString();
    }

    private static String fact(String name, String markup) {
        return "<div><dt>%s</dt><dd>%s</dd></div>\n".formatted(escape(name), markup);
    }

    private String when() {
        String host = story.host(test);
        return "%s UTC, took %s%s%s%s%s"
                .formatted(
                        PageText.clock(test.started()),
                        DurationText.of(test.took()),
                        test.waited().toMillis() == 0
                                ? ""
                                : ", waited " + DurationText.of(test.waited()) + " for cores",
                        test.lastPhase()
                                .filter(phase -> test.outcome() == TestOutcome.LOST)
                                .map(PageTestDetails::phase)
                                .orElse(""),
                        test.retries() == 0
                                ? ""
                                : ", run again on another core " + CountText.of(test.retries(), "time"),
                        ", on " + escape(host));
    }

    private static String phase(Phase phase) {
        return ", last seen in " + phase.name().toLowerCase(Locale.ROOT);
    }

    /** Whether the core is to blame: how the tests before and after did on it. */
    private String history(CoreStory.Core core) {
        List<ReportedTest> before = story.before(core, test);
        List<ReportedTest> bad = before.stream().filter(CoreStory::isBad).toList();
        List<ReportedTest> after = story.after(core, test);
        long badAfter = after.stream().filter(CoreStory::isBad).count();
        StringBuilder text = new StringBuilder();
        if (bad.isEmpty()) {
            text.append(
                    before.isEmpty()
                            ? "had no test before in this run"
                            : "did not fail before in this run (%s before)"
                                    .formatted(CountText.of(before.size(), "test")));
        } else {
            text.append("<b class=\"bad\">failed before</b> in %d of %s: "
                    .formatted(bad.size(), CountText.of(before.size(), "test")));
            text.append(bad.stream()
                    .skip(Math.max(0, bad.size() - MOST_NAMED))
                    .map(each -> isolated(each.id().name()) + " at " + PageText.clock(each.started()))
                    .collect(Collectors.joining(", ")));
            text.append(bad.size() > MOST_NAMED ? " and earlier" : "");
        }
        if (!after.isEmpty()) {
            text.append("; %s after it, %d failed".formatted(CountText.of(after.size(), "test"), badAfter));
        }
        story.quarantines(core)
                .forEach(each -> text.append("; in quarantine since %s: %s%s"
                        .formatted(
                                PageText.clock(each.at()),
                                escape(each.reason()),
                                each.ended()
                                        .map(how -> ", ended: " + escape(how))
                                        .orElse(""))));
        return text.toString();
    }

    /** Its first line; the whole message is long and has the tables once more. */
    private String reason() {
        String reason = test.reason().orElse("").strip();
        if (reason.isEmpty()) {
            return test.outcome() == TestOutcome.LOST ? paragraph("reason", "Its JVM ended before the test did.") : "";
        }
        String first = reason.lines().findFirst().orElse("");
        return paragraph("reason", first)
                + (first.length() == reason.length()
                        ? ""
                        : "<details><summary>The whole message</summary><pre tabindex=\"0\">%s</pre></details>\n"
                                .formatted(escape(reason)));
    }

    private String violations() {
        PageTable table = PageTable.cards("What was demanded", "Rule", "Subject", "Expected", "Actual", "What to do");
        for (Violation each : test.violations()) {
            table.row(each.rule(), each.subject(), each.expected(), each.actual(), each.advice());
        }
        return table.html();
    }

    private String undecided() {
        PageTable table = PageTable.cards("What could not be decided", "Rule", "Subject", "Why");
        test.undecided().forEach(each -> table.row(each.rule(), each.subject(), each.reason()));
        return table.html();
    }

    private String counters() {
        return recordings(RecordedCounters.KIND)
                .map(each -> counters(RecordedCounters.of(each.recording())))
                .collect(Collectors.joining());
    }

    private String counters(RecordedCounters counters) {
        Set<String> violated =
                test.violations().stream().map(Violation::subject).collect(Collectors.toSet());
        List<RecordedCounters.Change> moved = counters.moved().stream()
                .sorted(Comparator.comparing(change -> !violated.contains(change.subject()) && !change.isError()))
                .toList();
        String first = changes(
                "Counters that moved", moved.stream().limit(MOST_COUNTERS).toList(), violated);
        String rest = changes("", moved.stream().skip(MOST_COUNTERS).toList(), violated);
        return (moved.isEmpty() ? paragraph("mute", "No counter moved.") : first)
                + PageText.folded(CountText.of(moved.size() - MOST_COUNTERS, "more counter"), rest)
                + PageText.folded(
                        "Foreign activity: %s moved"
                                .formatted(CountText.of(counters.foreign().size(), "counter of another core")
                                        .replace("core" + "s", "cores")),
                        changes("", counters.foreign(), violated))
                + PageText.list("Not readable", counters.unreadable())
                + PageText.list("On the same devices meanwhile", counters.neighbours());
    }

    private static String changes(String caption, List<RecordedCounters.Change> changes, Set<String> violated) {
        PageTable table = PageTable.rows(caption, "Counter", ">Before", ">After", ">Change");
        for (RecordedCounters.Change each : changes) {
            boolean bad = violated.contains(each.subject()) || each.isError();
            table.markup(
                    bad ? "bad" : "",
                    "<span class=\"mute\">%s</span> %s"
                            .formatted(
                                    PageText.breakable(each.place()),
                                    PageText.breakable(each.subject()
                                            .substring(each.place().length() + 1))),
                    PageText.breakable(each.value(each.before())),
                    PageText.breakable(each.value(each.after())),
                    escape(each.change() + (each.remark().isEmpty() ? "" : " (" + each.remark() + ")")));
        }
        return table.html();
    }

    private String prints() {
        StringBuilder html = new StringBuilder();
        recordings(RecordedPrints.KIND)
                .map(each -> RecordedPrints.of(each.recording()))
                .forEach(prints -> {
                    List<RecordedPrints.Print> last = prints.last(LAST_PRINTS);
                    PageTable table = PageTable.rows(
                            last.size() == prints.prints().size()
                                    ? "Printed by the device"
                                    : "Printed by the device: the last %d of %d"
                                            .formatted(
                                                    last.size(), prints.prints().size()),
                            "Arrived",
                            "?Core",
                            "Print",
                            "?Shape",
                            "Values");
                    last.forEach(each -> table.markup(
                            "",
                            escape(clock(each.arrived())),
                            escape(each.core()),
                            isolated(each.prefix()),
                            escape(each.type()),
                            escape(each.values())));
                    html.append(table.html())
                            .append(PageText.list("Prints that differ from what was expected", prints.mismatches()))
                            .append(PageText.list("Prints in doubt", prints.doubts()));
                });
        return html.toString();
    }

    /** What is between the T and the Z of an instant, down to milliseconds. */
    private static String clock(String instant) {
        int time = instant.indexOf('T') + 1;
        String clock = instant.substring(time).replace("Z", "");
        return clock.substring(0, Math.min(clock.length(), "00:00:00.000".length()));
    }

    private String profiles() {
        StringBuilder html = new StringBuilder();
        for (RecordedProfile profile : profiles) {
            html.append("<h4>Profile of %s</h4>\n".formatted(isolated(profile.title())));
            profile.throttled()
                    .ifPresent(part -> html.append(
                            "<div class=\"row\"><span class=\"label\">Throttled</span>%s<span class=\"value\">%s</span></div>\n"
                                    .formatted(bar(part.value(), "undecided"), escape(part.toString()))));
            if (!profile.times().isEmpty()) {
                html.append(paragraph("mute", times(profile.times()) + ", by " + profile.tool()));
            }
            html.append(PageText.list("In doubt", profile.doubts()));
        }
        return html.toString();
    }

    private static String times(List<Double> times) {
        List<Double> sorted = times.stream().sorted().toList();
        return "%s: %s to %s"
                .formatted(
                        CountText.of(times.size(), "execution"),
                        new Quantity(Math.max(0, sorted.get(0)), Unit.SECONDS),
                        new Quantity(Math.max(0, sorted.get(sorted.size() - 1)), Unit.SECONDS));
    }

    private String comparisons() {
        return test.comparisons().stream().map(PageComparison::html).collect(Collectors.joining());
    }

    private String attachments() {
        if (test.attachments().isEmpty()) {
            return "";
        }
        return "<p class=\"files\">Attached: %s</p>\n"
                .formatted(test.attachments().stream().map(links::link).collect(Collectors.joining(", ")));
    }

    private String notices() {
        return PageText.list("Also seen", test.notices());
    }
}
