package dev.neurontest.internal.report.show;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.evidence.TestTool;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.ReportFixture;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.internal.terminal.AnsiSequences;
import dev.neurontest.internal.terminal.TerminalStyle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTextTest {

    @TempDir
    Path folder;

    private static String text(RunReport report, List<GateOutcome> gates, TerminalStyle look) {
        return ReportText.of(report, gates, Optional.empty(), look);
    }

    private RunReport run(UnaryOperator<RunLinesFixture> events) throws IOException {
        events.apply(new RunLinesFixture(1).started("a").onHardware())
                .finished()
                .writeTo(folder);
        return RunReports.merge(List.of(folder));
    }

    @Test
    void coloursOutcomesAndGates() throws IOException {
        // given
        RunReport report = ReportFixture.everything(folder);
        List<GateOutcome> gates = List.of(ReportFixture.FAILED, ReportFixture.PASSED);

        // when
        String text =
                text(report, gates, new TerminalStyle(TerminalStyle.WIDEST, Optional.of(new AnsiSequences("k3y"))));

        // then
        String shown = text.replaceAll("\u001bk3y\\[(\\d+)m\u0007", "<$1>");
        assertThat(shown)
                .startsWith("<1>Neuron Test report<0>: 6 tests of ")
                .contains("  <31>1 failed<0>, <31>1 lost<0>, <33>1 undecided<0>, ", ", <32>2 passed<0>\n")
                .contains("<31>GATES FAILED<0>: 1 of 2\n")
                .contains("\n<31>FAILED<0> BertTest > t() on ", "\n<31>LOST<0> BertTest > lost()");
        assertThat(shown.replaceAll("<\\d+>", "")).isEqualTo(text(report, gates, TerminalStyle.PLAIN));
    }

    @Test
    void wrapsLinesOnNarrowTerminal() throws IOException {
        // given
        RunReport report = ReportFixture.everything(folder);

        // when
        String text = text(report, List.of(ReportFixture.FAILED), new TerminalStyle(40, Optional.empty()));

        // then
        assertThat(text.lines().filter(line -> !line.contains("rerun: ") && !line.contains("-D")))
                .as("lines of more than one word")
                .allMatch(line -> line.length() <= 40 || !line.strip().contains(" "));
        assertThat(text).contains("waited for cores").doesNotContain("\u2026");
    }

    @Test
    void listsGatesThenFailuresThenRest() throws IOException {
        // given
        RunReport report = ReportFixture.everything(folder);

        // when
        String text = text(report, List.of(ReportFixture.FAILED, ReportFixture.PASSED), TerminalStyle.PLAIN);

        // then
        String file = report.jvms().get(1).file().toString();
        assertThat(text.replaceAll("problem: [^\\n]*\\n(    [^\\n]*\\n)*", "problem: ...\n"))
                .isEqualTo("""
                Neuron Test report: 6 tests of 3 JVMs in 1 min 30 s
                  1 failed, 1 lost, 1 undecided, 1 skipped, 2 passed
                  run: 2026-11-21 09:00:00 to 09:01:30 UTC
                  trn2.48xlarge (real), driver 2.30.51.0, 16 devices with 64 cores, LNC 2, on ip-10-0-0-7
                  trn1.2xlarge (fake), driver 2.30.1.0, 1 device with 2 cores
                  no Neuron host
                GATES FAILED: 1 of 2
                  failed.max: expected no failed test, was 2
                    mend the tests, or raise failed.max

                FAILED BertTest > t() on neuron0/neuron_core3 (2.1 s)
                  reason of BertTest > t()
                  neuron0/neuron_core3 status/hw_error: expected no movement, was +3
                    see dmesg, or @AllowCounter("hw_error")
                  counters did not settle within 2 s
                  rerun: mvn test -Dtest=com.acme.BertTest#t

                LOST BertTest > lost() on neuron1/neuron_core0 (30 ms)
                  JVM 4712 was killed while the test was in its body
                  rerun: mvn test -Dtest=com.acme.BertTest#lost -Dneuron.test.platform=fake:trn1.2xlarge

                UNDECIDED BertTest > Inner > </script><b>|`x` [1] *now* $a$ on neuron1/neuron_core0 (60 ms)
                  reason of BertTest > Inner > </script><b>|`x`
                  [1] *now* $a$
                  undecided: neuron1/neuron_core0: the owner of the core is still alive
                  rerun: mvn test '-Dtest=com.acme.BertTest$Inner#inference' -Dneuron.test.invocation=1

                baseline worse: com.acme.BertTest#t() total_time, 18.1 ms now, 16.9 ms before, 7.1 % slower (95 % interval: +5.8 % to
                    +8.3 %); up to 3 % is accepted, 3 runs, slower
                skipped 1 test: no model on this host
                flaky: BertTest > again() passed on attempt 2 on neuron1/neuron_core0; attempt 1 failed on neuron0/neuron_core3: reason
                    of BertTest > again() > attempt 1
                suspect: neuron1/neuron_core0 of ip-10-0-0-7 after BertTest > u(): status/hw_error +1; over: counts are as before
                quarantine: neuron0/neuron_core3 of ip-10-0-0-7 after BertTest > t(): hw_error rose by 3; over: its device was reset
                error counter: neuron3 hardware/mem_ecc_uncorrected of ip-10-0-0-7 went from 2 to 5: +3, no test explains 3 of it
                neuron0 of fake:trn1.2xlarge@driver-2.30: 1 core used for at most 46 ms
                neuron1 of fake:trn1.2xlarge@driver-2.30: 1 core used for at most 26 ms, 1 with failures
                neuron0 of ip-10-0-0-7: 1 core used for at most 2.1 s, 1 with failures
                neuron1 of ip-10-0-0-7: 1 core used for at most 158 ms
                notice: execution counters appear when their owner exits
                problem: ...
                waited for cores: 28 ms in all, at most 4 ms (BertTest > t())
                """);
        assertThat(text.replaceAll("\\n    ", " ")).contains(file + " has no last line: JVM 4712 was killed.");
    }

    @Test
    void limitsOutputOfManyFailures() throws IOException {
        // given
        RunLinesFixture jvm = new RunLinesFixture(1).started("a").onHardware();
        for (int number = 0; number < 300; number++) {
            jvm.ran(test("a".repeat(200) + number), Outcome.FAILED, "neuron%s/neuron_core0".formatted(number % 16));
        }
        jvm.finished().writeTo(folder);

        // when
        String text = text(RunReports.merge(List.of(folder)), List.of(ReportFixture.FAILED), TerminalStyle.PLAIN);

        // then
        assertThat(text.lines().count()).isLessThan(60);
        assertThat(text.lines().filter(line -> !line.contains("-Dtest=")))
                .as("lines of more than one word")
                .allMatch(line -> line.length() <= 120 || !line.strip().contains(" "));
        assertThat(text).contains("and 295 more that failed, were lost or are undecided");
    }

    @Test
    void showsEqualFailuresOnceAndMistakesLast() {
        // when
        String text = text(new RunFixture().alike(30).report(), List.of(), TerminalStyle.PLAIN);

        // then
        assertThat(text).contains("""

                FAILED KernelTest > adds(int) > [1] n=1 on neuron0/neuron_core1 (1.0 s)
                  the same in 29 more tests: [2] n=2 on neuron1/neuron_core0: +2; [3] n=3 on neuron1/neuron_core1: +3; [4] n=4 on
                      neuron0/neuron_core0: +4; [5] n=5: +5; and 25 more
                  neuron0/neuron_core1 status/hw_error: expected unchanged, was +1
                    Otherwise check dmesg.
                  rerun: mvn test -Dtest=com.acme.KernelTest#adds -Dneuron.test.platform=fake:trn1.32xlarge -Dneuron.test.invocation=1

                MISTAKE IN TEST NamesTest > counts(int) > [1] n=1 (1.0 s)
                  the same in 1 more test: [2] n=2
                  @ExpectCounter names no counter
                """);
        assertThat(text).doesNotContain("more that failed");
    }

    @Test
    void countsTestsOfFailuresThatAreNotShown() {
        // given six causes, the last of which three tests share
        RunFixture run = new RunFixture();
        List.of("a", "b", "c", "d", "e")
                .forEach(each -> run.with(RunFixture.simple("ATest > %s()".formatted(each), TestOutcome.FAILED, 1)));
        List.of(1, 2, 3)
                .forEach(each -> run.with(RunFixture.hardwareError(
                        RunFixture.invocation("KernelTest > adds(int)", each), 1, ReportFixture.CORE_3)));

        // then
        assertThat(text(run.report(), List.of(), TerminalStyle.PLAIN))
                .contains("and 3 more that failed, were lost or are undecided");
    }

    @Test
    void doesNotBreakLongPath() throws IOException {
        // given
        String path = "/opt/" + "neuron/".repeat(10) + "neuron-explorer";
        RunReport report =
                run(jvm -> jvm.add(new RunEvent.Noticed(null, "Profiles are made by neuron-explorer 2.32 " + path)));

        // then
        assertThat(text(report, List.of(), TerminalStyle.PLAIN)).contains("\n    " + path + "\n");
    }

    @Test
    void breaksApproveCommandOnlyAtShellContinuations() throws IOException {
        // given
        String advice = "To accept it: neuron-test baseline approve --output '/builds/com/acme/target/neuron-test'"
                + " --only 'com.acme.BertTest#infers(NeuronCore, Comparisons) total_time' --note 'why'";
        RunReport report = run(jvm -> jvm.begun(test("t"), "neuron0/neuron_core0")
                .add(new RunEvent.Violated(test("t"), new Violation("rule", "total_time", "16 ms", "17 ms", advice))));

        // then
        assertThat(text(report, List.of(), TerminalStyle.PLAIN)).contains("""
                            To accept it: neuron-test baseline approve \\
                                --output '/builds/com/acme/target/neuron-test' \\
                                --only 'com.acme.BertTest#infers(NeuronCore, Comparisons) total_time' \\
                                --note 'why'
                        """);
    }

    @Test
    void breaksCommandWithLongClassPath() throws IOException {
        // given
        String classPath = "/repository/com/acme/model.jar:".repeat(2_000);
        TestTool tool = new TestTool(TestTool.NEURON_TEST, null, List.of("-cp", classPath));
        new RunLinesFixture(1)
                .started("a", tool)
                .onHardware()
                .add(new RunEvent.TestFinished(test("t"), Outcome.FAILED, List.of(), "reason"))
                .finished()
                .writeTo(folder);

        // when
        String text = text(RunReports.merge(List.of(folder)), List.of(), TerminalStyle.PLAIN);

        // then
        assertThat(text.replace(classPath, "CLASSPATH"))
                .contains("-cp CLASSPATH")
                .contains(" \\\n      -m ");
    }

    @Test
    void namesNearestStackWithoutBaseline() {
        // given
        Comparison without = RunFixture.comparison("total_time", ComparisonOutcome.NO_BASELINE, "other-stack", 0);

        // then
        assertThat(new ComparisonView(without).sentence())
                .startsWith(
                        "no baseline: com.acme.BertTest#inference(int)[1] total_time, 16.9 ms now, 1 run, other stack;")
                .contains("; nearest: a baseline of driver 2.24 instead of 2.30,")
                .endsWith("; it was not compared");
    }

    @Test
    void showsMessageThatBeginsOnSecondLine() throws IOException {
        // given an error of AssertJ
        RunReport report = run(jvm -> jvm.add(new RunEvent.TestFinished(
                test("t"),
                Outcome.FAILED,
                List.of(),
                "org.opentest4j.AssertionFailedError: \nexpected: 2\n but was: 1\n\nfield size differs")));

        // then
        assertThat(text(report, List.of(), TerminalStyle.PLAIN))
                .contains("\n  expected: 2\n   but was: 1\n  field size differs\n");
        assertThat(ReportMarkdown.of(report, List.of(), Optional.empty()))
                .contains("\n- expected: 2 but was: 1 field size differs\n");
    }

    private RunReport failed(String reason) throws IOException {
        return run(jvm -> jvm.add(new RunEvent.TestFinished(test("t"), Outcome.FAILED, List.of(), reason)));
    }

    @Test
    void keepsTableOfMessage() throws IOException {
        // given
        RunReport report =
                failed("java.lang.AssertionError: a table\nname\tvalue\nabcdefghi\t1\n\n  de      22\r\nend");

        // then
        assertThat(text(report, List.of(), TerminalStyle.PLAIN)).contains("""
                          java.lang.AssertionError: a table
                          name    value
                          abcdefghi       1
                            de      22
                          end
                        """);
    }

    @Test
    void truncatesMessageOfManyLines() throws IOException {
        // given
        String lines = IntStream.rangeClosed(1, 100)
                .mapToObj(number -> "line " + number + "\n")
                .collect(Collectors.joining());

        // then
        assertThat(text(failed(lines), List.of(), TerminalStyle.PLAIN))
                .contains("\n  line 12\n  and 88 more lines\n")
                .doesNotContain("line 13");
    }

    @Test
    void escapesEachLineOfMessage() throws IOException {
        // given
        RunReport report = failed("first\n::error::second\n\u001b[31mthird\u2028FAILED fourth\n##[error]fifth");

        // when
        String text = text(report, List.of(), TerminalStyle.PLAIN);

        // then
        assertThat(text).contains("\n  first\n", "third FAILED fourth").doesNotContain("\u001b", "##[");
        assertThat(text.lines()).noneMatch(line -> line.strip().startsWith("::"));
    }

    private RunReport failed(RunEvent finding, String message) throws IOException {
        return run(
                jvm -> jvm.add(finding).add(new RunEvent.TestFinished(test("t"), Outcome.FAILED, List.of(), message)));
    }

    @Test
    void showsFailureOfBodyNextToViolation() throws IOException {
        // given
        Violation violation = new Violation("rule", "neuron0 timeout", "no movement", "+3", "see dmesg");
        RunReport report = failed(
                new RunEvent.Violated(test("t"), violation),
                "dev.neurontest.workload.WorkloadFailure: python3 train.py ended with exit code 1: NRT_EXEC_OOB\n"
                        + "  It should have ended with exit code 0.");

        // then
        assertThat(text(report, List.of(), TerminalStyle.PLAIN)).contains("""
                  dev.neurontest.workload.WorkloadFailure: python3 train.py ended with exit code 1: NRT_EXEC_OOB
                    It should have ended with exit code 0.
                  neuron0 timeout: expected no movement, was +3
                """);
    }

    @Test
    void doesNotRepeatViolationFromMessage() throws IOException {
        // given
        Violation violation = new Violation("rule", "neuron0 timeout", "no movement", "+3", "see dmesg");
        RunReport report = failed(
                new RunEvent.Violated(test("t"), violation),
                "org.opentest4j.AssertionFailedError: Neuron counters: 1 expectation violated\n\n"
                        + "neuron0 timeout\n  expected no movement\n  was +3\n  see dmesg\n");

        // then
        assertThat(text(report, List.of(), TerminalStyle.PLAIN)).doesNotContain("Neuron counters");
    }

    @Test
    void doesNotRepeatUndecidedExpectationFromMessage() throws IOException {
        // given
        Undecided undecided = new Undecided("max = \"17 ms\"", "total_time", "The device was throttled.");
        RunReport report = failed(
                new RunEvent.LeftUndecided(test("t"), undecided),
                "org.opentest4j.AssertionFailedError: Profile of bert.neff: 1 expectation undecided\n\n"
                        + "total_time\n  undecided: The device was throttled.\n");

        // then
        assertThat(text(report, List.of(), TerminalStyle.PLAIN))
                .containsOnlyOnce("The device was throttled.")
                .doesNotContain("Profile of");
    }

    @Test
    void printsSameAdviceOnceForTest() throws IOException {
        // given
        RunReport report = run(jvm -> {
            List.of("neuron0 timeout", "neuron0 hw_error", "neuron0 oob_error")
                    .forEach(counter -> jvm.add(new RunEvent.Violated(
                            test("t"), new Violation("rule", counter, "unchanged", "+3", "see dmesg"))));
            return jvm;
        });

        // then
        assertThat(text(report, List.of(), TerminalStyle.PLAIN))
                .contains("neuron0 timeout", "neuron0 hw_error", "neuron0 oob_error")
                .containsOnlyOnce("see dmesg");
    }

    @Test
    void namesClassAmongEqualFailures() {
        // given
        RunFixture run = new RunFixture();
        for (String id : List.of("/[class:com.acme.ATest]/[method:a()]", "/[class:com.acme.BTest]")) {
            run.with(RunFixture.failed(
                    new TestId("[engine:junit-jupiter]" + id, id.contains("ATest") ? "ATest > a()" : "BTest"),
                    "no server",
                    List.of()));
        }

        // then
        assertThat(text(run.report(), List.of(), TerminalStyle.PLAIN))
                .contains("the same in 1 more test: class BTest\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a b c"})
    void finishesWithDeeplyIndentedLine(String words) throws IOException {
        // given
        String indented = " ".repeat(300) + words;
        RunReport report = run(jvm -> jvm.add(new RunEvent.Noticed(test("t"), indented))
                .ran(test("t"), Outcome.FAILED, "neuron0/neuron_core0"));

        // when
        String text = assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> text(report, List.of(), new TerminalStyle(20, Optional.empty())));

        // then
        assertThat(text.replaceAll("\\s+", " ")).contains(words);
    }
}
