package dev.neurontest.internal.report.show;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.ReportFixture;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportMarkdownTest {

    @TempDir
    Path folder;

    private static String markdown(RunReport report, List<GateOutcome> gates) {
        return ReportMarkdown.of(report, gates, Optional.empty());
    }

    @Test
    void showsEqualFailuresOnce() {
        // when
        String markdown = markdown(new RunFixture().alike(30).report(), List.of());

        // then
        assertThat(markdown)
                .containsOnlyOnce("<b>FAILED</b>")
                .contains(
                        "<b>FAILED</b> KernelTest &#62; adds(int) &#62; &#91;1&#93; n=1 on neuron0/neuron&#95;core1 and 29 more tests</summary>")
                .contains(
                        "<details><summary>The same in 29 more tests</summary>\n\n- &#91;2&#93; n=2 on neuron1/neuron&#95;core0: +2\n")
                .contains("\n- &#91;30&#93; n=30 on neuron1/neuron&#95;core0: +30\n\n</details>")
                .containsOnlyOnce("<b>MISTAKE IN TEST</b>")
                .contains("NamesTest &#62; counts(int) &#62; &#91;1&#93; n=1 and 1 more test</summary>");
    }

    @Test
    void listsGatesThenFailuresThenFoldedRest() throws IOException {
        // given
        RunReport report = ReportFixture.everything(folder);

        // when
        String markdown = markdown(report, List.of(ReportFixture.FAILED, ReportFixture.PASSED));

        // then
        assertThat(markdown.substring(0, markdown.indexOf("<details><summary>Problems")))
                .isEqualTo("""
                ## Neuron Test: gates failed

                6 tests of 3 JVMs in 1 min 30 s: **1 failed, 1 lost, 1 undecided, 1 skipped, 2 passed**

                Run: 2026-11-21 09:00:00 to 09:01:30 UTC

                - trn2.48xlarge (real), driver 2.30.51.0, 16 devices with 64 cores, LNC 2, on ip-10-0-0-7
                - trn1.2xlarge (fake), driver 2.30.1.0, 1 device with 2 cores
                - no Neuron host

                | Gate |  | Expected | Was | What to do |
                | --- | --- | --- | --- | --- |
                | failed.max | FAILED | no failed test | 2 | mend the tests, or raise failed.max |
                | skipped.max | passed | at most 3 skipped tests | 1 |  |

                <details open><summary><b>FAILED</b> BertTest &#62; t() on neuron0/neuron&#95;core3</summary>

                - reason of BertTest &#62; t()
                - worse: com.acme.BertTest&#35;t() total&#95;time, 18.1 ms now, 16.9 ms before, 7.1 % slower (95 % interval: +5.8 % to +8.3 %); up to 3 % is accepted, 3 runs, slower
                - counters did not settle within 2 s
                - took 2.1 s, waited 4 ms for cores, on ip-10-0-0-7

                | Expectation | Subject | Expected | Was | What to do |
                | --- | --- | --- | --- | --- |
                | no error counter may move | neuron0/neuron&#95;core3 status/hw&#95;error | no movement | +3 | see dmesg, or &#64;AllowCounter("hw&#95;error") |

                <pre>mvn test -Dtest=com.acme.BertTest&#35;t</pre>

                </details>

                <details><summary><b>LOST</b> BertTest &#62; lost() on neuron1/neuron&#95;core0</summary>

                - JVM 4712 was killed while the test was in its body
                - took 30 ms, waited 4 ms for cores, last phase: body, on fake:trn1.2xlarge&#64;driver-2.30

                <pre>mvn test -Dtest=com.acme.BertTest&#35;lost -Dneuron.test.platform=fake:trn1.2xlarge</pre>

                </details>

                <details><summary><b>UNDECIDED</b> BertTest &#62; Inner &#62; &#60;/script&#62;&#60;b&#62;&#124;&#96;x&#96; &#91;1&#93; &#42;now&#42; &#36;a&#36; on neuron1/neuron&#95;core0</summary>

                - reason of BertTest &#62; Inner &#62; &#60;/script&#62;&#60;b&#62;&#124;&#96;x&#96;
                - undecided: neuron1/neuron&#95;core0: the owner of the core is still alive
                - took 60 ms, waited 4 ms for cores, on ip-10-0-0-7

                <details><summary>The whole message</summary>

                <pre>
                reason of BertTest &#62; Inner &#62; &#60;/script&#62;&#60;b&#62;&#124;&#96;x&#96;
                &#91;1&#93; &#42;now&#42; &#36;a&#36;
                </pre>

                </details>

                <pre>mvn test '-Dtest=com.acme.BertTest&#36;Inner&#35;inference' -Dneuron.test.invocation=1</pre>

                </details>

                <details><summary>Baselines (1)</summary>

                - worse: com.acme.BertTest&#35;t() total&#95;time, 18.1 ms now, 16.9 ms before, 7.1 % slower (95 % interval: +5.8 % to +8.3 %); up to 3 % is accepted, 3 runs, slower

                </details>

                <details><summary>Skipped tests (1)</summary>

                - 1 test: no model on this host

                </details>

                <details><summary>Flaky tests (1)</summary>

                - BertTest &#62; again() passed on attempt 2 on neuron1/neuron&#95;core0; attempt 1 failed on neuron0/neuron&#95;core3: reason of BertTest &#62; again() &#62; attempt 1

                </details>

                <details><summary>Suspect cores (1)</summary>

                - neuron1/neuron&#95;core0 of ip-10-0-0-7 after BertTest &#62; u(): status/hw&#95;error +1; over: counts are as before

                </details>

                <details><summary>Cores in quarantine (1)</summary>

                - neuron0/neuron&#95;core3 of ip-10-0-0-7 after BertTest &#62; t(): hw&#95;error rose by 3; over: its device was reset

                </details>

                <details><summary>Error counters of hosts</summary>

                | Host | Counter | Start | End | Change | Tests explain | Unexplained |
                | --- | --- | --- | --- | --- | --- | --- |
                | ip-10-0-0-7 | neuron3 hardware/mem&#95;ecc&#95;uncorrected | 2 | 5 | +3 | 0 | 3 |

                </details>

                <details><summary>Cores</summary>

                | Host | Core | Tests | Failed | Used for | Quarantine |
                | --- | --- | --- | --- | --- | --- |
                | fake:trn1.2xlarge&#64;driver-2.30 | neuron0/neuron&#95;core3 | 1 | 0 | 46 ms |  |
                | fake:trn1.2xlarge&#64;driver-2.30 | neuron1/neuron&#95;core0 | 1 | 1 | 26 ms |  |
                | ip-10-0-0-7 | neuron0/neuron&#95;core3 | 2 | 2 | 2.1 s | hw&#95;error rose by 3; over: its device was reset |
                | ip-10-0-0-7 | neuron1/neuron&#95;core0 | 2 | 0 | 158 ms | suspect: status/hw&#95;error +1; over: counts are as before |

                </details>

                <details><summary>Notices (1)</summary>

                - execution counters appear when their owner exits

                </details>

                """);
    }

    @Test
    void showsFailureWithExpectationsPrintsAndMessage() {
        // given
        RunReport report = new RunFixture().night().report();

        // when
        String failure = shown(markdown(report, List.of()), "BertTest > Large > inference(int)[1]");

        // then
        assertThat(failure)
                .as("why, in a line, and each expectation with its rule")
                .contains("- Counters of neuron0/neuron_core1: 2 expectations violated\n")
                .contains(
                        "| @ExpectCounter(\"inference_count\", delta = 100) | neuron0/neuron_core1 other_info/inference_count"
                                + " | +100 | +98 | Two executions did not end. |");
        assertThat(failure)
                .as("the elements that differ, and the last prints")
                .contains(
                        "- acc tile 11, print 11: 3 of 65536 elements differ, the first at [17, 3]: expected 1.5, was NaN\n")
                .contains("Printed by kernels: the last 8 of 12\n")
                .contains("| 02:25:01.123 | neuron0/neuron_core1 | acc tile 11 | -3.5 to 15.25, 30,000 NaN |")
                .doesNotContain("acc tile 3 ");
        assertThat(failure).as("the whole message, line by line").contains("""
                <details><summary>The whole message</summary>

                <pre>
                Counters of neuron0/neuron_core1: 2 expectations violated

                counter                                before  after  delta
                neuron0/neuron_core1 status/hw_error        1      3     +2
                </pre>
                """);
        assertThat(failure).contains("- took 3.2 s, waited 1.2 s for cores, on fake:trn1.32xlarge");
    }

    @Test
    void showsDeviceStateOfTimedOutTest() throws IOException {
        // given
        new RunLinesFixture(1)
                .started("a")
                .onHardware()
                .begun(test("hangs"), ReportFixture.CORE_3)
                .add(new RunEvent.Recorded(test("hangs"), "timeout", new JsonObject("""
                        {"version": 1, "kind": "timeout", "phase": "body", "thread": "main",
                         "devices": ["neuron0: reset ready; health unreported; ecc none; open in no process that is visible"],
                         "counters": "Counters of neuron0/neuron_core3\\n\\nNo counter changed.\\n",
                         "threads": "\\"main\\" TIMED_WAITING\\n    at java.lang.Thread.sleep(Native Method)\\n"}
                        """)))
                .ended(test("hangs"), Outcome.FAILED, ReportFixture.CORE_3)
                .finished()
                .writeTo(folder);

        // when
        String hang = shown(markdown(RunReports.merge(List.of(folder)), List.of()), "BertTest > hangs()");

        // then
        assertThat(hang)
                .contains("- before the interrupt, in body: neuron0: reset ready; health unreported; ecc none;"
                        + " open in no process that is visible\n")
                .contains("""
                <details><summary>Counters and threads before the interrupt</summary>

                <pre>
                Counters of neuron0/neuron_core3

                No counter changed.

                "main" TIMED_WAITING
                    at java.lang.Thread.sleep(Native Method)
                </pre>
                """);
    }

    @Test
    void countsOmittedNoticesAndLinesOfTest() throws IOException {
        // given
        RunLinesFixture jvm = new RunLinesFixture(1).started("a").onHardware().begun(test("t"), ReportFixture.CORE_3);
        for (int number = 0; number < 53; number++) {
            jvm.add(new RunEvent.Noticed(test("t"), "notice " + number));
        }
        jvm.add(new RunEvent.Recorded(test("t"), "timeout", new JsonObject("""
                        {"version": 1, "kind": "timeout", "phase": "body", "thread": "main", "devices": [],
                         "counters": "%s", "threads": "main"}
                        """.formatted("counter\\n".repeat(60)))))
                .ended(test("t"), Outcome.FAILED, ReportFixture.CORE_3)
                .finished()
                .writeTo(folder);

        // then
        assertThat(markdown(RunReports.merge(List.of(folder)), List.of()))
                .contains("- notice 49\n- and 3 more notices\n", "counter\nand 12 more lines\n</pre>");
    }

    /** Returns the section of one test as rendered. */
    private static String shown(String markdown, String name) {
        String shown = Pattern.compile("&#(\\d+);")
                .matcher(markdown)
                .replaceAll(found -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1)))));
        String from = shown.substring(shown.indexOf("</b> " + name + " on"));
        return shown.substring(shown.indexOf(from) - 20, shown.indexOf(from))
                + from.substring(0, from.indexOf("\n</details>\n\n<details><summary>", from.indexOf("<pre>mvn")));
    }

    @Test
    void staysBelowOneMebibyte() throws IOException {
        // given
        String long_ = "<\u00e9".repeat(1500);
        RunLinesFixture jvm = new RunLinesFixture(1).started("a").onHardware();
        for (int number = 0; number < 300; number++) {
            TestId test = test(long_ + number);
            String core = "neuron%s/neuron_core0".formatted(number);
            jvm.begun(test, core);
            for (int expectation = 0; expectation < 5; expectation++) {
                jvm.add(new RunEvent.Violated(test, new Violation(long_ + number, long_, long_, long_, long_)));
            }
            jvm.add(new RunEvent.Noticed(null, long_ + number)).ended(test, Outcome.FAILED, core);
        }
        for (int number = 0; number < 60; number++) {
            jvm.add(new RunEvent.TestFinished(test("skipped" + number), Outcome.SKIPPED, List.of(), long_ + number));
        }
        jvm.finished().writeTo(folder);

        // when
        String markdown = markdown(RunReports.merge(List.of(folder)), List.of(ReportFixture.FAILED));

        // then
        assertThat(markdown.getBytes(StandardCharsets.UTF_8).length).isLessThan(1 << 20);
        assertThat(markdown)
                .contains("<summary>Notices (300)", "more that failed, were lost or are undecided. The report")
                .containsPattern("- and [0-9]+ more\n");
    }

    @Test
    void escapesAndShortensTextFromOutside() {
        // then
        assertThat(ReportMarkdown.escaped("</script>|`x`\n*a* \u001b \ud800 é"))
                .isEqualTo("&#60;/script&#62;&#124;&#96;x&#96; &#42;a&#42; \\u001b \\ud800 é");
        assertThat(ReportMarkdown.escaped("x".repeat(3000))).hasSize(2001).endsWith("\u2026");
    }
}
