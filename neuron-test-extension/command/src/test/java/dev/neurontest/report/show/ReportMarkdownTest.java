package dev.neurontest.report.show;

import static dev.neurontest.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.RunLinesFixture;
import dev.neurontest.report.ReportFixture;
import dev.neurontest.report.RunReport;
import dev.neurontest.report.merge.RunReports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportMarkdownTest {

    @TempDir
    Path folder;

    @Test
    void tells_gates_then_what_failed_then_the_rest_folded() throws IOException {
        // given
        RunReport report = ReportFixture.everything(folder);

        // when
        String markdown = ReportMarkdown.of(report, List.of(ReportFixture.FAILED, ReportFixture.PASSED));

        // then
        assertThat(markdown.substring(0, markdown.indexOf("<details><summary>Problems")))
                .isEqualTo("""
                ## Neuron Test: gates failed

                6 tests of 3 JVMs in 1 min 30 s: **1 failed, 1 lost, 1 undecided, 1 aborted, 1 skipped, 1 passed**

                - trn2.48xlarge (real), driver 2.30.51.0, 16 devices with 64 cores, LNC 2, on ip-10-0-0-7
                - trn1.2xlarge (fake), driver 2.30.1.0, 1 device with 2 cores
                - no Neuron host

                | Gate |  | Expected | Was | What to do |
                | --- | --- | --- | --- | --- |
                | failed.max | FAILED | no failed test | 2 | mend the tests, or raise neuron.test.gate.failed.max |
                | skipped.max | passed | at most 3 skipped tests | 1 |  |

                <details open><summary><b>FAILED</b> BertTest &#62; t() on neuron0/neuron&#95;core3</summary>

                | Subject | Expected | Was | What to do |
                | --- | --- | --- | --- |
                | neuron0/neuron&#95;core3 status/hw&#95;error | no movement | +3 | see dmesg, or &#64;AllowCounter("hw&#95;error") |

                - worse: com.acme.BertTest&#35;t() total&#95;time, 1.071 times the baseline (1.058 to 1.083), margin 3 %, 3 runs, slower
                - counters did not settle within 2 s

                <pre>mvn test -Dtest=com.acme.BertTest&#35;t</pre>

                </details>

                <details><summary><b>LOST</b> BertTest &#62; lost() on neuron1/neuron&#95;core0</summary>

                - JVM 4712 was killed while the test was in its body

                <pre>mvn test -Dtest=com.acme.BertTest&#35;lost -Dneuron.test.platform=fake:trn1.2xlarge</pre>

                </details>

                <details><summary><b>UNDECIDED</b> BertTest &#62; Inner &#62; &#60;/script&#62;&#60;b&#62;&#124;&#96;x&#96; &#91;1&#93; &#42;now&#42; &#36;a&#36; on neuron1/neuron&#95;core0</summary>

                - undecided: neuron1/neuron&#95;core0: the owner of the core is still alive

                <pre>mvn test '-Dtest=com.acme.BertTest&#36;Inner&#35;inference' -Dneuron.test.invocation=1</pre>

                </details>

                <details><summary>Baselines (1)</summary>

                - worse: com.acme.BertTest&#35;t() total&#95;time, 1.071 times the baseline (1.058 to 1.083), margin 3 %, 3 runs, slower

                </details>

                <details><summary>Skipped (1)</summary>

                - 1 test: no model on this host

                </details>

                <details><summary>Flaky (1)</summary>

                - BertTest &#62; again() failed once on neuron0/neuron&#95;core3, was run again on another core

                </details>

                <details><summary>Cores</summary>

                | Host | Core | Tests | Failed | Used | Quarantine |
                | --- | --- | --- | --- | --- | --- |
                | fake:trn1.2xlarge&#64;driver-2.30 | neuron0/neuron&#95;core3 | 1 | 0 | 46 ms |  |
                | fake:trn1.2xlarge&#64;driver-2.30 | neuron1/neuron&#95;core0 | 1 | 1 | 26 ms |  |
                | ip-10-0-0-7 | neuron0/neuron&#95;core3 | 2 | 1 | 2.1 s | hw&#95;error rose by 3; over: its device was reset |
                | ip-10-0-0-7 | neuron1/neuron&#95;core0 | 1 | 0 | 102 ms |  |

                </details>

                <details><summary>Error counters of hosts (1)</summary>

                - neuron3 hardware/mem&#95;ecc&#95;uncorrected of ip-10-0-0-7 went from 2 to 5, 3 of it outside of what tests saw

                </details>

                <details><summary>Notices (1)</summary>

                - execution counters appear when their owner exits

                </details>

                """);
    }

    @Test
    void of_a_good_run_has_nothing_to_unfold_but_cores() throws IOException {
        // given
        new RunLinesFixture(1)
                .started("a")
                .onHardware()
                .ran(test("t"), Outcome.PASSED, ReportFixture.CORE_3)
                .finished()
                .writeTo(folder);

        // then
        assertThat(ReportMarkdown.of(RunReports.merge(List.of(folder)), List.of(ReportFixture.PASSED)))
                .startsWith("## Neuron Test: gates passed\n")
                .containsOnlyOnce("<details>");
    }

    @Test
    void is_bounded_however_much_failed() throws IOException {
        // given
        RunLinesFixture jvm = new RunLinesFixture(1).started("a").onHardware();
        for (int number = 0; number < 2000; number++) {
            jvm.ran(test("<".repeat(500) + number), Outcome.FAILED, "neuron%d/neuron_core0".formatted(number));
        }
        jvm.finished().writeTo(folder);

        // when
        String markdown = ReportMarkdown.of(RunReports.merge(List.of(folder)), List.of(ReportFixture.FAILED));

        // then
        assertThat(markdown.length()).isLessThan(400_000);
        assertThat(markdown).contains("more that failed, were lost or are undecided.");
    }

    @Test
    void text_from_outside_is_text_in_markdown_tables_and_html() {
        // then
        assertThat(ReportMarkdown.escape("</script>|`x`\n*a* \u001b \ud800 é"))
                .isEqualTo("&#60;/script&#62;&#124;&#96;x&#96; &#42;a&#42; \\u001b \\ud800 é");
        assertThat(ReportMarkdown.escape("x".repeat(3000))).hasSize(2000).endsWith("\u2026");
    }
}
