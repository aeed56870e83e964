package dev.neurontest.internal.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.print.PrintAttachments;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.compare.CompareFixture;
import dev.neurontest.internal.report.history.HistoryFixture;
import dev.neurontest.print.PrintFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the page in a real browser, used like by a person. */
class ReportPageBrowserIT {

    private static final String NAMES =
            "Array.from(document.querySelectorAll('#tests tbody tr bdi'), each => each.textContent)";

    @TempDir
    private static Path folder;

    private static ChromiumFixture browser;
    private static Path night;

    @BeforeAll
    static void start() throws Exception {
        browser = ChromiumFixture.start(folder);
        night = folder.resolve("night.html");
        Path attachment = Files.writeString(folder.resolve("neuron-counters.txt"), "x");
        ReportPage.write(
                new RunFixture().attachment(attachment).night().report(),
                RunFixture.gates(),
                Optional.of(CompareFixture.everything(folder)),
                Optional.of(HistoryFixture.history()),
                night);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        browser.screen(1200, 900, "light").open(night);
    }

    @AfterEach
    void complainsOfNothingAndAsksNobody() {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requests()).hasSize(1);
    }

    private static List<String> texts(String expression) throws Exception {
        return StreamSupport.stream(browser.evaluate(expression).spliterator(), false)
                .map(each -> each.asString())
                .toList();
    }

    private static String text(String expression) throws Exception {
        return browser.evaluate(expression).asString();
    }

    private static void click(String selector) throws Exception {
        browser.evaluate("document.querySelector(`%s`).click()".formatted(selector));
    }

    private static void type(String text) throws Exception {
        browser.evaluate(
                "{ const field = document.getElementById('text'); field.value = '%s'; field.dispatchEvent(new Event('input')); }"
                        .formatted(text));
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 1200})
    void navigationStaysInReachAtEndOfPage(int width) throws Exception {
        // when
        browser.screen(width, 900, "light").open(night);
        browser.evaluate("window.scrollTo(0, document.body.scrollHeight)");

        // then
        assertThat(browser.evaluate("window.scrollY").asInt()).isGreaterThan(900);
        assertThat(browser.evaluate("document.querySelector('nav').getBoundingClientRect().top")
                        .asInt())
                .isZero();
    }

    @Test
    void sortsByAColumnBothWays() throws Exception {
        // when
        click("#tests .of-took button");
        List<String> ascending = texts(NAMES);
        String sort = text("document.querySelector('.of-took').getAttribute('aria-sort')");
        click("#tests .of-took button");

        // then
        assertThat(ascending)
                .startsWith(
                        "WarmupTest > step(int)[1]",
                        "BertTest > Large > inference(int)[1]",
                        "WarmupTest > step(int)[2]");
        assertThat(sort).isEqualTo("ascending");
        assertThat(texts(NAMES)).startsWith("ResNetTest > batch8()");
        assertThat(text("document.querySelector('.of-took').getAttribute('aria-sort')"))
                .isEqualTo("descending");
    }

    @Test
    void sortsNumbersInNamesByValue() throws Exception {
        // when
        type("step");
        click("#tests .of-test button");

        // then
        assertThat(texts(NAMES))
                .hasSize(12)
                .startsWith("WarmupTest > step(int)[1]", "WarmupTest > step(int)[2]")
                .endsWith("WarmupTest > step(int)[12]");
    }

    @Test
    void groupsTestsByClassExceptInOrderOfNumbers() throws Exception {
        // given
        String headings = "Array.from(document.querySelectorAll('#tests .of-class'), each => each.textContent)";
        String rows = "Array.from(document.querySelectorAll('#tests tbody tr'), each => each.cells.length)";

        // when
        List<String> atFirst = texts(headings);
        click("#tests .of-took button");
        List<String> byTime = texts(headings);
        click("#tests .of-test button");
        List<String> byName = texts(headings);
        type("transpose");

        // then
        assertThat(atFirst)
                .startsWith("BertTest 2 tests: 2 failed")
                .contains("WarmupTest 12 tests: 12 passed")
                .doesNotHaveDuplicates();
        assertThat(byTime).isEmpty();
        assertThat(byName)
                .startsWith("BertTest 2 tests: 2 failed")
                .hasSameSizeAs(atFirst)
                .isSorted();
        assertThat(texts(headings)).containsExactly("KernelTest 1 test: 1 lost");
        assertThat(browser.evaluate(rows).toString()).isEqualTo("[1,6]");
    }

    @Test
    void sortsByTheKeyboard() throws Exception {
        // when
        browser.evaluate("document.querySelector('#tests .of-started button').focus()");
        browser.press("Enter", 13);

        // then
        assertThat(texts(NAMES)).startsWith("WarmupTest > step(int)[1]").endsWith("ResNetTest > batch8()");
    }

    @Test
    void reachesFiltersAndColumnsByTheKeyboard() throws Exception {
        // given
        browser.evaluate("document.getElementById('text').focus()");
        List<String> reached = new ArrayList<>();

        // when
        for (int i = 0; i < 13; i++) {
            browser.press("Tab", 9);
            reached.add(
                    text(
                            "document.activeElement.id || document.activeElement.getAttribute('value') || document.activeElement.textContent"));
        }

        // then
        assertThat(reached)
                .containsExactly(
                        "core",
                        "failed",
                        "lost",
                        "undecided",
                        "aborted",
                        "skipped",
                        "passed",
                        "Outcome",
                        "Test",
                        "Core",
                        "Took",
                        "Waited",
                        "Started");
    }

    @Test
    void countsListedTestsWhenOthersAreLeftOut() throws Exception {
        // given
        Path many = folder.resolve("very-many.html");
        ReportPage.write(new RunFixture().many(30_000).report(), List.of(), many);

        // when
        browser.open(many);

        // then
        assertThat(text("document.getElementById('count').textContent")).isEqualTo("10,000 listed tests");
        assertThat(text("document.querySelector('#all p').textContent")).contains("Left out: 20,000 passed.");
        assertThat(texts(NAMES)).hasSize(50);
    }

    @ParameterizedTest
    @CsvSource({"bert, 2", "BERT inference, 1", "too noisy, 0", "hw, 0", "expectations violated, 1", "core1 lost, 1"})
    void filtersByTheWordsOfNameReasonCoreAndFiles(String words, int matching) throws Exception {
        // when
        type(words);

        // then
        assertThat(texts(NAMES)).hasSize(matching);
        assertThat(text("document.getElementById('count').textContent")).isEqualTo(matching + " of 19 tests");
    }

    @Test
    void filtersByOutcome() throws Exception {
        // when
        click("input[value=lost]");
        click("input[value=undecided]");

        // then
        assertThat(texts(NAMES)).containsExactly("KernelTest > transpose()", "LlamaTest > tokensPerSecond()");
    }

    @Test
    void filtersByCoreChosenInCoreTable() throws Exception {
        // when
        browser.evaluate(
                "Array.from(document.querySelectorAll('#cores a')).find(each => each.textContent === 'neuron0/neuron_core1').click()");

        // then
        assertThat(texts(NAMES)).hasSize(5).contains("BertTest > warmup()", "BertTest > Large > inference(int)[1]");
        assertThat(text("document.getElementById('core').selectedOptions[0].textContent"))
                .isEqualTo("neuron0/neuron_core1");
    }

    @Test
    void filtersByADevice() throws Exception {
        // when
        browser.evaluate(
                "{ const core = document.getElementById('core'); core.selectedIndex = Array.from(core.options).findIndex(each => each.textContent === 'all of neuron1'); core.dispatchEvent(new Event('change')); }");

        // then
        assertThat(
                        texts(
                                "Array.from(document.querySelectorAll('#tests tbody tr'), row => row.cells[2]?.textContent).filter(core => core !== undefined)"))
                .hasSize(10)
                .allMatch(core -> core.startsWith("neuron1/"));
    }

    @Test
    void showsAllTestsWithoutItsScript() throws Exception {
        try {
            // when
            browser.scripts(false).open(night);

            // then
            assertThat(texts(NAMES)).hasSize(19);
            assertThat(browser.evaluate("document.getElementById('filters').offsetHeight")
                            .asInt())
                    .isZero();
        } finally {
            browser.scripts(true);
        }
    }

    @Test
    void showsTenThousandEqualFailuresAsOneBlock() throws Exception {
        // given
        Path equal = folder.resolve("equal.html");
        ReportPage.write(new RunFixture().alike(10_000).report(), List.of(), equal);

        // when
        browser.open(equal);

        // then
        assertThat(Files.size(equal)).as("bytes, which a phone has to load").isLessThan(5 << 20);
        assertThat(texts("Array.from(document.querySelectorAll('#failed article summary'), each => each.textContent)"))
                .startsWith("The same in 9999 more tests");
        assertThat(texts("Array.from(document.querySelectorAll('#failed .alike li'), each => each.textContent)"))
                .hasSize(101)
                .last()
                .isEqualTo("and 9899 more; the table of tests lists them");
        assertThat(texts(NAMES)).hasSize(50);
    }

    @ParameterizedTest
    @CsvSource({"320, 1", "390, 30", "1200, 30"})
    void equalFailuresFitTheScreen(int width, int failures) throws Exception {
        // given
        Path equal = folder.resolve("equal-%s.html".formatted(width));
        ReportPage.write(new RunFixture().alike(failures).report(), List.of(), equal);

        // when
        browser.screen(width, 800, "dark").open(equal);
        browser.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)");

        // then
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(width);
    }

    @Test
    void findsOneOfTenThousandTests() throws Exception {
        // given
        Path many = folder.resolve("many.html");
        ReportPage.write(new RunFixture().many(10_000).report(), List.of(), many);

        // when
        browser.open(many);
        int atFirst = texts(NAMES).size();
        click("#more");
        int more = texts(NAMES).size();
        type("suite13test [1080]");

        // then
        assertThat(Files.size(many)).as("bytes, which a phone has to load").isLessThan(4 << 20);
        assertThat(atFirst).isEqualTo(50);
        assertThat(more).isEqualTo(550);
        assertThat(texts(NAMES)).containsExactly("com.acme.models.Suite13Test > inference(int, String)[1080]");
    }

    @Test
    void printsAllTestsAndFoldedDetails() throws Exception {
        // given
        Path many = folder.resolve("printed.html");
        ReportPage.write(new RunFixture().night().many(300).report(), RunFixture.gates(), many);
        browser.open(many);

        // when
        byte[] pdf = browser.print();

        // then
        assertThat(new String(pdf, 0, 5, StandardCharsets.ISO_8859_1)).isEqualTo("%PDF-");
        assertThat(texts(NAMES)).hasSize(319);
        browser.media("print");
        assertThat(browser.evaluate("document.querySelector('details pre').getBoundingClientRect().height")
                        .asDouble())
                .isPositive();
        browser.media("screen");
    }

    @Test
    void testNamesHaveFullWidthOnPhone() throws Exception {
        // when
        browser.screen(390, 844, "light");

        // then
        assertThat(browser.evaluate(
                                "document.querySelector('#tests tbody td:nth-child(2)').getBoundingClientRect().width")
                        .asDouble())
                .isGreaterThan(330);
    }

    @Test
    void showsLineBreaksOfNotice() throws Exception {
        // when
        double height = browser.evaluate(
                        "{ const notice = document.querySelector('#notices li'); notice.textContent = 'hangs'; const one = notice.offsetHeight; notice.textContent = 'hangs\\n  at execute\\n  at run'; notice.offsetHeight / one; }")
                .asDouble();

        // then
        assertThat(height).as("times that of one line").isBetween(2.9, 3.1);
    }

    @Test
    void testNamesHaveRoomOnPaper() throws Exception {
        try {
            // when
            browser.screen(718, 1000, "light").media("print");

            // then
            assertThat(browser.evaluate("document.querySelector('#tests .of-test').getBoundingClientRect().width")
                            .asDouble())
                    .as("of the 718 pixels that A4 has beside its margins")
                    .isGreaterThan(220);
            assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                    .isLessThanOrEqualTo(718);
        } finally {
            browser.media("screen");
        }
    }

    @Test
    void runsNoScriptOfATest() throws Exception {
        // given
        Path hostile = folder.resolve("hostile.html");
        String name = "</script><script>window.hit = 1</script><img src=x onerror='window.hit = 2'>";
        ReportPage.write(
                new RunFixture()
                        .with(RunFixture.simple(name, TestOutcome.FAILED, 1, "neuron0/neuron_core0"))
                        .report(),
                List.of(),
                hostile);

        // when
        browser.open(hostile);
        click("#tests .of-test button");

        // then
        assertThat(texts(NAMES)).containsExactly(name);
        assertThat(browser.evaluate("window.hit === undefined").asBoolean()).isTrue();
    }

    @Test
    void showsANameInABarOnlyWhereThereIsRoom() throws Exception {
        // given
        Path few = folder.resolve("few.html");
        ReportPage.write(
                new RunFixture()
                        .with(RunFixture.simple("ATest > wide()", TestOutcome.PASSED, 0, "neuron0/neuron_core0"))
                        .with(RunFixture.simple("ATest > rest()", TestOutcome.PASSED, 9, "neuron0/neuron_core1"))
                        .report(),
                List.of(),
                few);
        String shown =
                "Array.from(document.querySelectorAll('#timeline .named span')).filter(each => each.getClientRects().length).map(each => each.textContent)";

        // when
        browser.open(few);
        List<String> wide = texts(shown);
        browser.screen(320, 800, "light").open(few);

        // then
        assertThat(wide).containsExactly("wide()", "rest()");
        assertThat(texts(shown)).isEmpty();
    }

    @Test
    void countsOneTest() throws Exception {
        // given
        Path one = folder.resolve("one.html");
        ReportPage.write(new RunFixture().many(1).report(), List.of(), one);

        // when
        browser.open(one);

        // then
        assertThat(text("document.getElementById('count').textContent")).isEqualTo("1 test");
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 390, 768, 1200})
    void fitsTheScreen(int width) throws Exception {
        // when
        browser.screen(width, 800, "dark").open(night);

        // then
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(width);
    }

    @Test
    void followsDarkModeOfSystem() throws Exception {
        // given
        String colour = "getComputedStyle(document.body).backgroundColor";
        String light = text(colour);

        // when
        browser.screen(1200, 900, "dark");

        // then
        assertThat(light).isEqualTo("rgb(255, 255, 255)");
        assertThat(text(colour)).isEqualTo("rgb(13, 17, 23)");
    }

    @Test
    void switchesPrintsFromSharedToSeparateScale() throws Exception {
        // given
        Path prints = folder.resolve("prints.html");
        Files.write(
                prints,
                PrintAttachments.of(new PrintFixture()
                                .floats("acc", 1)
                                .floats("acc", 2)
                                .live())
                        .all(PrintFixture.PASSED)
                        .get(0)
                        .content());
        String opacity = "getComputedStyle(document.querySelector('.card .map g')).opacity";
        browser.screen(390, 800, "dark").open(prints);

        // when
        String together = text(opacity);
        click(".own");

        // then
        assertThat(together).isEqualTo("0.5");
        assertThat(text(opacity)).isEqualTo("1");
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(390);
    }
}
