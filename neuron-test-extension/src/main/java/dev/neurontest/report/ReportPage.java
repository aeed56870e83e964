package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.paragraph;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.evidence.RunEvent;
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
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
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

    private static final Pattern SECTION = Pattern.compile("<section id=\"([a-z]+)\">\n<h2>([^<]*)</h2>");

    private final RunReport report;
    private final List<ReportedTest> tests;
    private final List<GateOutcome> gates;
    private final CoreStory story;
    private final PageLinks links;
    private final Map<ReportedTest, String> details = new IdentityHashMap<>();

    private ReportPage(RunReport report, List<GateOutcome> gates, Path page) {
        this.report = report;
        this.tests = report.tests().stream()
                .filter(test -> test.isTest() || test.outcome() != TestOutcome.PASSED)
                .toList();
        this.gates = gates;
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
        String sections = gates()
                + section("failed", "Failing tests", failed)
                + section("undecided", "Undecided tests", undecided)
                + section("all", "All tests", tests.isEmpty() ? "" : table.html(details))
                + section("timeline", "Devices over time", devices.timeline())
                + section("cores", "Cores", devices.cores())
                + section("baselines", "Against baselines", comparisons())
                + section("margins", "Profile margins", PageThresholds.html(report))
                + section("errors", "Error counters of hosts", hostErrors())
                + section("run", "Platform and versions", jvms())
                + section("notices", "Noticed", list(report.notices()))
                + section("problems", "Problems", list(report.problems()));
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
                """.formatted(digest(style), digest(script), escape(verdict() + ": " + headline()), style)
                + head(sections)
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

    private long count(TestOutcome outcome) {
        return tests.stream().filter(test -> test.outcome() == outcome).count();
    }

    private String verdict() {
        if (tests.isEmpty()) {
            return "Nothing ran";
        }
        boolean failed = gates.isEmpty()
                ? tests.stream().anyMatch(CoreStory::isBad)
                : gates.stream().anyMatch(gate -> !gate.passed());
        return failed ? "Failed" : "Passed";
    }

    private String headline() {
        String wrong = List.of(TestOutcome.FAILED, TestOutcome.LOST, TestOutcome.UNDECIDED).stream()
                .filter(outcome -> count(outcome) > 0)
                .map(outcome -> count(outcome) + " " + PageText.name(outcome))
                .collect(Collectors.joining(", "));
        String all = Words.count(tests.size(), "test");
        return wrong.isEmpty() ? all + ", none failed" : wrong + " of " + all;
    }

    private String head(String sections) {
        StringBuilder tiles = new StringBuilder();
        for (TestOutcome outcome : TestOutcome.values()) {
            if (count(outcome) > 0) {
                tiles.append("<div class=\"tile %1$s\"><b>%2$d</b><span>%1$s</span></div>\n"
                        .formatted(PageText.name(outcome), count(outcome)));
            }
        }
        return "<header>\n<h1><span class=\"verdict %s\">%s</span> %s</h1>\n%s%s<div class=\"tiles\">\n%s</div>\n%s</header>\n"
                .formatted(
                        verdict().equals("Passed") ? "passed" : "failed",
                        verdict(),
                        escape(headline()),
                        paragraph("mute", where()),
                        paragraph("mute", when()),
                        tiles,
                        navigation(sections));
    }

    private static String navigation(String sections) {
        return SECTION.matcher(sections)
                .results()
                .map(section -> "<a href=\"#%s\">%s</a>".formatted(section.group(1), section.group(2)))
                .collect(Collectors.joining("\n", "<nav aria-label=\"Parts of this page\">\n", "\n</nav>\n"));
    }

    /** A green fake must not be taken for hardware. */
    private String where() {
        Map<String, List<String>> hosts = new TreeMap<>();
        for (ReportedJvm jvm : report.jvms()) {
            jvm.platform()
                    .ifPresent(host -> hosts.computeIfAbsent(
                                    host.kind().equals("real") ? "On hardware" : "On no hardware: " + host.kind(),
                                    none -> new ArrayList<>())
                            .add(
                                    host.instanceType() == null || host.host().contains(host.instanceType())
                                            ? host.host()
                                            : host.instanceType() + " (" + host.host() + ")"));
        }
        return hosts.isEmpty()
                ? "No JVM found a Neuron host"
                : hosts.entrySet().stream()
                        .map(each -> each.getKey() + ", "
                                + each.getValue().stream().distinct().collect(Collectors.joining(", ")))
                        .collect(Collectors.joining(". "));
    }

    private String when() {
        if (report.jvms().isEmpty()) {
            return "";
        }
        Instant start = report.jvms().stream()
                .map(ReportedJvm::started)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Instant end = report.jvms().stream()
                .map(ReportedJvm::ended)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        Duration took = Duration.between(start, end);
        return "%s, %tT to %tT UTC, %s in %s"
                .formatted(
                        PageText.day(start),
                        start.atOffset(ZoneOffset.UTC),
                        end.atOffset(ZoneOffset.UTC),
                        Words.duration(took.isNegative() ? Duration.ZERO : took),
                        Words.count(report.jvms().size(), "JVM"));
    }

    private String gates() {
        if (gates.isEmpty()) {
            return "";
        }
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
        if (count > 0) {
            html.append("<details><summary>%s passed</summary>\n%s</details>\n"
                    .formatted(Words.count(count, "gate"), passed.html()));
        }
        return section("gates", "Gates", html.toString());
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
            html.append(new PageTestDetails(test, story, links).html(id));
        }
        return left == 0
                ? html.toString()
                : html
                        + paragraph(
                                "mute",
                                "and %s more, with their reasons in the table of all tests"
                                        .formatted(Words.count(left, "test")));
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
                                        .formatted(Words.count(all.size() - MOST_COMPARISONS, "comparison"))));
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

    private String hostErrors() {
        PageTable table = PageTable.cards("", "Host", "Counter", ">Start", ">End", ">Seen by tests", ">Unexplained");
        for (HostError error : report.hostErrors()) {
            table.markup(
                    error.unexplained() > 0 ? "bad" : "",
                    escape(error.host()),
                    escape(error.counter()),
                    String.valueOf(error.before()),
                    String.valueOf(error.after()),
                    String.valueOf(error.explained()),
                    String.valueOf(error.unexplained()));
        }
        return table.html();
    }

    private String jvms() {
        PageTable table = PageTable.cards("", "JVM", "Host", "Driver", "Versions", "Java and system", "Ran");
        for (ReportedJvm jvm : report.jvms()) {
            table.markup(
                    jvm.finished() ? "" : "bad",
                    jvm.start()
                            .map(start -> escape("%d in %s".formatted(start.pid(), start.directory())))
                            .orElse(escape(String.valueOf(jvm.file().getFileName()))),
                    jvm.platform().map(ReportPage::host).orElse("none"),
                    escape(jvm.platform()
                            .map(RunEvent.PlatformChosen::driverVersion)
                            .orElse("")),
                    escape(new TreeMap<>(jvm.versions())
                            .entrySet().stream()
                                    .map(each -> each.getKey() + " " + each.getValue())
                                    .collect(Collectors.joining(", "))),
                    escape(jvm.start()
                            .map(start ->
                                    "Java %s, %s, Neuron Test %s".formatted(start.java(), start.os(), start.module()))
                            .orElse("")),
                    "%s to %s%s"
                            .formatted(
                                    PageText.clock(jvm.started()),
                                    PageText.clock(jvm.ended()),
                                    jvm.finished() ? "" : ", <b class=\"bad\">did not end</b>"));
        }
        return table.html();
    }

    private static String host(RunEvent.PlatformChosen host) {
        return escape("%s, %s, %s, %s each, %s %s"
                .formatted(
                        host.kind(),
                        host.host(),
                        Words.count(host.devices(), "device"),
                        Words.count(host.lnc(), "physical core"),
                        host.choice(),
                        host.origin()));
    }

    private static String list(List<String> lines) {
        return lines.isEmpty()
                ? ""
                : "<ul>\n%s</ul>\n"
                        .formatted(lines.stream()
                                .map(line -> "<li>" + escape(line) + "</li>\n")
                                .collect(Collectors.joining()));
    }
}
