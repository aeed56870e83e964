package dev.neurontest.internal.evidence;

import static dev.neurontest.internal.evidence.EventsFixture.PLATFORM;
import static dev.neurontest.internal.evidence.EventsFixture.TEST;
import static dev.neurontest.internal.evidence.EventsFixture.finished;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.judgement.Violation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunSummaryTest {

    private static final String CORE0 = "neuron0/neuron_core0";
    private static final String CORE1 = "neuron0/neuron_core1";

    private final RunSummary summary = new RunSummary();

    private void add(RunEvent... events) {
        List.of(events).forEach(summary::add);
    }

    private static RunEvent released(Duration held, String... cores) {
        return new RunEvent.Released(TEST, List.of(cores), held);
    }

    private static RunEvent leased(Duration waited) {
        return new RunEvent.Leased(TEST, List.of(CORE0), waited);
    }

    private static RunEvent violated(String rule) {
        return new RunEvent.Violated(TEST, new Violation(rule, "s", "e", "a", "d"));
    }

    private String text() {
        return summary.toText("target/neuron-test/run-4711.jsonl");
    }

    @Test
    void showsCountsWaitsAndProblemsOfRun() {
        // given
        String core4 = "core 4 (neuron1/neuron_core4, neuron1/neuron_core5)";
        add(
                PLATFORM,
                leased(Duration.ofMillis(1)),
                released(Duration.ofMillis(700), CORE0),
                finished("a", Outcome.PASSED, CORE0),
                leased(Duration.ofMillis(310)),
                new RunEvent.WaitedInVain(TEST, Duration.ofMillis(300)),
                released(Duration.ofMillis(59_249), CORE0, CORE1),
                new RunEvent.Released(TestId.RUNTIME, List.of(CORE0, CORE1), Duration.ofSeconds(30)),
                finished("b", Outcome.PASSED, CORE0, CORE1),
                finished("c", Outcome.FAILED, "neuron10/neuron_core0"),
                finished("d", Outcome.UNDECIDED, core4),
                violated("no error counter may move"),
                violated("@ExpectCounter(\"inference_count\", delta = 100)"),
                violated("no error counter may move"),
                new RunEvent.Retried(TEST, List.of(CORE0), "hw_error rose by 1"),
                new RunEvent.Quarantined("a", List.of(CORE0), "hw_error rose by 1", 4711, false),
                new RunEvent.Quarantined("b", List.of(CORE1), "timed out", 4711, true),
                new RunEvent.QuarantineEnded(CORE1, "timed out", "it is quiet"),
                new RunEvent.HolderDied(99, "OtherTest > t()", List.of(CORE1), Phase.BODY, List.of()),
                new RunEvent.Noticed(TEST, "execution counters of driver 2.24\nappear when their owner exits"),
                new RunEvent.Noticed(null, "execution counters of driver 2.24\nappear when their owner exits"),
                new RunEvent.Noticed(TEST, "Foreign activity on neuron0/neuron_core1: a"),
                new RunEvent.Noticed(TEST, "Foreign activity on neuron0/neuron_core1: b"));

        // when, then
        assertThat(text()).isEqualTo("""
                        Neuron Test: 4 tests: 2 passed, 1 failed, 1 undecided
                          trn1.2xlarge (fake), driver 2.30.1.0, 1 device with 2 cores
                          neuron0: 2 tests in 59.9 s
                          neuron1: 1 test in 0 ms
                          neuron10: 1 test in 0 ms
                          waited for cores: 611 ms in all, at most 310 ms (InferenceTest > oneCore())
                          1 undecided: reason of d (d)
                          1 quarantined: neuron0/neuron_core0: hw_error rose by 1
                          1 came back: neuron0/neuron_core1: timed out; it is quiet
                          1 died: JVM 99 with OtherTest > t() on neuron0/neuron_core1 in its body
                          1 retried: neuron0/neuron_core0, on another core (InferenceTest > oneCore())
                          2 violated: no error counter may move (InferenceTest > oneCore() and 1 more)
                          1 violated: @ExpectCounter("inference_count", delta = 100) (InferenceTest > oneCore())
                          2 notice: execution counters of driver 2.24 appear when their owner exits (InferenceTest > oneCore() and 1 more)
                          notice: other processes used the devices of tests: 2 times, see the run file
                          run file: target/neuron-test/run-4711.jsonl
                        """);
    }

    private void ended(String test, Outcome outcome, String reason) {
        add(new RunEvent.TestFinished(new TestId("[test:" + test + "]", test), outcome, List.of(), reason));
    }

    @Test
    void explainsAbortedAndSkippedTestsWithoutHardware() {
        // given
        String aborted = "org.opentest4j.TestAbortedException: Assumption failed: a model\nand details of ";
        ended("a", Outcome.ABORTED, aborted + "a");
        ended("b", Outcome.ABORTED, aborted + "b");
        ended("c", Outcome.SKIPPED, "too slow");
        for (int test = 0; test < 7; test++) {
            ended("d" + test, Outcome.SKIPPED, "no tool here,\nset neuron.test.profiler");
        }
        ended("e", Outcome.SKIPPED, "broken");
        ended("f", Outcome.SKIPPED, "flaky");

        // when, then
        assertThat(text()).isEqualTo("""
                        Neuron Test: 12 tests: 2 aborted, 10 skipped
                          no Neuron host
                          2 aborted: Assumption failed: a model (a and 1 more)
                          7 skipped: no tool here, set neuron.test.profiler
                          1 skipped: too slow
                          and 2 more of skipped, see the run file
                          run file: target/neuron-test/run-4711.jsonl
                        """);
    }

    @Test
    void namesReasonOfUndecidedTestOnce() {
        // given
        add(
                new RunEvent.Noticed(TEST, "passed, but it is undecided"),
                new RunEvent.Noticed(TEST, "passed, but its class is not"));
        ended("a", Outcome.UNDECIDED, "it is undecided");

        // when, then
        assertThat(text().lines())
                .filteredOn(line -> line.contains("undecided") && !line.startsWith("Neuron Test"))
                .containsExactly("  1 undecided: it is undecided (a)");
        assertThat(text()).contains("  1 notice: passed, but its class is not (InferenceTest > oneCore())");
    }

    @Test
    void reportsReplayWithoutItsRecordedTest() {
        // given
        add(new RunEvent.Replayed(new TestId("[method:b]", "A > b"), true), finished("test", Outcome.PASSED));
        assertThat(text()).doesNotContain("replay");

        // when
        add(new RunEvent.Replayed(new TestId("[method:c]", "A > c"), false));

        // then
        assertThat(text())
                .contains("\n  the replay is undecided: The recording is of \"A > c\", which did not run: none of its"
                        + " events were replayed.\n");
    }

    @Test
    void isEmptyWhenNoTestUsedNeuron() {
        // given
        add(PLATFORM, new RunEvent.Noticed(null, "a notice"));

        // when, then
        assertThat(summary.isEmpty()).isTrue();
        assertThat(text()).isEmpty();
    }

    @Test
    void staysShortForLargeMachine() {
        // given
        add(new RunEvent.PlatformChosen("real", "/", "real", "default", "trn2.48xlarge", null, null, 16, 64, 2));
        for (int device = 0; device < 16; device++) {
            for (int core = 0; core < 8; core++) {
                String name = "neuron" + device + "/neuron_core" + core;
                add(released(Duration.ofSeconds(90), name), finished("t" + device + core, Outcome.PASSED, name));
            }
        }
        for (int index = 0; index < 5000; index++) {
            add(
                    violated("rule " + index),
                    new RunEvent.Noticed(TEST, "notice " + index),
                    leased(Duration.ofSeconds(1)));
        }
        add(
                finished("s", Outcome.SKIPPED),
                finished("u", Outcome.UNDECIDED),
                finished("f", Outcome.FAILED),
                finished("x", Outcome.ABORTED));

        // when, then
        assertThat(text()).isEqualTo("""
                        Neuron Test: 132 tests: 128 passed, 1 failed, 1 undecided, 1 aborted, 1 skipped
                          trn2.48xlarge (real), 16 devices with 64 cores, LNC 2
                          neuron0: 8 tests in 12 min 0 s
                          neuron1: 8 tests in 12 min 0 s
                          and 14 more devices, see the run file
                          waited for cores: 1 h 23 min in all, at most 1.0 s (InferenceTest > oneCore())
                          1 undecided: reason of u (u)
                          1 aborted: reason of x (x)
                          1 skipped: reason of s
                          4000 violated: others beyond the first 1000
                          1 violated: rule 0 (InferenceTest > oneCore())
                          and 999 more of violated, see the run file
                          4000 notice: others beyond the first 1000
                          1 notice: notice 0 (InferenceTest > oneCore())
                          and 999 more of notice, see the run file
                          run file: target/neuron-test/run-4711.jsonl
                        """);
    }

    @Test
    void countsTestRetriedInLaterPlanOnce() {
        // given
        add(
                finished("a", Outcome.FAILED, CORE0),
                finished("b", Outcome.PASSED, CORE0),
                new RunEvent.PlanFinished(),
                finished("a", Outcome.PASSED, CORE0),
                new RunEvent.PlanFinished());

        // then
        assertThat(text()).isEqualTo("""
                        Neuron Test: 2 tests: 2 passed
                          no Neuron host
                          neuron0: 2 tests in 0 ms
                          1 flaky: passed after a failed attempt (a)
                          run file: target/neuron-test/run-4711.jsonl
                        """);
    }

    @ParameterizedTest
    @EnumSource(names = {"ABORTED", "SKIPPED"})
    void retryThatDidNotRunReplacesNoFailure(Outcome retry) {
        // given
        add(finished("a", Outcome.FAILED), new RunEvent.PlanFinished(), finished("a", retry));

        // then
        assertThat(text()).startsWith("Neuron Test: 1 test: 1 failed\n");

        // when
        add(new RunEvent.PlanFinished(), finished("a", Outcome.PASSED));

        // then
        assertThat(text()).startsWith("Neuron Test: 1 test: 1 passed\n").contains("1 flaky");
    }

    @Test
    void countsTestThatRanTwiceInOnePlanTwice() {
        // given
        add(finished("a", Outcome.FAILED), finished("a", Outcome.PASSED));

        // then
        assertThat(text()).startsWith("Neuron Test: 2 tests: 1 passed, 1 failed\n");
    }

    @Test
    void countsAttemptsOfTemplateAsOneTest() {
        // given
        TestId whole = new TestId("[test-template:t]", "t");
        TestId first = new TestId("[test-template:t]/[test-template-invocation:#1]", "t > [1]");
        TestId second = new TestId("[test-template:t]/[test-template-invocation:#2]", "t > [2]");
        add(
                new RunEvent.AttemptStarted(first, whole),
                new RunEvent.TestFinished(first, Outcome.ABORTED, List.of(), "will retry"),
                new RunEvent.AttemptStarted(second, whole),
                new RunEvent.TestFinished(second, Outcome.PASSED, List.of(), null));

        // then
        assertThat(text()).isEqualTo("""
                        Neuron Test: 1 test: 1 passed
                          no Neuron host
                          1 flaky: passed after a failed attempt (t)
                          run file: target/neuron-test/run-4711.jsonl
                        """);
    }

    @Test
    void namesFailedClassApartFromItsTests() {
        // given
        String testClass = "[engine:junit-jupiter]/[class:ServerTest]";
        for (String id : List.of(testClass + "/[method:a()]", testClass + "/[method:b()]", testClass)) {
            add(new RunEvent.TestFinished(new TestId(id, id), Outcome.FAILED, List.of(), "no server"));
        }

        // then
        assertThat(text()).startsWith("Neuron Test: 2 tests: 2 failed, 1 failed class\n");
    }

    @Test
    void becomesRunFinishedEvent() {
        // given
        add(
                finished("a", Outcome.PASSED),
                finished("b", Outcome.PASSED),
                finished("c", Outcome.FAILED),
                finished("d", Outcome.SKIPPED));

        // when, then
        assertThat(summary.toEvent()).isEqualTo(new RunEvent.RunFinished(2, 1, 0, 0, 1));
    }
}
