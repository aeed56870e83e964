package dev.neurontest.internal.command.run;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.terminal.AnsiSequences;
import dev.neurontest.internal.terminal.VisibleWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** Tests of the JVM of the tests, within this JVM. */
class TestJvmIT {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    static class OutcomesFixture {

        @Test
        @Tag("quick")
        void passes() {}

        @Test
        @Tag("slow")
        void fails() {
            Assertions.fail("too slow & <late> \u0000");
        }

        @Test
        @Tag("slow")
        void givesUp() {
            Assumptions.abort("no network\nsecond line");
        }

        @Test
        @Disabled("needs a trn2")
        @Tag("slow")
        void isOff() {}
    }

    static class BrokenClassFixture {

        @BeforeAll
        static void prepare() {
            throw new IllegalStateException("no model");
        }

        @Test
        void never() {}
    }

    private int run(Class<?> tests, String... more) {
        List<String> words = new ArrayList<>(List.of(more));
        words.add("class=" + tests.getName());
        return run(new TestSelection(words));
    }

    private int run(TestSelection selection) {
        return new TestJvm(selection, stream(out), stream(err)).run(new RunState(folder));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void printsFailuresAndEachReasonOnce() {
        // when
        int end = run(OutcomesFixture.class);

        // then
        assertThat(end).isEqualTo(ExitStatus.FAILED);
        assertThat(out())
                .startsWith("FAILED  TestJvmIT$OutcomesFixture > fails()\n")
                .contains("""
                        aborted 1 test: no network
                          TestJvmIT$OutcomesFixture > givesUp()
                        skipped 1 test: needs a trn2
                          TestJvmIT$OutcomesFixture > isOff()
                        """)
                .contains("org.opentest4j.AssertionFailedError: too slow & <late>")
                .doesNotContain("passes()")
                .containsPattern("4 tests: 1 passed, 1 failed, 1 aborted, 1 skipped in \\d+\\.\\d s\n$");
    }

    @Disabled("needs a trn2")
    static class SkippedFixture {

        @Test
        void a() {}

        @Test
        void b() {}

        @Test
        void c() {}

        @Test
        void d() {}
    }

    @Test
    void listsFirstThreeTestsOfReason() {
        // when
        run(SkippedFixture.class);

        // then
        assertThat(out())
                .containsPattern(
                        "^skipped 4 tests: needs a trn2\n  (TestJvmIT\\$SkippedFixture > [a-d]\\(\\),? ){3}and 1 more\n4 tests: 4 skipped");
    }

    static class GivenUpFixture {

        @BeforeAll
        static void prepare() {
            Assumptions.abort("no network");
        }

        @Test
        void never() {}
    }

    @Test
    void printsAbortedClassAsContainer() {
        // when
        run(GivenUpFixture.class);

        // then
        assertThat(out()).startsWith("aborted 1 container: no network\n  TestJvmIT$GivenUpFixture\n0 tests");
    }

    @Test
    void printsEachOutcomeWithAllDetails() {
        // when
        int end = run(OutcomesFixture.class, TestSelection.DETAILS + DetailsOption.ALL);

        // then
        assertThat(end).isEqualTo(ExitStatus.FAILED);
        assertThat(out())
                .containsPattern("(?m)^ok {6}TestJvmIT\\$OutcomesFixture > passes\\(\\) \\(\\d+ ms\\)$")
                .doesNotContain("aborted 1 test")
                .contains("FAILED  TestJvmIT$OutcomesFixture > fails()\n")
                .contains("aborted TestJvmIT$OutcomesFixture > givesUp(): no network\n")
                .contains("skipped TestJvmIT$OutcomesFixture > isOff(): needs a trn2\n")
                .contains("org.opentest4j.AssertionFailedError: too slow & <late>")
                .containsPattern("4 tests: 1 passed, 1 failed, 1 aborted, 1 skipped in \\d+\\.\\d s\n$");
    }

    @Test
    void coloursOnlyOutcomes() {
        // when
        run(OutcomesFixture.class, TestSelection.COLOURS + "k3y", TestSelection.DETAILS + DetailsOption.ALL);

        // then
        StringWriter terminal = new StringWriter();
        VisibleWriter.on(terminal, new AnsiSequences("k3y")).print(out());
        assertThat(terminal.toString())
                .contains("\u001b[32mok     \u001b[0m TestJvmIT")
                .contains("\u001b[31mFAILED \u001b[0m TestJvmIT")
                .contains("\u001b[33mskipped\u001b[0m TestJvmIT")
                .contains("\u001b[33maborted\u001b[0m TestJvmIT")
                .contains("4 tests: \u001b[32m1 passed\u001b[0m, \u001b[31m1 failed\u001b[0m, ");
        assertThat(terminal.toString().replaceAll("\u001b\\[(3[123]|0)m", "")).doesNotContain("\u001b");
    }

    static class WaitingFixture {

        private static volatile Supplier<String> progress = () -> "";

        @Test
        @DisplayName("waits\nfor \u001b[2J")
        void waits() {
            await().until(() -> progress.get().contains("running"));
        }
    }

    @Test
    void reportsProgressWithRunningTest() {
        // given
        RunState state = new RunState(folder);
        AtomicReference<String> progress = new AtomicReference<>("");
        WaitingFixture.progress = () -> progress.updateAndGet(before -> state.progress());

        // when
        int end = run(WaitingFixture.class);

        // then JUnit 6 escapes the name itself; JUnit 5 leaves that to this program
        assertThat(end).isEqualTo(ExitStatus.PASSED);
        assertThat(progress.get())
                .matches("0 of 1 test, running TestJvmIT\\$WaitingFixture > waits"
                        + "(\\\\u000a|<LF>)for (\\\\u001b|\uFFFD)\\[2J \\d+ s");
    }

    static class NamesOfTwoLinesFixture {

        @Test
        @DisplayName("fails\nin two lines")
        void fails() {
            Assertions.fail("a failure");
        }

        @Test
        @DisplayName("aborts\nin two lines")
        void aborts() {
            Assumptions.abort("a reason");
        }
    }

    @Test
    void printsNamesInOneLine() {
        // when
        run(NamesOfTwoLinesFixture.class);

        // then
        assertThat(out().lines().filter(line -> line.contains("in two lines")))
                .hasSize(3)
                .allSatisfy(line ->
                        assertThat(line).matches(".*NamesOfTwoLinesFixture > (fails|aborts)\\S+in two lines.*"));
    }

    @Test
    void leavesExcludedTagsOut() {
        // when
        int end = run(OutcomesFixture.class, "exclude-tag=slow");

        // then
        assertThat(end).isEqualTo(ExitStatus.PASSED);
        assertThat(out()).contains("1 test: 1 passed");
    }

    @Test
    void namesMissingClass() {
        // when
        int end = run(new TestSelection(List.of("class=com.acme.Missing")));

        // then
        assertThat(end).isEqualTo(ExitStatus.COULD_NOT_RUN);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("There is no class com.acme.Missing on the class path.\n");
    }

    @Test
    void failsWhenClassCannotRunItsTests() {
        // when
        int end = run(BrokenClassFixture.class);

        // then
        assertThat(end).isEqualTo(ExitStatus.FAILED);
        assertThat(out())
                .contains("FAILED  TestJvmIT$BrokenClassFixture\n")
                .contains("java.lang.IllegalStateException: no model")
                .contains("0 tests, and 1 that could not run its tests in ");
    }

    @Test
    void refusesSelectionWithoutTests() {
        // when
        int end = run(OutcomesFixture.class, "include-tag=nightly");

        // then
        assertThat(end).isEqualTo(ExitStatus.COULD_NOT_RUN);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith(
                        "No tests were found. Searched: include-tag=nightly, class=" + OutcomesFixture.class.getName());
    }

    @Test
    void writesJUnitXmlReport() throws Exception {
        // when
        run(OutcomesFixture.class, "reports-dir=" + folder);

        // then
        Element suite = suite();
        assertThat(suite.getAttribute("name")).isEqualTo("neuron-test");
        assertThat(List.of("tests", "failures", "errors", "skipped"))
                .extracting(suite::getAttribute)
                .containsExactly("4", "1", "0", "2");
        Element failure = (Element) suite.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).isEqualTo("too slow & <late> \uFFFD");
        assertThat(failure.getTextContent()).contains("TestJvmIT.java");
        Element test = (Element) failure.getParentNode();
        assertThat(test.getAttribute("name")).isEqualTo("fails()");
        assertThat(test.getAttribute("classname")).isEqualTo(OutcomesFixture.class.getName());
    }

    @Test
    void writesAClassThatCouldNotRunAsAnError() throws Exception {
        // when
        run(BrokenClassFixture.class, "reports-dir=" + folder);

        // then
        assertThat(suite().getAttribute("errors")).isEqualTo("1");
    }

    @Test
    void reportsUnwritableReportFolder() throws IOException {
        // given
        Path file = Files.createFile(folder.resolve("file"));

        // when
        int end = run(OutcomesFixture.class, "include-tag=quick", "reports-dir=" + file);

        // then
        assertThat(end).isEqualTo(ExitStatus.COULD_NOT_RUN);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("The report cannot be written: ");
    }

    private Element suite() throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(folder.resolve("TEST-neuron-test.xml").toFile())
                .getDocumentElement();
    }
}
