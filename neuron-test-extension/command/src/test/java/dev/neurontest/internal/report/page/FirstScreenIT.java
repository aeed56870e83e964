package dev.neurontest.internal.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.ReportedTest.Attached;
import dev.neurontest.internal.report.ReportedTest.Recorded;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.TestOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a failed test can be read on a phone without scrolling and without a click. */
class FirstScreenIT {

    private static final String CORE = "neuron0/neuron_core1";

    /** Returns whether all of a text is on the screen. */
    private static final String SEEN = """
            (text => {
              document.querySelectorAll('wbr').forEach(place => place.remove());
              document.body.normalize();
              const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              while (nodes.nextNode()) {
                const place = nodes.currentNode.data.indexOf(text);
                if (place >= 0 && nodes.currentNode.parentElement.checkVisibility()) {
                  const range = document.createRange();
                  range.setStart(nodes.currentNode, place);
                  range.setEnd(nodes.currentNode, place + text.length);
                  const box = range.getBoundingClientRect();
                  if (box.height > 0 && box.bottom <= innerHeight && box.right <= innerWidth) { return true; }
                }
              }
              return false;
            })(%s)
            """;

    @TempDir
    private static Path folder;

    private static ChromiumFixture browser;

    @BeforeAll
    static void start() throws Exception {
        browser = ChromiumFixture.start(folder);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private static void open(ReportedTest failed) throws Exception {
        Path page = folder.resolve("report.html");
        ReportPage.write(new RunFixture().in(folder).with(failed).report(), List.of(), page);
        browser.screen(390, 844, "light").open(page);
    }

    private static ReportedTest failed(
            TestOutcome outcome,
            String reason,
            List<Violation> violations,
            List<Recorded> recordings,
            List<Attached> attachments) {
        return new ReportedTest(
                0,
                new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:infers()]", "BertTest > infers()"),
                false,
                outcome,
                Optional.of(Phase.BODY),
                Optional.of(reason),
                List.of(CORE),
                RunFixture.START,
                Duration.ofSeconds(3),
                Duration.ZERO,
                violations,
                List.of(),
                List.of(),
                recordings,
                List.of(),
                attachments,
                0,
                Optional.empty());
    }

    private static boolean isSeen(String text) throws Exception {
        return browser.evaluate(SEEN.formatted("'" + text.replace("'", "\\'") + "'"))
                .asBoolean();
    }

