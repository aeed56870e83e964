package dev.neurontest.internal.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the changes between two runs. The earlier one was written to a file and read back. */
class RunChangesTest {

    private static final Map<String, String> COMPILER = Map.of("compiler", "2.21");

    @TempDir
    private Path folder;

    private static CompareFixture run() {
        return new CompareFixture();
    }

    private RunChanges changes(CompareFixture before, CompareFixture now) {
        return RunChanges.of(before.written(folder), now.report());
    }

    /** Returns all lines, each with its group. */
    private static List<String> lines(RunChanges changes) {
        List<String> lines = new ArrayList<>();
        changes.changes()
                .forEach((kind, all) ->
                        all.forEach(each -> lines.add(kind.words() + ": " + each.test() + ": " + each.words(kind))));
        return lines;
    }

    private static TestId id(String segments) {
        return new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]" + segments, "BertTest" + segments);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PASSED    | FAILED    | newly failing: BertTest > t(): failed, was passed
                    PASSED    | LOST      | newly failing: BertTest > t(): lost, was passed
                    SKIPPED   | FAILED    | newly failing: BertTest > t(): failed, was skipped
                    FAILED    | FAILED    | still failing: BertTest > t(): failed, was failed
                    LOST      | FAILED    | still failing: BertTest > t(): failed, was lost
                    FAILED    | PASSED    | fixed: BertTest > t(): passed, was failed
                    PASSED    | SKIPPED   | newly skipped or undecided: BertTest > t(): skipped, was passed
                    PASSED    | UNDECIDED | newly skipped or undecided: BertTest > t(): undecided, was passed
                    PASSED    | ABORTED   | newly skipped or undecided: BertTest > t(): aborted, was passed
                    FAILED    | SKIPPED   | newly skipped or undecided: BertTest > t(): skipped, was failed
                    SKIPPED   | PASSED    | passed now, not decided before: BertTest > t(): passed, was skipped
                    UNDECIDED | PASSED    | passed now, not decided before: BertTest > t(): passed, was undecided
                    """)
    void classifyTestByBothOutcomes(TestOutcome before, TestOutcome now, String line) {
        // when
        RunChanges changes = changes(run().tests(before, "t"), run().tests(now, "t"));

        // then
        assertThat(lines(changes)).containsExactly(line);
    }

    @ParameterizedTest
    @CsvSource({"PASSED, PASSED", "SKIPPED, SKIPPED", "SKIPPED, UNDECIDED", "ABORTED, SKIPPED"})
    void omitTestPassedOrNotDecidedInBothRuns(TestOutcome before, TestOutcome now) {
        // then
        assertThat(lines(changes(run().tests(before, "t"), run().tests(now, "t"))))
                .isEmpty();
    }

    @Test
    void nameNewAndGoneTests() {
        // when
        RunChanges changes = changes(
                run().passed("stays").failed("away").tests(TestOutcome.SKIPPED, "skippedAway"),
                run().passed("stays", "added").failed("broken"));

        // then
        assertThat(lines(changes))
                .containsExactly(
                        "gone: BertTest > away(): was failed",
                        "gone: BertTest > skippedAway(): was skipped",
                        "new: BertTest > broken(): failed",
                        "new: BertTest > added(): passed");
        assertThat(changes.headline()).matches(".*previous\\.json, begun 2026-11-21T02:10:00Z: 3 tests before, 3 now");
    }

    @Test
    void listInvocationsOfTemplateSkippedBefore() {
        // when
        RunChanges changes = changes(
                run().test(id("/[test-template:t(int)]"), TestOutcome.SKIPPED),
                run().test(id("/[test-template:t(int)]/[test-template-invocation:#1]"), TestOutcome.PASSED)
                        .test(id("/[test-template:t(int)]/[test-template-invocation:#2]"), TestOutcome.FAILED));

        // then
        assertThat(changes.of(ChangeKind.NEWLY_DECIDED)).hasSize(1);
        assertThat(changes.of(ChangeKind.NEWLY_FAILING)).hasSize(1);
        assertThat(lines(changes)).hasSize(2);
    }

    @Test
    void omitClassThatOnlyLeasedForItsTests() {
        // when
        RunChanges changes = changes(
                run().passed("t").test(id("/[nested-class:Before]"), TestOutcome.PASSED),
                run().passed("t").test(id("/[nested-class:Now]"), TestOutcome.PASSED));

        // then
        assertThat(lines(changes)).isEmpty();
        assertThat(changes.now()).isEqualTo(1);
    }

    private static Arguments pair(String name, CompareFixture before, CompareFixture now, String... lines) {
        return Arguments.of(name, before, now, lines);
    }

    static Stream<Arguments> pairs() {
        TestId renamed = new TestId(id("/[method:a()]").id(), "again");
        String executions = """
                {"rank": 0, "metrics": {"total_time": %1$s}}, {"rank": 0, "metrics": {"total_time": 0.010}}, {"rank": 0, "metrics": {"total_time": 0.010}},
                {"rank": 1, "metrics": {"total_time": %2$s}}, {"rank": 1, "metrics": {"total_time": %2$s}}
                """;
        Metric neither = new Metric("model_flops", Unit.FLOPS, Direction.NEITHER, Noise.FIXED);
        return Stream.of(
                pair(
                        "a test is found by its id and not by its name",
                        run().test(id("/[method:a()]"), TestOutcome.PASSED),
                        run().test(renamed, TestOutcome.FAILED)
                                .test(new TestId("[x]", id("/[method:a()]").name()), TestOutcome.PASSED),
                        "newly failing: again: failed, was passed",
                        "new: BertTest/[method:a()]: passed"),
                pair(
                        "another display name in the same run is the same test",
                        run().test(id("/[method:a()]"), TestOutcome.PASSED),
                        run().test(id("/[method:a()]"), TestOutcome.FAILED).test(renamed, TestOutcome.PASSED),
                        "flaky: BertTest/[method:a()]: passed only when run again, now"),
                pair(
                        "two kinds of hosts are kept apart",
                        run().passed("t").on("real", "trn2.48xlarge", "2.30").passed("t"),
                        run().passed("t"),
                        "gone: BertTest > t() on trn2.48xlarge (real) in bert-tests: was passed"),
                pair(
                        "two modules are kept apart",
                        run().in("a").passed("t").in("b").passed("t"),
                        run().in("a").failed("t").in("b").passed("t"),
                        "newly failing: BertTest > t() on trn1.32xlarge (real) in a: failed, was passed"),
                pair(
                        "a test moves to another folder and another host",
                        run().in("workspace").on("fake", "trn1.2xlarge", "2.30").passed("t"),
                        run().in("workspace@2")
                                .on("real", "trn2.48xlarge", "2.31")
                                .failed("t"),
                        "newly failing: BertTest > t(): failed, was passed"),
                pair(
                        "tests of a skipped class were skipped",
                        run().test(id("/[nested-class:A]/[method:a()]"), TestOutcome.PASSED)
                                .test(id("/[nested-class:A]/[method:b()]"), TestOutcome.FAILED),
                        run().test(id("/[nested-class:A]"), TestOutcome.SKIPPED),
                        "newly skipped or undecided: BertTest/[nested-class:A]/[method:a()]: skipped, was passed",
                        "newly skipped or undecided: BertTest/[nested-class:A]/[method:b()]: skipped, was failed"),
                pair(
                        "a class fails now",
                        run().test(id(""), TestOutcome.PASSED),
                        run().test(id(""), TestOutcome.FAILED),
                        "newly failing: BertTest: failed, was passed"),
                pair(
                        "tests passed only when they were run again",
                        run().failed("before")
                                .passed("before", "now")
                                .failed("both")
                                .passed("both"),
                        run().passed("before").failed("now", "both").passed("now", "both"),
                        "flaky: BertTest > before(): passed only when run again, before",
                        "flaky: BertTest > now(): passed only when run again, now",
                        "flaky: BertTest > both(): passed only when run again, now and before"),
                pair(
                        "a test was run again on another core",
                        run().passed("t"),
                        run().retried(1).passed("t"),
                        "flaky: BertTest > t(): passed only when run again, now"),
                pair(
                        "a test passed in a later attempt, in both runs",
                        run().afterFailedAttempt().passed("t"),
                        run().afterFailedAttempt().passed("t"),
                        "flaky: BertTest > t(): passed only when run again, now and before"),
                pair(
                        "the last of several attempts failed",
                        run().afterFailedAttempt().passed("t"),
                        run().afterFailedAttempt().failed("t"),
                        "newly failing: BertTest > t(): failed, was passed",
                        "flaky: BertTest > t(): passed only when run again, before"),
                pair(
                        "a test was undecided in a later attempt",
                        run().tests(TestOutcome.UNDECIDED, "t"),
                        run().afterFailedAttempt().tests(TestOutcome.UNDECIDED, "t"),
                        "flaky: BertTest > t(): passed only when run again, now"),
                pair(
                        "a failure after a pass is a failure",
                        run().passed("t"),
                        run().passed("t").failed("t"),
                        "newly failing: BertTest > t(): failed, was passed"),
                pair(
                        "a skip after a failure is a failure",
                        run().passed("t"),
                        run().failed("t").tests(TestOutcome.ABORTED, "t"),
                        "newly failing: BertTest > t(): failed, was passed"),
                pair(
                        "a test that another JVM skipped has run",
                        run().passed("t"),
                        run().passed("t").tests(TestOutcome.SKIPPED, "t")),
                pair(
                        "a metric knows which way it gets better",
                        run().profiling("\"mfu_estimated_percent\": 0.40").passed("t"),
                        run().profiling("\"mfu_estimated_percent\": 0.30").passed("t"),
                        "slower or worse: BertTest > t(): mfu_estimated_percent 30 %, was 40 % (0.75 times)"),
                pair(
                        "a share is nearly nothing",
                        run().profiling("\"mfu_estimated_percent\": 0.004").passed("t"),
                        run().profiling("\"mfu_estimated_percent\": 0.002").passed("t")),
                pair(
                        "the total time comes before what it is made of",
                        run().profiling(
                                        "\"total_time\": 1, \"dma_active_time\": 1, \"dma_packet_time\": 1, \"dma_transfer_count\": 0")
                                .passed("t"),
                        run().profiling(
                                        "\"total_time\": 1.2, \"dma_active_time\": 3, \"dma_packet_time\": 2, \"dma_transfer_count\": 7")
                                .passed("t"),
                        "slower or worse: BertTest > t(): total_time 1.2 s, was 1 s (1.20 times);"
                                + " dma_transfer_count 7, was 0; dma_active_time 3 s, was 1 s (3.00 times); and 1 more"),
                pair(
                        "the worst rank counts, by the median of its executions",
                        run().profiling("[]", executions.formatted("0.010", "0.010"))
                                .passed("t"),
                        run().profiling("[]", executions.formatted("0.900", "0.020"))
                                .passed("t"),
                        "slower or worse: BertTest > t(): total_time 20 ms, was 10 ms (2.00 times)"),
                pair(
                        "the runs of a comparison count before a profile of one",
                        run().profiling("\"total_time\": 9")
                                .measuring(CompareFixture.totalTime(), COMPILER, 1.0, 2.0, 9.0)
                                .passed("t"),
                        run().profiling("\"total_time\": 1")
                                .measuring(CompareFixture.totalTime(), COMPILER, 3.0, 4.0, 5.0)
                                .passed("t"),
                        "slower or worse: BertTest > t(): total_time 4 s, was 2 s (2.00 times)"),
                pair(
                        "a metric gets neither better nor worse",
                        run().measuring(neither, COMPILER, 1.0).passed("t"),
                        run().measuring(neither, COMPILER, 5.0).passed("t")),
                pair(
                        "a test that fails has measured something",
                        run().profiling("\"total_time\": 1").passed("t"),
                        run().profiling("\"total_time\": 2").failed("t"),
                        "newly failing: BertTest > t(): failed, was passed",
                        "slower or worse: BertTest > t(): total_time 2 s, was 1 s (2.00 times)"),
                pair(
                        "a wait for cores is no time of the test",
                        run().taking(1000).passed("t"),
                        run().taking(9000).waiting(8000).passed("t")),
                pair(
                        "the farthest is the first",
                        run().taking(1000).passed("twice", "ninefold"),
                        run().taking(2000).passed("twice").taking(9000).passed("ninefold"),
                        "slower or worse: BertTest > ninefold(): time of the test 9 s, was 1 s (9.00 times)",
                        "slower or worse: BertTest > twice(): time of the test 2 s, was 1 s (2.00 times)"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void listDifferencesOfTwoRuns(String name, CompareFixture before, CompareFixture now, String... lines) {
        // then
        assertThat(lines(changes(before, now))).containsExactly(lines);
    }

    @Test
    void listMetricChangesFromTenPercent() {
        // given
        CompareFixture before = run().profiling("\"total_time\": 0.0100").passed("slower", "faster", "same");
        CompareFixture now = run().profiling("\"total_time\": 0.0111")
                .passed("slower")
                .profiling("\"total_time\": 0.0090")
                .passed("faster")
                .profiling("\"total_time\": 0.0109")
                .passed("same");

        // when
        RunChanges changes = changes(before, now);

        // then
        assertThat(lines(changes))
                .containsExactly(
                        "slower or worse: BertTest > slower(): total_time 11.1 ms, was 10 ms (1.11 times)",
                        "faster or better: BertTest > faster(): total_time 9 ms, was 10 ms (0.90 times)");
        assertThat(changes.evidence())
                .hasValue(
                        "One run against one is weak evidence: metrics are listed from 10 % on, times of tests from 50 % and 100 ms on;"
                                + " a baseline decides.");
    }

    @Test
    void ignoreTimesOfThrottledProfile() {
        // given
        String doubted =
                "{\"rank\": 0, \"metrics\": {\"total_time\": 9, \"dma_transfer_count\": 2}, \"doubts\": [{\"kind\": \"throttled\", \"reason\": \"r\"}]}";

        // when
        RunChanges changes = changes(
                run().profiling("\"total_time\": 1, \"dma_transfer_count\": 1").passed("t"),
                run().profiling("[]", doubted).passed("t"));

        // then throttling spoils times, and no counts
        assertThat(lines(changes))
                .containsExactly("slower or worse: BertTest > t(): dma_transfer_count 2, was 1 (2.00 times)");
        assertThat(changes.notes())
                .containsExactly(
                        "Profiles of 1 test are in doubt in one of the runs; metrics in doubt are not compared.");
    }

    @Test
    void ignoreProfileWithIncompleteTrace() {
        // given
        String cut = "[{\"kind\": \"incomplete_trace\", \"reason\": \"r\"}]";
        String execution =
                "{\"rank\": 0, \"metrics\": {\"total_time\": %1$s, \"dma_transfer_count\": %1$s}, \"doubts\": %2$s}";

        // when
        RunChanges ofAnExecution = changes(
                run().profiling("[]", execution.formatted(1, "[]")).passed("t"),
                run().profiling("[]", execution.formatted(9, cut)).passed("t"));
        RunChanges ofTheWhole = changes(
                run().profiling("[]", execution.formatted(1, "[]")).passed("t"),
                run().profiling(cut, execution.formatted(9, "[]")).passed("t"));

        // then
        assertThat(lines(ofAnExecution)).isEmpty();
        assertThat(ofAnExecution.notes()).singleElement().asString().startsWith("Profiles of 1 test are in doubt");
        assertThat(lines(ofTheWhole)).isEmpty();
        assertThat(ofTheWhole.notes()).isEqualTo(ofAnExecution.notes());
    }

    @Test
    void useOnlyExecutionsWithoutDoubt() {
        // given
        String executions = """
                {"rank": 0, "metrics": {"total_time": %s}, "doubts": [{"kind": "first_execution", "reason": "r"}]},
                {"rank": 0, "metrics": {"total_time": 0.010}, "doubts": []}
                """;

        // when
        RunChanges changes = changes(
                run().profiling("[]", executions.formatted("0.010")).passed("t"),
                run().profiling("[]", executions.formatted("0.900")).passed("t"));

        // then
        assertThat(lines(changes)).isEmpty();
        assertThat(changes.notes()).isEmpty();
    }

    @Test
    void listTestTimeFrom50PercentAnd100Ms() {
        // given
        CompareFixture before =
                run().taking(1000).passed("slower", "faster", "same").taking(20).passed("short");
        CompareFixture now = run().taking(1501)
                .passed("slower")
                .taking(600)
                .passed("faster")
                .taking(1490)
                .passed("same")
                .taking(119)
                .passed("short");

        // when
        RunChanges changes = changes(before, now);

        // then
        assertThat(lines(changes))
                .containsExactly(
                        "slower or worse: BertTest > slower(): time of the test 1.5 s, was 1 s (1.50 times)",
                        "faster or better: BertTest > faster(): time of the test 600 ms, was 1 s (0.60 times)");
        assertThat(changes.measured()).isEqualTo(4);
    }

    @Test
    void compareTimeOnlyOfPassedTests() {
        // when
        RunChanges changes =
                changes(run().taking(1000).failed("t"), run().taking(9000).failed("t"));

        // then
        assertThat(changes.of(ChangeKind.SLOWER)).isEmpty();
        assertThat(changes.evidence()).isEmpty();
    }

    @Test
    void reportThatNoNumberIsFarFromBefore() {
        // then
        assertThat(changes(run().passed("a", "b"), run().passed("a", "b")).evidence())
                .hasValueSatisfying(sentence -> assertThat(sentence)
                        .startsWith(
                                "Of 2 tests with numbers in both runs, none is far from its earlier value. One run"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    fake | trn1.32xlarge | 2.30.51.0 | platform real before and fake now
                    real | trn2.48xlarge | 2.30.51.0 | instance trn1.32xlarge before and trn2.48xlarge now
                    real | trn1.32xlarge | 2.31.0.0  | driver 2.30 before and 2.31 now
                    none | trn1.32xlarge | 2.30.51.0 | platform real before and none now
                    real | trn1.32xlarge |           | driver 2.30 before and unknown now
                    """)
    void leaveSlowerAndFasterUndecidedOnAnotherHost(String kind, String instance, String driver, String difference) {
        // given
        CompareFixture before =
                run().profiling("\"total_time\": 1").taking(1000).passed("t", "u");
        CompareFixture now = run().on(kind, instance, driver)
                .profiling("\"total_time\": 9")
                .taking(9000)
                .passed("t", "u");

        // when
        RunChanges changes = changes(before, now);

        // then
        assertThat(lines(changes)).isEmpty();
        assertThat(changes.notes())
                .containsExactly(
                        "Other hosts: %s. What is slower or faster is undecided for 2 tests.".formatted(difference));
        assertThat(changes.evidence()).isEmpty();
    }

    @Test
    void leaveSlowerAndFasterUndecidedWithAnotherRuntime() {
        // when
        RunChanges changes = changes(
                run().versions(Map.of("runtime", "2.29.3", "profiler", "neuron-profile 2.25.1"))
                        .taking(1000)
                        .passed("t"),
                run().versions(Map.of("runtime", "2.30.1")).taking(9000).passed("t"));

        // then a profiler that this run did not need is no difference
        assertThat(lines(changes)).isEmpty();
        assertThat(changes.notes())
                .containsExactly(
                        "Other hosts: runtime 2.29 before and 2.30 now. What is slower or faster is undecided for 1 test.");
    }

    @Test
    void ignorePatchVersionOfDriver() {
        // then
        assertThat(changes(
                                run().on("real", "trn1.32xlarge", "2.30.51.0")
                                        .taking(1000)
                                        .passed("t"),
                                run().on("real", "trn1.32xlarge", "2.30.52.0")
                                        .taking(9000)
                                        .passed("t"))
                        .of(ChangeKind.SLOWER))
                .hasSize(1);
    }

    @Test
    void leaveMetricsUndecidedWithAnotherCompiler() {
        // when
        RunChanges changes = changes(
                run().measuring(CompareFixture.totalTime(), Map.of("compiler", "2.20"), 1.0)
                        .passed("t"),
                run().measuring(CompareFixture.totalTime(), Map.of("compiler", "2.21"), 9.0)
                        .passed("t"));

        // then
        assertThat(lines(changes)).isEmpty();
        assertThat(changes.notes())
                .containsExactly(
                        "Measured differently: compiler 2.20 before and 2.21 now. What is slower or faster is undecided for metrics of 1 test.");
    }

    @Test
    void noteProblemsOfEarlierReport() {
        // then
        assertThat(changes(run().problem("a run file breaks off").passed("t"), run().passed("t"))
                        .notes())
                .containsExactly("The earlier report has 1 problem itself, so tests may be missing in it.");
    }
}
