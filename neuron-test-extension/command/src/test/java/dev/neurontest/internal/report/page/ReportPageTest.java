package dev.neurontest.internal.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.configuration.Origin;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.evidence.TestTool;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.history.HistoryFixture;
import dev.neurontest.internal.report.merge.MergeFixture;
import dev.neurontest.internal.report.show.Limits;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportPageTest {

    private static final String HOSTILE =
            "</script><script>alert(1)</script></title>--><img src=x onerror=alert(2)>\"'&\u0001\u001b[2J\u009b\u202e]]>";

    @TempDir
    private Path folder;

    private String page(RunReport report, GateOutcome... gates) {
        return ReportPage.html(
                report,
                List.of(gates),
                Optional.empty(),
                Optional.empty(),
                new PageFiles(folder.resolve("neuron-report.html"), List.of(folder)));
    }

    private String night() {
        return page(new RunFixture().night().report(), RunFixture.gates().toArray(GateOutcome[]::new));
    }

    /** Parses the page as XML, without its head and its script, to find missing ends and quotes. */
    private static Document parsed(String html) throws Exception {
        String body = html.substring(html.indexOf("<body>"), html.lastIndexOf("<script>")) + "</body>";
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> elements(Element in, String name) {
        NodeList found = in.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    /** Returns the rows of tests, without those of headings. */
    private static List<Element> rows(Element in) {
        return elements(in, "tr").stream()
                .filter(row -> row.hasAttribute("data-cores"))
                .toList();
    }

    private static String text(Element element) {
        return element.getTextContent().replaceAll("\\s+", " ").strip();
    }

    private static Element section(String html, String id) throws Exception {
        return elements(parsed(html).getDocumentElement(), "section").stream()
                .filter(each -> each.getAttribute("id").equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no section " + id));
    }

    private static String article(String html, String test) throws Exception {
        return elements(parsed(html).getDocumentElement(), "article").stream()
                .map(ReportPageTest::text)
                .filter(each -> each.contains(test))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no article of " + test));
    }

    private static RunReport of(ReportedTest... tests) {
        RunReport night = new RunFixture().report();
        return new RunReport(night.jvms(), List.of(tests), List.of(), List.of(), List.of(), List.of());
    }

    @Test
    void showsCoreCountersPrintsAndCommandOfFailure() throws Exception {
        // when
        String told = article(night(), "BertTest > Large > inference(int)[1]");

        // then
        assertThat(told)
                .as("which core, and whether it failed before")
                .contains(
                        "neuron0/neuron_core1 failed before, as a core can cause it, in 1 of 3 tests: BertTest > warmup() at 02:16:40; 1 test after it, 0 with such a failure")
                .contains("in quarantine since 02:25:05: hw_error rose by 3");
        assertThat(told).as("the counter table").contains("neuron0/neuron_core1 status/hw_error 1 3 +2");
        assertThat(night()).as("a name that no line breaks").contains("@AllowCounter(<wbr/>&quot;hw_error&quot;)");
        assertThat(told).as("throttling").contains("The device was throttled: ham 40 % of the time");
        assertThat(told)
                .as("prints")
                .contains("the last 8 of 12")
                .contains("acc tile 11", "-3.5 to 15.25, 30,000 NaN")
                .doesNotContain("acc tile 3 ");
        assertThat(told)
                .as("the command")
                .contains(
                        "mvn test '-Dtest=com.acme.BertTest$Large#inference' -Dneuron.test.platform=fake:trn1.32xlarge");
        assertThat(told)
                .as("expectations")
                .contains(
                        "@ExpectCounter(\"inference_count\", delta = 100)",
                        "+100",
                        "+98",
                        "Two executions did not end.");
    }

    @Test
    void ordersSectionsByImportance() throws Exception {
        // when
        List<String> sections = elements(parsed(night()).getDocumentElement(), "section").stream()
                .map(each -> each.getAttribute("id"))
                .toList();

        // then
        assertThat(sections)
                .containsExactly(
                        "gates",
                        "failed",
                        "undecided",
                        "skipped",
                        "all",
                        "timeline",
                        "cores",
                        "baselines",
                        "margins",
                        "errors",
                        "run",
                        "notices",
                        "problems");
    }

    @ParameterizedTest
    @CsvSource({
        "FAILED, true, Passed: 1 of 1 test failed",
        "PASSED, false, 'Failed: none of 1 test failed'",
        "LOST, , Failed: 1 of 1 test lost",
        "PASSED, , 'Passed: none of 1 test failed'",
        "SKIPPED, true, Nothing ran"
    })
    void titleShowsVerdictOfGatesOrOutcomes(TestOutcome outcome, Boolean gate, String title) {
        // given
        GateOutcome[] gates = Stream.ofNullable(gate)
                .map(passed -> new GateOutcome("failed.max", passed, "0", "1", ""))
                .toArray(GateOutcome[]::new);

        // when
        String html = page(of(RunFixture.simple("ATest > a()", outcome, 0)), gates);

        // then
        assertThat(html).contains("<title>" + title);
        assertThat(html.contains("verdict passed")).isEqualTo(title.startsWith("Passed"));
    }

    @Test
    void showsEqualFailuresOnceAndMistakesApart() throws Exception {
        // given
        String html = page(new RunFixture().alike(30).report());

        // when
        List<String> articles = elements(section(html, "failed"), "article").stream()
                .map(ReportPageTest::text)
                .toList();

        // then
        assertThat(articles).hasSize(1);
        assertThat(articles.get(0))
                .startsWith(
                        "failed KernelTest > adds(int) > [1] n=1 neuron0/neuron_core1 status/hw_error: expected unchanged, was +1 The same in 29 more tests")
                .contains("[5] n=5: +5 ", "[30] n=30 on neuron1/neuron_core0: +30");
        assertThat(text(section(html, "mistakes")))
                .startsWith(
                        "Mistakes in tests failed NamesTest > counts(int) > [1] n=1 @ExpectCounter names no counter The same in 1 more test [2] n=2");
        assertThat(elements(section(html, "all"), "a"))
                .hasSize(32)
                .extracting(each -> each.getAttribute("href"))
                .containsOnly("#t1", "#t2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.opentest4j.AssertionFailedError: total_time 16.8 ms is 5.0 % slower than its baseline; 3 % accepted\nWorse (slower): BertTest#t()",
                "org.opentest4j.MultipleFailuresError: total_time 16.8 ms is 5.0 % slower than its baseline; 3 % accepted (2 failures)\n\torg.opentest4j.AssertionFailedError: a"
            })
    void headsFailureBySentenceThatDecides(String reason) throws Exception {
        // given
        ReportedTest test = RunFixture.failed(
                RunFixture.invocation("BertTest > infers(int)", 1),
                reason,
                List.of(new Violation("baseline", "total_time", "16 ms", "16.8 ms", "Look.")));

        // then
        assertThat(text(section(page(of(test)), "failed")))
                .startsWith(
                        "Failing tests failed BertTest > infers(int) > [1] n=1 total_time 16.8 ms is 5.0 % slower than");
    }

    @Test
    void leavesOutClassesThatOnlyLeasedForTheirTests() throws Exception {
        // given
        ReportedTest test = RunFixture.simple("ATest > a()", TestOutcome.PASSED, 0);
        ReportedTest leasing = RunFixture.simple(
                new TestId("[engine:junit-jupiter]/[class:com.acme.ATest]", "ATest"), TestOutcome.PASSED, 0);

        // then
        assertThat(text(section(page(of(test, leasing)), "all")))
                .contains("ATest > a()")
                .doesNotContain("ATest ATest");
        assertThat(page(of(test, leasing))).contains("<title>Passed: none of 1 test failed");
    }

    @Test
    void loadsNothingFromNetwork() {
        // when
        String html = night();

        // then
        assertThat(html)
                .contains("default-src 'none'")
                .doesNotContain("<img")
                .doesNotContain("url(")
                .doesNotContain("http://")
                .doesNotContain("https://")
                .doesNotContain("NaN%")
                .doesNotContain(" style=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"script", "style"})
    void policyAllowsDigestOfScriptAndStyle(String element) throws Exception {
        // given
        String html = night();
        String content = html.substring(
                html.lastIndexOf("<" + element + ">") + element.length() + 2, html.lastIndexOf("</" + element + ">"));

        // when
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));

        // then
        assertThat(html)
                .contains(element + "-src 'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
    }

    @Test
    void policyAllowsStyleOfEmbeddedPage() throws Exception {
        // given
        String style = "p { color: red; }";
        Path profile = Files.writeString(folder.resolve("old.html"), "<head><style>" + style + "</style></head>");
        ReportedTest.Attached attached =
                new ReportedTest.Attached("neuron-profile.html", "text/html", 1, Optional.of(profile));

        // when
        String html = page(of(hostile(List.of(), attached)));

        // then
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
        assertThat(html)
                .containsPattern("style-src 'sha256-[^']+' 'sha256-"
                        + Pattern.quote(
                                Base64.getEncoder().encodeToString(digest).replace("=", "")));
        assertThat(html).contains("srcdoc=\"&lt;head&gt;&lt;style&gt;p { color: red; }&lt;/style&gt;&lt;/head&gt;\"");
    }

    @Test
    void escapesTextFromOutside() throws Exception {
        // given
        ReportedTest test = hostile(List.of(
                new ReportedTest.Recorded("counters", counters()),
                new ReportedTest.Recorded(
                        "prints",
                        new JsonObject(
                                "{\"prints\": [{\"prefix\": %1$s, \"core\": %1$s, \"arrived\": %1$s, \"dtype\": %1$s, \"shape\": [%1$s], \"notDecoded\": %1$s}], \"mismatches\": [{\"mismatches\": 1, \"prefix\": %1$s, \"found\": %1$s}]}"
                                        .formatted(json()))),
                new ReportedTest.Recorded(
                        "profile",
                        new JsonObject(
                                "{\"title\": %1$s, \"tool\": %1$s, \"doubts\": [{\"reason\": %1$s}], \"thresholds\": [{\"metric\": %1$s, \"shown\": %1$s, \"limit\": %1$s, \"margin\": %1$s, \"outcome\": %1$s, \"value\": 1, \"bound\": 2}], \"executions\": [{\"metrics\": {\"total_time\": 1}}]}"
                                        .formatted(json())))));
        ReportedJvm jvm = new ReportedJvm(
                Path.of("x"),
                Optional.of(new RunEvent.RunStarted(
                        1,
                        7,
                        HOSTILE,
                        HOSTILE,
                        HOSTILE,
                        HOSTILE,
                        HOSTILE,
                        new TestTool(HOSTILE, HOSTILE, List.of(HOSTILE)))),
                Optional.of(new RunEvent.PlatformChosen(
                        HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1, 1, 1)),
                RunFixture.START,
                RunFixture.START,
                false,
                Map.of(HOSTILE, HOSTILE),
                Optional.empty(),
                List.of(new RunEvent.Sharded(1, 2, HOSTILE, HOSTILE, 1, HOSTILE, true)),
                Optional.of(List.of(new RunEvent.HostAdded(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1, 1))),
                Optional.of(List.of(new RunEvent.Configured(HOSTILE, HOSTILE, Origin.SYSTEM_PROPERTY))));
        RunReport report = new RunReport(
                List.of(jvm),
                List.of(
                        test,
                        RunFixture.simple(new TestId("[class:<img src=x>]", HOSTILE), TestOutcome.FAILED, -7, HOSTILE),
                        RunFixture.simple(HOSTILE, TestOutcome.PASSED, 7, HOSTILE + "2")),
                Stream.of(HOSTILE, "other")
                        .map(host -> new ReportedQuarantine(
                                host, HOSTILE, HOSTILE, HOSTILE, true, RunFixture.START, Optional.of(HOSTILE)))
                        .toList(),
                List.of(new HostError(HOSTILE, HOSTILE, 0, 1, "+1", 1, 0)),
                List.of(HOSTILE),
                List.of(HOSTILE));

        // when
        String html = page(
                report,
                new GateOutcome(HOSTILE, false, HOSTILE, HOSTILE, HOSTILE),
                new GateOutcome(HOSTILE, true, HOSTILE, HOSTILE, ""));

        // then
        assertThat(html)
                .doesNotContain("<img")
                .doesNotContain("<script>alert")
                .doesNotMatch("(?s).*([\\p{Cc}&&[^\n]]|\\p{Cf}).*");
        assertThat(html.split("<script>")).hasSize(2);
        assertThat(html.split("</title>|</style>|</script>"))
                .as("one style, one script, and an end for each title, of the page and of what is drawn")
                .hasSize(3 + html.split("<title>").length - 1);
        assertThat(text(parsed(html).getDocumentElement())).contains("<script>alert(1)</script>");
    }

    private static String json() {
        return "\"" + HOSTILE.replace("\"", "\\\"").replace("\u0001", "\\u0001").replace("\u001b", "\\u001b") + "\"";
    }

    private static JsonObject counters() {
        return new JsonObject(
                "{\"moved\": [{\"place\": %1$s, \"counter\": %1$s, \"field\": %1$s, \"unit\": %1$s, \"movement\": %1$s, \"before\": 0, \"after\": 1, \"delta\": 1}, {\"place\": %1$s, \"counter\": %2$s, \"delta\": 1}], \"unreadable\": [{\"message\": %1$s}], \"neighbours\": [%1$s]}"
                        .formatted(json(), json().replaceFirst("\"", "\"status/")));
    }

    private static Comparison comparison() {
        return new Comparison(
                new BaselineKey(HOSTILE, HOSTILE, HOSTILE),
                new Metric(HOSTILE, Unit.SECONDS, Direction.LOWER, Noise.NOISY),
                Stack.of(Map.of("driver", HOSTILE)),
                ComparisonOutcome.UNDECIDED,
                HOSTILE,
                new Fraction(0.03),
                Optional.of(new Sample(List.of(1.0, 2.0), 3)),
                new Sample(List.of(1.0, 3.0), 3),
                Optional.empty(),
                false,
                List.of(5),
                List.of(HOSTILE),
                HOSTILE,
                HOSTILE,
                Optional.of(Stack.of(Map.of("driver", HOSTILE))),
                HOSTILE,
                List.of(HOSTILE),
                List.of());
    }

    private static ReportedTest hostile(List<ReportedTest.Recorded> recordings, ReportedTest.Attached... attached) {
        return new ReportedTest(
                0,
                new TestId("[class:" + HOSTILE + "]/[method:" + HOSTILE + "()]", HOSTILE),
                false,
                TestOutcome.FAILED,
                Optional.empty(),
                Optional.of(HOSTILE + "\n" + HOSTILE),
                List.of(HOSTILE),
                RunFixture.START,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                List.of(new Violation(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)),
                List.of(new Undecided(HOSTILE, HOSTILE, HOSTILE)),
                List.of(HOSTILE),
                recordings,
                List.of(comparison()),
                Stream.concat(
                                Stream.of(
                                        new ReportedTest.Attached(HOSTILE, HOSTILE, 1, Optional.empty()),
                                        new ReportedTest.Attached(
                                                HOSTILE, HOSTILE, 1, Optional.of(Path.of("pom.xml")))),
                                Stream.of(attached))
                        .toList(),
                2,
                Optional.empty());
    }

    @Test
    void showsOutputsOfModels() throws Exception {
        // given
        ReportedTest test = hostile(List.of(new ReportedTest.Recorded("outputs", new JsonObject("""
                {"version": 1, "kind": "outputs", "outputs": [
                 {"output": "y", "core": "neuron0/neuron_core0", "execution": 100, "dtype": "float32", "shape": [4], "least": 1.0, "most": 4.0,
                  "nan": 0, "infinite": 0, "unwritten": 0, "found": "", "notExamined": ""},
                 {"output": "z", "core": "neuron0/neuron_core0", "notExamined": "its 68,157,440 bytes are too many"}]}
                """))));

        // when
        List<String> rows = elements(parsed(page(of(test))).getDocumentElement(), "tr").stream()
                .map(row ->
                        elements(row, "td").stream().map(ReportPageTest::text).collect(Collectors.joining(" | ")))
                .toList();

        // then
        assertThat(rows)
                .contains("y | neuron0/neuron_core0 | 100 | float32 [4] | 1.0 to 4.0 | ")
                .contains("z | neuron0/neuron_core0 |  |  |  | not examined: its 68,157,440 bytes are too many");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"moved\": 7, \"prints\": {}, \"outputs\": {}, \"executions\": [1, null], \"thresholds\": [[]]}",
                "{\"moved\": [{\"before\": \"many\"}], \"prints\": [{\"values\": 3}], \"outputs\": [{\"execution\": \"x\"}], \"executions\": [{\"metrics\": {\"total_time\": -1e400}}]}"
            })
    void isWrittenDespiteMalformedRecordings(String recording) throws Exception {
        // given
        ReportedTest test = hostile(List.of(
                new ReportedTest.Recorded("counters", new JsonObject(recording)),
                new ReportedTest.Recorded("outputs", new JsonObject(recording)),
                new ReportedTest.Recorded("prints", new JsonObject(recording)),
                new ReportedTest.Recorded("profile", new JsonObject(recording)),
                new ReportedTest.Recorded("weather", new JsonObject(recording))));

        // then
        assertThat(text(parsed(page(of(test))).getDocumentElement())).contains("1 of 1 test failed");
    }

    @Test
    void linksWorkAfterMoveWithFilesFolder() throws Exception {
        // given
        Path run = Files.createDirectories(folder.resolve("target/run-1"));
        Path attachment = Files.writeString(run.resolve("long.txt"), "x".repeat(100_000));
        Path page = folder.resolve("out/neuron-report.html");
        ReportPage.write(
                new RunFixture()
                        .in(folder.resolve("target"))
                        .attachment(attachment)
                        .night()
                        .report(),
                List.of(),
                page);

        // when
        Path moved = Files.createDirectories(folder.resolve("moved"));
        Files.move(page, moved.resolve("neuron-report.html"));
        Files.move(folder.resolve("out/neuron-report-files"), moved.resolve("neuron-report-files"));
        Files.delete(attachment);

        // then
        Matcher link = Pattern.compile("<article.*?href=\"(\\./neuron-report-files/[^\"]+)\"", Pattern.DOTALL)
                .matcher(Files.readString(moved.resolve("neuron-report.html")));
        assertThat(link.find()).isTrue();
        assertThat(moved.resolve(link.group(1))).hasSize(100_000);
    }

    @Test
    void replacesSymbolicLinkWithoutFollowingIt() throws Exception {
        // given
        Path other = Files.writeString(folder.resolve("other"), "kept");
        Path page = Files.createSymbolicLink(folder.resolve("report.html"), other);

        // when
        ReportPage.write(new RunFixture().night().report(), List.of(), page);

        // then
        assertThat(other).hasContent("kept");
        assertThat(page).isRegularFile().content().startsWith("<!DOCTYPE html>");
        assertThat(Files.isSymbolicLink(page)).isFalse();
        assertThat(folder)
                .isDirectoryContaining("glob:**report.html")
                .isDirectoryNotContaining("glob:**.neuron-report*");
    }

    @Test
    void showsFirst200FailuresInFull() throws Exception {
        // given
        ReportedTest[] failing = IntStream.range(0, 250)
                .mapToObj(
                        i -> RunFixture.simple("ATest > a()[" + i + "]", TestOutcome.FAILED, i, "neuron0/neuron_core0"))
                .toArray(ReportedTest[]::new);

        // when
        String html = page(of(failing));

        // then
        assertThat(elements(section(html, "failed"), "article")).hasSize(200);
        assertThat(text(section(html, "failed")))
                .endsWith("and 50 more; the table of tests shows the reasons of those that it lists");
        assertThat(rows(section(html, "all"))).hasSize(250);
        assertThat(html).contains(">All tests<").doesNotContain("Left out");
    }

    @Test
    void listsFailuresFirstAndReportsLeftOutTests() throws Exception {
        // given
        RunReport report = new RunFixture()
                .with(RunFixture.simple("OtherTest > skipped()", TestOutcome.SKIPPED, 0))
                .with(RunFixture.simple("OtherTest > undecided()", TestOutcome.UNDECIDED, 0))
                .many(30_000)
                .report();

        // when
        String html = page(report);

        // then
        Element all = section(html, "all");
        assertThat(text(all))
                .startsWith("Tests This table has 10,000 of 30,002 tests, by outcome and the slowest first."
                        + " Left out: 20,002 passed. All tests are in neuron-report.json, which");
        assertThat(html.length()).isLessThan(4 << 20);
        assertThat(rows(all)).hasSize(Limits.PAGE.rows());
        assertThat(rows(all).stream()
                        .map(row -> row.getAttribute("class"))
                        .filter(outcome -> !outcome.equals("passed")))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Collections.nCopies(300, "failed"), List.of("undecided", "skipped"))
                                .flatMap(List::stream)
                                .toList());
        assertThat(elements(all, "tbody")).hasSize(98).allSatisfy(ofClass -> {
            assertThat(rows(ofClass).stream()
                            .map(row -> TestOutcome.valueOf(
                                    row.getAttribute("class").toUpperCase(Locale.ROOT))))
                    .isSorted();
            assertThat(rows(ofClass).stream()
                            .filter(row -> row.getAttribute("class").equals("passed"))
                            .map(row -> millis(row)))
                    .isSortedAccordingTo(Comparator.reverseOrder());
        });
        assertThat(html).contains("<title>Failed: 300 of 30,002 tests failed, 1 undecided");
    }

    private static long millis(Element row) {
        return Long.parseLong(elements(row, "td").get(3).getAttribute("data-n"));
    }

    @Test
    void isLabelledForScreenReaders() throws Exception {
        // given
        Element page = parsed(night()).getDocumentElement();

        // then
        assertThat(elements(page, "th"))
                .as("headings of tables")
                .allSatisfy(each -> assertThat(text(each)).isNotEmpty());
        assertThat(elements(page, "svg"))
                .as("pictures")
                .allMatch(each -> each.hasAttribute("aria-label") || each.hasAttribute("aria-hidden"));
        List<Integer> levels = elements(page, "*").stream()
                .map(Element::getTagName)
                .filter(name -> name.matches("h[1-6]"))
                .map(name -> Integer.valueOf(name.substring(1)))
                .toList();
        assertThat(IntStream.range(1, levels.size()))
                .as("no heading level is skipped: %s", levels)
                .allMatch(i -> levels.get(i) <= levels.get(i - 1) + 1);
    }

    @Test
    void canBeUsedByTheKeyboard() throws Exception {
        // given
        Element page = parsed(night()).getDocumentElement();

        // then
        assertThat(elements(page, "a"))
                .allMatch(each -> !each.getAttribute("href").isEmpty());
        assertThat(elements(page, "pre"))
                .as("what may scroll")
                .isNotEmpty()
                .allMatch(each -> each.getAttribute("tabindex").equals("0"));
        assertThat(Stream.of("input", "select").flatMap(name -> elements(page, name).stream()))
                .as("fields, by what they are called")
                .hasSize(8)
                .allMatch(each -> each.hasAttribute("aria-label")
                        || each.getParentNode().getNodeName().equals("label"));
        assertThat(elements(page, "*"))
                .as("nothing takes clicks but links, buttons, fields and what unfolds")
                .noneMatch(each -> each.hasAttribute("onclick")
                        || each.getAttribute("role").equals("button"));
    }

    @Test
    void drawsBothSamplesAndTheMarginOfAComparison() throws Exception {
        // when
        Element worse = elements(section(night(), "baselines"), "div").stream()
                .filter(each -> each.getAttribute("class").equals("comparison"))
                .findFirst()
                .orElseThrow();

        // then
        assertThat(text(worse))
                .startsWith("worse total_time")
                .contains(
                        "17.6 ms now, 16.91 ms before, 4.1 % slower (95 % interval: +3.5 % to +4.7 %); up to 3 % is accepted, 10 runs, slower");
        assertThat(ofClass(worse, "bar strip").stream()
                        .mapToInt(strip -> elements(strip, "circle").size()))
                .containsExactly(10, 10);
        List<Element> lines = elements(worse, "line");
        double margin = lines.stream()
                .filter(each -> each.getAttribute("class").equals("margin"))
                .mapToDouble(ReportPageTest::x)
                .max()
                .orElseThrow();
        List<Double> medians = lines.stream()
                .filter(each -> each.getAttribute("class").equals("tick"))
                .map(ReportPageTest::x)
                .toList();
        assertThat(medians).hasSize(2);
        assertThat(medians.get(0)).isLessThan(margin);
        assertThat(medians.get(1)).isGreaterThan(margin);
    }

    private static List<Element> ofClass(Element in, String name) {
        return elements(in, "svg").stream()
                .filter(each -> each.getAttribute("class").equals(name))
                .toList();
    }

    @Test
    void drawsTrendOfAcceptedBaselines() throws Exception {
        // when
        Element worse = elements(section(night(), "baselines"), "div").stream()
                .filter(each -> each.getAttribute("class").equals("comparison"))
                .findFirst()
                .orElseThrow();
        Element trend = ofClass(worse, "bar trend").get(0);

        // then in order from the oldest to the current measurement
        assertThat(elements(trend, "title"))
                .extracting(ReportPageTest::text)
                .containsExactly(
                        "2025-11-03: 18.1 ms",
                        "2026-02-02: 17.5 ms",
                        "2026-05-04: 16.9 ms, compiler 2.25",
                        "now: 17.6 ms");
        assertThat(elements(trend, "circle").stream()
                        .map(each -> Double.parseDouble(each.getAttribute("cy").replace("%", ""))))
                .as("slower is higher up")
                .satisfiesExactly(
                        slowest -> assertThat(slowest).isLessThan(20),
                        slower -> assertThat(slower).isBetween(20.0, 80.0),
                        fastest -> assertThat(fastest).isGreaterThan(80),
                        now -> assertThat(now).isBetween(20.0, 80.0));
        assertThat(elements(trend, "circle"))
                .extracting(each -> each.getAttribute("class"))
                .containsExactly("dot", "dot", "dot", "violated");
        assertThat(text(worse)).contains("since 2025-11-03");
    }

    private static double x(Element line) {
        return Double.parseDouble(line.getAttribute("x1").replace("%", ""));
    }

    @Test
    void writesTheSameForTheSameRun() {
        // then
        assertThat(night()).isEqualTo(night());
    }

    @Test
    void showsTrendsOverLastRuns() throws Exception {
        // when
        String html = ReportPage.html(
                new RunFixture().night().report(),
                List.of(),
                Optional.empty(),
                Optional.of(HistoryFixture.history()),
                new PageFiles(folder.resolve("neuron-report.html"), List.of(folder)));

        // then
        String section = parsed(html).getDocumentElement().getTextContent();
        assertThat(section.replaceAll("\\s+", " "))
                .contains(
                        "Over the last runs",
                        "3 runs since 2026-11-19 02:10 UTC",
                        "2026-11-20 02:10: 2 of 20 tests",
                        "com.acme.BertTest#infers() total_time",
                        "2026-11-21 02:10: 17 ms",
                        "BertTest > retries(): 2 of 3 runs",
                        "neuron-run-x.json was left out");
    }

    @Test
    void showsAttemptsOfTest() throws Exception {
        // given
        RunLinesFixture jvm = new RunLinesFixture(1).started("a").onFake();
        for (Outcome last : List.of(Outcome.FAILED, Outcome.PASSED)) {
            jvm.ran(RunLinesFixture.test("flaky"), last, "neuron0/neuron_core0")
                    .ran(RunLinesFixture.test("broken"), Outcome.FAILED, "neuron0/neuron_core1")
                    .add(new RunEvent.PlanFinished());
        }
        jvm.finished().writeTo(folder);

        // when
        String html = page(MergeFixture.afterAllEnded(List.of(folder)));

        // then
        assertThat(rows(section(html, "all")))
                .extracting(ReportPageTest::text)
                .satisfiesExactlyInAnyOrder(
                        row -> assertThat(row).contains("passed", "flaky()", "2 attempts", "neuron0/neuron_core0"),
                        row -> assertThat(row).contains("failed", "broken()", "2 attempts", "neuron0/neuron_core1"));
        assertThat(text(section(html, "flaky")))
                .contains(
                        "flaky() passed on attempt 2 on neuron0/neuron_core0; attempt 1 failed on neuron0/neuron_core0");
        assertThat(article(html, "broken()"))
                .contains(
                        "attempt 2 of 2",
                        "Earlier attempts",
                        "attempt 1 failed on neuron0/neuron_core1: reason of BertTest > broken()");
    }
}
