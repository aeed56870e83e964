package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.paragraph;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.text.CountText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A run as one HTML page that needs nothing else: no network, no other file. What needs attention comes first. Everything is there
 * without the script, which only sorts and filters the table of all tests. Light or dark as the reader's system is, readable on a phone
 * and on paper.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportPage {

    /** More would only say the same again; the table of all tests has each with its reason. */
    private static final int MOST_DETAILED = 200;

    private static final int MOST_COMPARISONS = 100;

    private final RunReport report;
    private final List<ReportedTest> tests;
    private final PageHead head;
    private final CoreStory story;
    private final PageLinks links;
    private final Map<ReportedTest, String> details = new IdentityHashMap<>();

    private ReportPage(RunReport report, List<GateOutcome> gates, Path page) {
        this.report = report;
        this.tests = report.tests().stream().filter(Overview::counts).toList();
        this.head = new PageHead(report, gates);
        this.story = new CoreStory(report);
        this.links = new PageLinks(page);
    }

    /**
     * Writes the page. A reader of an older page sees that or the new one, never half of it; a link in its place is replaced and not
     * followed.
     *
     * @param report what happened
     * @param gates what was decided about it; may be empty
     * @param page the file; its folder is made
     * @throws IOException when it cannot be written
     */
    public static void write(RunReport report, List<GateOutcome> gates, Path page) throws IOException {
        Path file = page.toAbsolutePath().normalize();
        Path folder = Objects.requireNonNull(file.getParent(), "a file, and not the root of a file system");
        Files.createDirectories(folder);
        Path unfinished = folder.resolve(".neuron-report-%s.html".formatted(UUID.randomUUID()));
        try {
            Files.writeString(unfinished, html(report, gates, file), StandardOpenOption.CREATE_NEW);
            move(unfinished, file);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException unsupported) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    static String html(RunReport report, List<GateOutcome> gates, Path page) {
        return new ReportPage(report, gates, page).html();
    }

    private String html() {
        String style = resource("report-page.css");
        String script = resource("report-page.js");
        PageDevices devices = new PageDevices(report, story);
        String failed = tests("t", TestOutcome.FAILED, TestOutcome.LOST);
        String undecided = tests("u", TestOutcome.UNDECIDED);
        PageTestTable table = new PageTestTable(tests, story, links);
        String sections = section("gates", "Gates", head.gates())
                + section("failed", "Failing tests", failed)
                + section("undecided", "Undecided tests", undecided)
                + section(
                        "noticed",
                        "Passed with a notice",
                        PageText.list(
                                "",
                                PassedWithNotice.of(report).stream()
                                        .map(PassedWithNotice::toString)
                                        .toList()))
                + section(
                        "flaky",
                        "Flaky tests",
                        PageText.list(
                                "",
                                FlakyTest.of(report).stream()
                                        .map(FlakyTest::toString)
                                        .toList()))
                + section("skipped", "Skipped tests", PageText.list("", skips()))
                + section("all", "All tests", tests.isEmpty() ? "" : table.html(details))
                + section("timeline", "Devices over time", devices.timeline())
                + section("cores", "Cores", devices.cores())
                + section("baselines", "Against baselines", comparisons())
                + section("margins", "Profile margins", PageThresholds.html(report))
                + section("errors", "Error counters of hosts", PageRun.hostErrors(report))
                + section("run", "Platform and versions", PageRun.jvms(report))
                + section("notices", "Noticed", PageText.list("", report.notices()))
                + section("problems", "Problems", PageText.list("", report.problems()));
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <link rel="icon" href="data:,">
                <title>%s</title>
                <style>%s</style>
                </head>
                <body>
                """.formatted(digest(style), digest(script), escape(head.title()), style)
                + head.html(sections)
                + "<main>\n"
                + sections
                + "</main>\n<script>" + script + "</script>\n</body>\n</html>\n";
    }

    private static String resource(String name) {
        try (InputStream resource = ReportPage.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(resource, name).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("\r\n", "\n");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Only this script and this style may run: a name that slips through as markup stays dead. */
    private static String digest(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String section(String id, String title, String content) {
        return content.isEmpty()
                ? ""
                : "<section id=\"%s\">\n<h2>%s</h2>\n%s</section>\n".formatted(id, escape(title), content);
    }

    private List<String> skips() {
        return Overview.of(report).skips().entrySet().stream()
                .map(each -> CountText.of(each.getValue(), "test") + ": " + each.getKey())
                .toList();
    }

    private String tests(String prefix, TestOutcome... outcomes) {
        StringBuilder html = new StringBuilder();
        int detailed = 0;
        int left = 0;
        for (ReportedTest test : tests) {
            if (!List.of(outcomes).contains(test.outcome())) {
                continue;
            }
            if (detailed == MOST_DETAILED) {
                left++;
                continue;
            }
            String id = prefix + ++detailed;
            details.put(test, id);
            html.append(new PageTestDetails(report, test, story, links).html(id));
        }
        return left == 0
                ? html.toString()
                : html
                        + paragraph(
                                "mute",
                                "and %s more, with their reasons in the table of all tests"
                                        .formatted(CountText.of(left, "test")));
    }

    private String comparisons() {
        List<Comparison> all = report.tests().stream()
                .flatMap(test -> test.comparisons().stream())
                .sorted(Comparator.comparingInt(ReportPage::urgency))
                .toList();
        return all.stream().limit(MOST_COMPARISONS).map(PageComparison::html).collect(Collectors.joining())
                + (all.size() <= MOST_COMPARISONS
                        ? ""
                        : paragraph(
                                "mute",
                                "and %s more, of which none is worse than these"
                                        .formatted(CountText.of(all.size() - MOST_COMPARISONS, "comparison"))));
    }

    private static int urgency(Comparison comparison) {
        return switch (comparison.outcome()) {
            case WORSE -> 0;
            case CONTAMINATED -> 1;
            case UNDECIDED -> 2;
            case NO_BASELINE -> 3;
            case NOT_WORSE -> 4;
        };
    }
}
