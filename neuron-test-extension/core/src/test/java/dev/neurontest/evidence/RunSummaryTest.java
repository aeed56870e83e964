package dev.neurontest.evidence;

import static dev.neurontest.evidence.EventsFixture.PLATFORM;
import static dev.neurontest.evidence.EventsFixture.TEST;
import static dev.neurontest.evidence.EventsFixture.finished;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.recording.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void of_an_ordinary_run() {
        // given
        add(
                PLATFORM,
                leased(Duration.ofMillis(1)),
                released(Duration.ofMillis(700), CORE0),
                finished("a", Outcome.PASSED, CORE0),
                leased(Duration.ofMillis(310)),
                released(Duration.ofMillis(500), CORE0, CORE1),
                finished("b", Outcome.PASSED, CORE0, CORE1),
                violated("no error counter may move"),
                violated("no error counter may move"),
                violated("@ExpectCounter(\"inference_count\", delta = 100)"),
                finished("c", Outcome.FAILED, CORE1),
                finished("d", Outcome.UNDECIDED, CORE1),
                new RunEvent.Noticed(TEST, "execution counters of driver 2.24 appear when their owner exits"),
                new RunEvent.Noticed(null, "execution counters of driver 2.24 appear when their owner exits"));

        // when, then
        assertThat(text()).isEqualTo("""
                        Neuron Test: 4 tests: 2 passed, 1 failed, 1 undecided
                          trn1.2xlarge (fake), driver 2.30.1.0, 1 device with 2 cores
                          1 undecided: reason of d (d)
                          neuron0: 4 tests in 1.2 s (neuron_core0 2 tests in 1.2 s; neuron_core1 3 tests in 500 ms)
                          waited for cores: 311 ms in all, at most 310 ms (InferenceTest > oneCore())
                          violated 2 times: no error counter may move
                          violated 1 time: @ExpectCounter("inference_count", delta = 100)
                          notice: execution counters of driver 2.24 appear when their owner exits (InferenceTest > oneCore())
                          run file: target/neuron-test/run-4711.jsonl
                        """);
    }

    @Test
    void of_cores_that_are_several_physical_ones() {
        // given
        String core4 = "core 4 (neuron1/neuron_core4, neuron1/neuron_core5)";
        String core5 = "core 5 (neuron1/neuron_core0, neuron1/neuron_core1)";
        add(released(Duration.ofMillis(700), core4, core5), finished("a", Outcome.PASSED, core4, core5));

        // when, then
        assertThat(text().lines())
                .contains("  neuron1: 1 test in 700 ms (core 4 1 test in 700 ms; core 5 1 test in 700 ms)");
    }

    @Test
    void counts_waits_in_vain_too_and_folds_what_neighbours_do() {
        // given
        add(
                PLATFORM,
                new RunEvent.WaitedInVain(TEST, Duration.ofMillis(300)),
                new RunEvent.Noticed(
                        TEST, "Foreign activity on neuron0/neuron_core1, which this test does not hold: a"),
                new RunEvent.Noticed(
                        TEST, "Foreign activity on neuron0/neuron_core1, which this test does not hold: b"),
                finished("a", Outcome.FAILED, CORE0));

        // when, then
        assertThat(text().lines())
                .containsSubsequence(
                        "  waited for cores: 300 ms in all, at most 300 ms (InferenceTest > oneCore())",
                        "  notice: others worked on the devices of tests: 2 times, see the run file");
    }

    @Test
    void names_the_cores_that_stay_out_the_jvms_that_died_and_the_flaky_ones() {
        // given
        add(
                PLATFORM,
                new RunEvent.Retried(TEST, List.of(CORE0), "hw_error rose by 1"),
                new RunEvent.Quarantined("a", List.of(CORE0), "hw_error rose by 1", 4711, false),
                new RunEvent.Quarantined("b", List.of(CORE1), "timed out", 4711, true),
                new RunEvent.QuarantineEnded(CORE1, "timed out", "it is quiet"),
                new RunEvent.HolderDied(99, "OtherTest > t()", List.of(CORE1), Phase.BODY, List.of()),
                finished("a", Outcome.PASSED, CORE0));

        // when, then
        assertThat(text().lines())
                .containsSubsequence(
                        "  quarantined: neuron0/neuron_core0: hw_error rose by 1",
                        "  was suspect: neuron0/neuron_core1: timed out; it is quiet",
                        "  JVM 99 died with OtherTest > t() on neuron0/neuron_core1 in its body",
                        "  flaky on neuron0/neuron_core0: 1 test run again on another core");
    }

    @Test
    void does_not_count_the_time_of_a_core_twice_which_a_longer_lease_lends_to_tests() {
        // given
        add(
                PLATFORM,
                released(Duration.ofSeconds(2), CORE0),
                finished("a", Outcome.PASSED, CORE0),
                new RunEvent.Released(TestId.RUNTIME, List.of(CORE0, CORE1), Duration.ofSeconds(30)));

        // when, then
        assertThat(text()).contains("neuron0: 1 test in 2.0 s (neuron_core0 1 test in 2.0 s)");
    }

    @Test
    void of_a_machine_without_hardware_says_why() {
        // given
        add(finished("a", Outcome.SKIPPED), finished("b", Outcome.SKIPPED));

        // when, then
        assertThat(text()).isEqualTo("""
                        Neuron Test: 2 tests: 2 skipped
                          no Neuron host
                          1 skipped: reason of a
                          1 skipped: reason of b
                          run file: target/neuron-test/run-4711.jsonl
                        """);
    }

    private void ended(String test, Outcome outcome, String reason) {
        add(new RunEvent.TestFinished(new TestId("[test:" + test + "]", test), outcome, List.of(), reason));
    }

    @Test
    void says_why_most_tests_were_skipped_and_counts_the_rest() {
        // given
        ended("a", Outcome.SKIPPED, "too slow");
        for (int test = 0; test < 7; test++) {
            ended("b" + test, Outcome.SKIPPED, "no tool here,\nset neuron.test.profiler");
        }
        for (int test = 0; test < 3; test++) {
            ended("c" + test, Outcome.SKIPPED, "it scripts a FakeNeuronHost");
        }
        ended("d", Outcome.SKIPPED, "broken");
        ended("e", Outcome.SKIPPED, "flaky");

        // when, then
        assertThat(text()).isEqualTo("""
                        Neuron Test: 13 tests: 13 skipped
                          no Neuron host
                          7 skipped: no tool here, set neuron.test.profiler
                          3 skipped: it scripts a FakeNeuronHost
                          1 skipped: too slow
                          2 skipped for other reasons, see the run file
                          run file: target/neuron-test/run-4711.jsonl
                        """);
    }

    @Test
    void says_why_tests_were_aborted_without_their_details() {
        // given
        String reason = "org.opentest4j.TestAbortedException: Assumption failed: a model\nand details of ";
        ended("a", Outcome.ABORTED, reason + "a");
        ended("b", Outcome.ABORTED, reason + "b");

        // when, then
        assertThat(text()).contains("\n  2 aborted: Assumption failed: a model (a and 1 more)\n");
    }

    @Test
    void says_once_why_a_test_that_passed_is_undecided() {
        // given
        add(
                new RunEvent.Noticed(TEST, "passed, but it is undecided"),
                new RunEvent.Noticed(TEST, "passed, but its class is not"));
        ended("a", Outcome.UNDECIDED, "it is undecided");

        // when, then
        assertThat(text().lines())
                .filteredOn(line -> line.contains("undecided") && !line.startsWith("Neuron Test"))
                .containsExactly("  1 undecided: it is undecided (a)");
        assertThat(text()).contains("  notice: passed, but its class is not (InferenceTest > oneCore())");
    }

    @Test
    void says_that_the_recorded_test_did_not_run() {
        // given
        add(new RunEvent.Replayed(new TestId("[method:b]", "A > b"), true), finished("test", Outcome.PASSED));
        assertThat(text()).doesNotContain("replay");

        // when
        add(new RunEvent.Replayed(new TestId("[method:c]", "A > c"), false));

        // then
        assertThat(text())
                .contains(
                        "\n  the replay is undecided: The recording is of \"A > c\", which did not run: nothing of what"
                                + " happened then has happened.\n");
    }

    @Test
    void is_empty_when_no_test_asked_for_neuron() {
        // given
        add(PLATFORM, new RunEvent.Noticed(null, "a notice"));

        // when, then
        assertThat(summary.isEmpty()).isTrue();
        assertThat(text()).isEmpty();
    }

    @Test
    void of_a_large_machine_stays_short() {
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
                          1 undecided: reason of u (u)
                          1 aborted: reason of x (x)
                          1 skipped: reason of s
                          neuron0: 8 tests in 12 min 0 s (8 cores)
                          neuron1: 8 tests in 12 min 0 s (8 cores)
                          and 14 more devices, see the run file
                          waited for cores: 1 h 23 min in all, at most 1.0 s (InferenceTest > oneCore())
                          violated 4000 times: rules beyond the first 1000
                          violated 1 time: rule 0
                          and 999 more violated rules, see the run file
                          notice: notice 0 (InferenceTest > oneCore())
                          notice: notice 1 (InferenceTest > oneCore())
                          and 998 more notices (at least), see the run file
                          run file: target/neuron-test/run-4711.jsonl
                        """);
    }

    @Test
    void counts_a_test_once_for_a_device() {
        // given
        add(released(Duration.ofSeconds(2), CORE0, CORE1), finished("a", Outcome.PASSED, CORE0, CORE1));

        // when, then
        assertThat(text())
                .contains("neuron0: 1 test in 2.0 s (neuron_core0 1 test in 2.0 s; neuron_core1 1 test in 2.0 s)");
    }

    @Test
    void shows_devices_by_number() {
        // given
        add(
                finished("a", Outcome.PASSED, "neuron10/neuron_core0"),
                finished("b", Outcome.PASSED, "neuron2/neuron_core0"));

        // when, then
        assertThat(text().indexOf("neuron2:"))
                .isLessThan(text().indexOf("neuron10:"))
                .isPositive();
    }

    @Test
    void keeps_a_notice_on_its_line() {
        // given
        add(finished("a", Outcome.PASSED), new RunEvent.Noticed(null, "two\nlines"));

        // when, then
        assertThat(text()).contains("  notice: two lines\n");
    }

    @ParameterizedTest
    @CsvSource({"5, 5 ms", "999, 999 ms", "1000, 1.0 s", "59949, 59.9 s", "60000, 1 min 0 s", "3661000, 1 h 1 min"})
    void says_durations_as_people_do(long millis, String expected) {
        // given
        add(released(Duration.ofMillis(millis), CORE0), finished("a", Outcome.PASSED, CORE0));

        // when, then
        assertThat(text()).contains("neuron0: 1 test in " + expected + " (");
    }

    @Test
    void has_the_same_digits_whatever_the_language_of_the_machine() {
        // given
        add(released(Duration.ofMillis(59_949), CORE0), finished("a", Outcome.PASSED, CORE0));
        Locale before = Locale.getDefault();

        // when
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            // then
            assertThat(text()).contains("neuron0: 1 test in 59.9 s (");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void becomes_the_last_event() {
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