    private static void assertSeen(String... texts) throws Exception {
        for (String text : texts) {
            assertThat(isSeen(text)).as(text).isTrue();
        }
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void showsViolatedCounter() throws Exception {
        open(failed(
                TestOutcome.FAILED,
                "org.opentest4j.AssertionFailedError: Neuron counters of neuron0/neuron_core1: 1 expectation violated\n\n...",
                List.of(new Violation(
                        "no error counter may move", CORE + " status/hw_error", "unchanged", "+2", "See dmesg.")),
                List.of(RunFixture.counters(1, 3)),
                List.of()));
        assertSeen("BertTest > infers()", "no error counter may move", "hw_error", "unchanged", "+2", "See dmesg.");
    }

    @Test
    void showsTooSlowProfile() throws Exception {
        open(failed(
                TestOutcome.FAILED,
                "org.opentest4j.AssertionFailedError: total_time: expected at most 15 ms, was 16 ms, 6.7 % over\nProfile of bert.neff: 1 expectation violated\n\n...",
                List.of(new Violation(
                        "@MaxLatency(\"15 ms\")", "total_time", "at most 15 ms", "16 ms, 6.7 % over", "Trace more.")),
                List.of(),
                List.of()));
        assertSeen(
                "total_time: expected at most 15 ms, was 16 ms, 6.7 % over",
                "at most 15 ms", "16 ms, 6.7 % over", "Trace more.");
    }

    @Test
    void showsDifferingElementsOfPrint() throws Exception {
        open(failed(
                TestOutcome.FAILED,
                "org.opentest4j.AssertionFailedError: print 17 \"acc\": 1 of 16 values is not what was expected\n\n"
                        + "index   expected  actual  difference  ULP\n[2, 3]      17.0    18.0        1.00    8\n",
                List.of(),
                List.of(
                        new Recorded(
                                "prints",
                                new JsonObject(
                                        "{\"mismatches\": [{\"prefix\": \"acc\", \"order\": 17, \"found\": \"1 of 16 values differs\", \"mismatches\": 1}]}"))),
                List.of()));
        assertSeen("acc, print 17: 1 of 16 values differs", "[2, 3]      17.0    18.0        1.00    8");
    }

    @Test
    void showsDeviceStateOfTimedOutTest() throws Exception {
        Path state = Files.writeString(
                folder.resolve("neuron-timeout.txt"),
                "The test ran out of time in its body.\n\nneuron0: reset ready; open in python3 (pid 4711)\n");
        open(failed(
                TestOutcome.FAILED,
                "java.util.concurrent.TimeoutException: infers() timed out after 30 seconds",
                List.of(),
                List.of(),
                List.of(new Attached("neuron-timeout.txt", "text/plain", 100, Optional.of(state)))));
        assertSeen("timed out after 30 seconds", "neuron0: reset ready;");
    }

    @Test
    void showsTestLostWithItsJvm() throws Exception {
        open(failed(
                TestOutcome.LOST,
                "JVM 4712 was killed while the test was in its body",
                List.of(),
                List.of(),
                List.of()));
        assertSeen("lost", "JVM 4712 was killed while the test was in its body", CORE);
    }

    @ParameterizedTest
    @CsvSource({
        "neuron15/neuron_core7, memory_usage/device_mem/model_shared_scratchpad, peak, bytes, 1073741823, +1 GiB",
        "neuron15/neuron_core7, memory_usage/device_mem/model_code, peak, bytes, 2048000, +1.95 MiB",
        "neuron15, memory_usage/host_mem/application_memory, peak, bytes, 2048000, +1.95 MiB",
        "neuron15/neuron_core7, status/timed_out_ncfw_err, total, count, 18446744073709, +18446744073709",
        "neuron15, hardware/mem_ecc_repairable_uncorrected, value, count, 2, +2"
    })
    void counterFitsOnOneLine(String place, String counter, String field, String unit, long delta, String text)
            throws Exception {
        // given
        Recorded moved = new Recorded("counters", new JsonObject("""
                {"version": 1, "kind": "counters", "host": "%s", "cores": ["%s"],
                 "moved": [{"place": "%s", "counter": "%s", "field": "%s", "unit": "%s", "movement": "rose", "before": 0, "after": %s, "delta": %s, "text": "%s", "location": "/x"}],
                 "foreign": [], "unreadable": [], "settled": true, "settlingMillis": 0, "deferredBy": {}, "neighbours": []}
                """.formatted(
                        RunFixture.HOST, CORE, place, counter, field, unit, delta, delta, text)));

        // when
        open(failed(TestOutcome.FAILED, "java.lang.AssertionError: 1", List.of(), List.of(moved), List.of()));

        // then
        assertThat(browser.evaluate(
                                "(cell => { const text = document.createRange(); text.selectNodeContents(cell); return new Set(Array.from(text.getClientRects(), box => box.bottom)).size; })(document.querySelector('table.rows td'))")
                        .asInt())
                .as("lines of %s", counter)
                .isEqualTo(1);
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(390);
    }

    @Test
    void commandBreaksOnlyBetweenWords() throws Exception {
        // when
        open(failed(TestOutcome.FAILED, "java.lang.AssertionError: 1", List.of(), List.of(), List.of()));

        // then
        assertThat(browser.evaluate("document.querySelector('.command').textContent")
                        .asString())
                .isEqualTo("mvn test -Dtest=com.acme.BertTest#infers -Dneuron.test.platform=fake:trn1.32xlarge");
        assertThat(browser.evaluate(
                                "Math.max(...Array.from(document.querySelectorAll('.command span'), word => word.getBoundingClientRect().height))")
                        .asDouble())
                .as("a word in one line")
                .isBetween(1.0, 25.0);
    }

    @Test
    void aLongWordOfACommandStaysInItsBox() throws Exception {
        // when
        open(failed(TestOutcome.FAILED, "java.lang.AssertionError: 1", List.of(), List.of(), List.of()));

        // then
        assertThat(browser.evaluate(
                                "{ const word = document.querySelector('.command span'); word.textContent = '/opt/libs/a.jar:'.repeat(50); const box = document.querySelector('.command'); box.parentElement.getBoundingClientRect().right - box.getBoundingClientRect().right; }")
                        .asDouble())
                .isNotNegative();
    }

    @Test
    void foldedLogAndMessageOfExpectationsAreNotShown() throws Exception {
        Path log = Files.writeString(folder.resolve("log.txt"), "a line of a log\n".repeat(3));
        open(failed(
                TestOutcome.FAILED,
                "a counter: expected unchanged, was +1\n\na counter\n  expected unchanged\n  was +1\n  Also look there.\n",
                List.of(new Violation("a rule", "a counter", "unchanged", "+1", "Look.")),
                List.of(RunFixture.counters(1, 3)),
                List.of(new Attached("log.txt", "text/plain", 48, Optional.of(log)))));

        // then folded text is hidden
        assertThat(isSeen("a line of a log")).isFalse();
        assertThat(isSeen("Also look there.")).isFalse();
    }
}
