package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.CounterRecorder;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.ByteSize;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CounterExpectationsTest {

    private static final String CORE = "neuron0/neuron_core1 ";
    private static final String HEALTH =
            TreeFixture.DEVICES + "neuron0/stats/hardware/health_status/unhealthy_components";

    private final TreeFixture tree = TreeFixture.host(1, 2);
    private final CounterScope scope = ScopeFixture.of(tree, 2, 1);

    @Test
    void passWhenOnlyWorkIsCounted() {
        // when
        Judgement judgement = judge(
                CounterExpectations.DEFAULT,
                () -> tree.count(CORE + "status/success", 100)
                        .count(CORE + "other_info/inference_count", 100)
                        .count(CORE + "other_info/reset_req_count", 1)
                        .count(CORE + "memory_usage/device_mem", 4096)
                        .put("neuron0 hardware/mem_ecc_corrected", "3\n"));

        // then
        assertThat(judgement).isEqualTo(Judgement.NOTHING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hw_error", "timeout", "exec_bad_input", "execute_completed_with_num_error", "oob_error"})
    void forbidEveryStatusButSuccess(String status) {
        // when
        Judgement judgement = judge(CounterExpectations.DEFAULT, () -> tree.count(CORE + "status/" + status, 2));

        // then
        assertThat(judgement.violations())
                .containsExactly(new Violation(
                        "no error counter may move",
                        CORE + "status/" + status,
                        "unchanged",
                        "+2",
                        "Check the status that the workload received, and dmesg. If this error is intended: @AllowCounter(\""
                                + status + "\")."));
    }

    @Test
    void forbidStatusAddedByNewerDriver() {
        // given
        tree.counter(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/status/hw_quantum_error", false);
        CounterScope newer = ScopeFixture.of(tree, 2, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(newer, () -> tree.count(CORE + "status/hw_quantum_error", 1));

        // then
        assertThat(CounterExpectations.DEFAULT.judge(diff).violations()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sram_ecc_uncorrected", "mem_ecc_uncorrected", "mem_ecc_repairable_uncorrected"})
    void forbidUncorrectedEccErrors(String ecc) {
        // when
        Judgement judgement = judge(CounterExpectations.DEFAULT, () -> tree.put("neuron0 hardware/" + ecc, "1\n"));

        // then
        assertThat(judgement.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.subject()).isEqualTo("neuron0 hardware/" + ecc);
            assertThat(violation.advice()).contains("take it out of service", "@AllowCounter(\"" + ecc + "\")");
        });
    }

    /** Verifies the notices for drivers 2.28 and 2.29; no source documents whether these errors are corrected. */
    @ParameterizedTest
    @ValueSource(strings = {"hbm_ecc_err_count", "repairable_hbm_ecc_err_count", "sram_ecc_err_count"})
    void giveNoticeOfEccErrorsOfUnknownKind(String count) {
        // given
        tree.set(TreeFixture.DEVICES + "neuron0/stats/hardware/health_status/" + count, "0\n");
        CounterScope older = ScopeFixture.of(tree, 2, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(older, () -> tree.put("neuron0 hardware/health_status/" + count, "1\n"));

        // then
        assertThat(CounterExpectations.DEFAULT.judge(diff).notices())
                .singleElement()
                .asString()
                .contains("because their meaning is unknown to this version: neuron0 hardware/health_status/" + count
                        + " +1");
    }

    @Test
    void reportAllViolationsAtOnce() {
        // when
        Judgement judgement = judge(
                CounterExpectations.builder()
                        .expect(CounterDeltaExpectation.by("inference_count", 100))
                        .expect(new MemoryReturnedExpectation(new ByteSize(0)))
                        .build(),
                () -> tree.count(CORE + "status/hw_error", 1)
                        .count(CORE + "status/timeout", 2)
                        .count(CORE + "memory_usage/device_mem", 4096));

        // then
        assertThat(judgement.violations())
                .extracting(Violation::subject)
                .containsExactly(
                        CORE + "status/hw_error",
                        CORE + "status/timeout",
                        CORE + "other_info/inference_count",
                        CORE + "memory_usage/device_mem");
    }

    @ParameterizedTest
    @ValueSource(strings = {"oob_error", "status/oob_error"})
    void permitChangeOfAllowedCounter(String name) {
        // given
        CounterExpectations rules = CounterExpectations.builder().allow(name).build();

        // when
        Judgement judgement =
                judge(rules, () -> tree.count(CORE + "status/oob_error", 1).count(CORE + "status/timeout", 1));

        // then
        assertThat(judgement.violations()).extracting(Violation::subject).containsExactly(CORE + "status/timeout");
    }

    @Test
    void permitChangeOfCounterAllowedByAlias() {
        // given
        CounterExpectations rules =
                CounterExpectations.builder().allow("infer_failed_to_queue").build();

        // when, then
        assertThat(judge(rules, () -> tree.count(CORE + "status/execute_failed_to_queue", 1)))
                .isEqualTo(Judgement.NOTHING);
    }

    @Test
    void giveNoticeWhenAllowedCounterIsMissing() {
        // given
        CounterExpectations rules =
                CounterExpectations.builder().allow("obo_error").build();

        // when
        Judgement judgement = judge(rules, () -> tree.count(CORE + "status/oob_error", 1));

        // then
        assertThat(judgement.violations()).hasSize(1);
        assertThat(judgement.notices())
                .singleElement()
                .asString()
                .startsWith(
                        "@AllowCounter(\"obo_error\") has no effect here. There is no counter \"obo_error\" among the ")
                .contains("Nearest: status/oob_error");
    }

    @Test
    void giveNoticeWhenAllowedCounterIsNoError() {
        // given
        CounterExpectations rules =
                CounterExpectations.builder().allow("inference_count").build();

        // when, then
        assertThat(judge(rules, () -> {}).notices())
                .containsExactly(
                        "@AllowCounter(\"inference_count\") has no effect: other_info/inference_count is not an error counter and may always change.");
    }

    @Test
    void forbidNothingWhenSwitchedOff() {
        // given
        CounterExpectations rules =
                CounterExpectations.builder().errorsMustNotMove(false).build();

        // when, then
        assertThat(judge(rules, () -> tree.count(CORE + "status/hw_error", 1))).isEqualTo(Judgement.NOTHING);
    }

    @Test
    void failOnUnreadableErrorCounter() {
        // when
        Judgement judgement = judge(CounterExpectations.DEFAULT, () -> tree.put(CORE + "status/hw_error", "busy\n"));

        // then
        assertThat(judgement.violations())
                .containsExactly(
                        new Violation(
                                "no error counter may move",
                                CORE + "status/hw_error",
                                "a readable counter",
                                "after the test: /sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/hw_error/total holds \"busy\\n\", expected an unsigned number. Read it again (cat /sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/hw_error/total); if it stays like that, report it with the driver version.",
                                "A counter that cannot be read proves nothing; see /sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/hw_error/total."));
    }

    @Test
    void reportVanishedDeviceOncePerPlace() {
        // when
        Judgement judgement = judge(CounterExpectations.DEFAULT, () -> tree.remove(TreeFixture.DEVICES + "neuron0"));

        // then
        assertThat(judgement.violations())
                .extracting(Violation::subject)
                .containsExactly(CORE + "status/exec_bad_input", "neuron0 hardware/mem_ecc_repairable_uncorrected");
        assertThat(judgement.violations().get(0).actual())
                .startsWith(
                        "after the test: /sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/exec_bad_input/total could not be read: NoSuchFileException")
                .endsWith("23 more files of neuron0/neuron_core1 failed in the same way.");
        assertThat(judgement.undecided()).isEmpty();
    }

    @Test
    void reportEachCorruptFile() {
        // when
        Judgement judgement = judge(
                CounterExpectations.DEFAULT,
                () -> tree.put(CORE + "status/hw_error", "").put(CORE + "status/timeout", "-1\n"));

        // then
        assertThat(judgement.violations())
                .extracting(Violation::subject)
                .containsExactly(CORE + "status/hw_error", CORE + "status/timeout");
    }

    @Test
    void giveNoticeOfUnreadableFileWithoutRule() {
        // when
        Judgement judgement = judge(
                CounterExpectations.DEFAULT,
                () -> tree.fail(CORE + "other_info/flop_count", () -> new IOException("I/O error")));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.notices())
                .singleElement()
                .asString()
                .startsWith("Not readable: ")
                .contains("flop_count/total could not be read: IOException I/O error");
    }

    @Test
    void leaveClearedCounterUndecided() {
        // given
        tree.count(CORE + "status/timeout", 9).count(CORE + "status/success", 9);

        // when
        Judgement judgement = judge(
                CounterExpectations.DEFAULT,
                () -> tree.count(CORE + "status/timeout", 0).count(CORE + "status/success", 10));

        // then
        assertThat(judgement.undecided()).singleElement().satisfies(undecided -> {
            assertThat(undecided.subject()).isEqualTo(CORE + "status/timeout");
            assertThat(undecided.reason())
                    .startsWith("It went from 9 to 0, although the driver never lowers it: ")
                    .contains("status/timeout/total");
        });
        assertThat(judgement.violations()).isEmpty();
    }

    @Test
    void failOnErrorCountedAfterClear() {
        // given
        tree.count(CORE + "status/hw_error", 9);

        // when
        Judgement judgement = judge(CounterExpectations.DEFAULT, () -> tree.count(CORE + "status/hw_error", 2));

        // then
        assertThat(judgement.violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.actual())
                        .isEqualTo("at least +2 (decreased: written to, or driver reloaded)"));
    }

    private static Stream<CounterExpectation> rules() {
        return Stream.of(
                CounterDeltaExpectation.by("inference_count", 100),
                CounterDeltaExpectation.by("inference_count", 0),
                CounterDeltaExpectation.byAtLeast("success", 1),
                CounterDeltaExpectation.byAtMost("device_mem", 0),
                new MemoryReturnedExpectation(ByteSize.parse("0 B")),
                new PeakMemoryExpectation("device_mem", ByteSize.parse("1 MiB"), false),
                new NoForeignActivityExpectation(),
                new CompleteCountsExpectation());
    }

    @ParameterizedTest
    @MethodSource("rules")
    void leaveAllUndecidedAfterDriverReload(CounterExpectation rule) {
        // given a reload with readings like those after a passing test
        tree.count(CORE + "other_info/inference_count", 50).count(CORE + "memory_usage/device_mem", 4096);
        CounterExpectations rules = CounterExpectations.builder().expect(rule).build();

        // when
        Judgement judgement = judge(
                rules,
                () -> tree.count(CORE + "status/timeout", 7)
                        .reload()
                        .count(CORE + "other_info/inference_count", 150)
                        .count(CORE + "status/success", 100)
                        .count(CORE + "memory_usage/device_mem", 4096));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided())
                .extracting(Undecided::rule)
                .containsExactly(NoErrorCounterExpectation.RULE, rule.toString());
        assertThat(judgement.undecided())
                .allSatisfy(undecided -> assertThat(undecided.reason())
                        .startsWith("The driver was reloaded during the test, or its counters were cleared: /sys/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sys/module/neuron", "sys/devices/virtual/neuron_device/neuron0"})
    void treatReplacedDirectoryAsRestart(String directory) {
        // when
        Judgement judgement = judge(CounterExpectations.DEFAULT, () -> tree.replace(directory));

        // then
        assertThat(judgement.undecided())
                .singleElement()
                .satisfies(
                        undecided -> assertThat(undecided.reason()).contains("/" + directory + " was created again"));
    }

    @Test
    void treatCommonFallAsRestart() {
        // given a host that does not number its directories
        tree.count(CORE + "status/success", 50).count(CORE + "other_info/inference_count", 50);

        // when
        Judgement judgement = judge(
                CounterExpectations.DEFAULT,
                () -> tree.count(CORE + "status/success", 1).count(CORE + "other_info/inference_count", 1));

        // then
        assertThat(judgement.undecided())
                .singleElement()
                .satisfies(undecided -> assertThat(undecided.reason())
                        .contains("counters that never decrease decreased together: " + CORE + "status/success, " + CORE
                                + "other_info/inference_count"));
    }

    @Test
    void treatFallOnUnleasedCoreAsRestart() {
        // given
        String other = "neuron0/neuron_core0 ";
        tree.count(other + "status/success", 50).count(other + "other_info/inference_count", 50);

        // when
        Judgement judgement = judge(
                CounterExpectations.DEFAULT,
                () -> tree.count(other + "status/success", 0).count(other + "other_info/inference_count", 0));

        // then
        assertThat(judgement.undecided()).hasSize(1);
    }

    @Test
    void doNotTreatPeakResetOrWrapAsRestart() {
        // given
        tree.count(CORE + "memory_usage/device_mem", 4096)
                .set(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/peak", "8192\n")
                .set(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/host_mem/peak", "8192\n")
                .put("neuron0 hardware/mem_ecc_corrected", "65535\n")
                .count(CORE + "other_info/flop_count", -1);

        // when
        Judgement judgement = judge(
                CounterExpectations.DEFAULT,
                () -> tree.count(CORE + "memory_usage/device_mem", 0)
                        .set(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/peak", "0\n")
                        .set(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/host_mem/peak", "0\n")
                        .count(CORE + "other_info/reset_req_count", 1)
                        .put("neuron0 hardware/mem_ecc_corrected", "1\n")
                        .count(CORE + "other_info/flop_count", 5));

        // then
        assertThat(judgement.undecided()).isEmpty();
        assertThat(judgement.violations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hbm", "hbm,sram", "device_unreachable"})
    void failWhenDeviceBecomesUnhealthy(String components) {
        // when
        Judgement judgement = judge(CounterExpectations.DEFAULT, () -> tree.set(HEALTH, components + "\n"));

        // then
        assertThat(judgement.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.rule()).isEqualTo("no device may become unhealthy");
            assertThat(violation.subject()).isEqualTo("neuron0 unhealthy_components");
            assertThat(violation.expected()).isEqualTo("no broken component");
            assertThat(violation.actual()).isEqualTo(components);
            assertThat(violation.advice()).contains("@AllowCounter(\"unhealthy_components\")");
        });
    }

    @Test
    void permitUnhealthyDeviceWhenAllowed() {
        // when
        Judgement judgement = judge(
                CounterExpectations.builder().allow("unhealthy_components").build(), () -> tree.set(HEALTH, "hbm\n"));

        // then
        assertThat(judgement).isEqualTo(Judgement.NOTHING);
    }

    @Test
    void forbidOnlyComponentsThatBreakDuringTheTest() {
        // given
        tree.set(HEALTH, "hbm\n");

        // when, then
        assertThat(judge(CounterExpectations.DEFAULT, () -> {}).violations()).isEmpty();
        assertThat(judge(CounterExpectations.DEFAULT, () -> tree.set(HEALTH, "\n"))
                        .violations())
                .isEmpty();
    }

    @Test
    void giveNoticeOfHardwareErrorEvents() {
        // given
        String event = TreeFixture.DEVICES + "neuron0/stats/hardware/health_status/hw_error_event";
        tree.set(event, "4\n");
        CounterScope withEvents = ScopeFixture.of(tree, 2, 1);

        // when
        Judgement judgement = CounterExpectations.DEFAULT
                .arm(withEvents)
                .judge(ScopeFixture.diff(withEvents, () -> tree.set(event, "5\n")));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.notices())
                .containsExactly("The device had hardware error events, which no rule judges:"
                        + " neuron0 hardware/health_status/hw_error_event +1. Look at dmesg.");
    }

    @Test
    void forbidFailedResets() {
        // when
        Judgement judgement =
                judge(CounterExpectations.DEFAULT, () -> tree.count(CORE + "other_info/reset_fail_count", 2));

        // then
        assertThat(judgement.violations())
                .extracting(Violation::subject, Violation::actual)
                .containsExactly(tuple(CORE + "other_info/reset_fail_count", "+2"));
    }

    @Test
    void leaveAppearedCounterUndecided() {
        // when
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);
        tree.counter(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/status/hw_quantum_error", false);
        Judgement judgement = CounterExpectations.DEFAULT.arm(scope).judge(recorder.stop());

        // then
        assertThat(judgement.undecided())
                .singleElement()
                .satisfies(undecided -> assertThat(undecided.reason())
                        .startsWith("/" + TreeFixture.DEVICES
                                + "neuron0/neuron_core1/stats/status/hw_quantum_error appeared during the test:"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"status/timeout", "memory_usage/host_mem", "other_info/inference_count"})
    void leaveAppearedCounterUndecidedWhenOtherIsUnreadable(String unreadable) {
        // given
        CounterExpectations rules =
                CounterExpectations.builder().allow("timeout").build();

        // when
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);
        tree.counter(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/status/hw_quantum_error", false);
        tree.fail(CORE + unreadable, () -> new IOException("No such device"));
        Judgement judgement = rules.arm(scope).judge(recorder.stop());

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided())
                .singleElement()
                .satisfies(undecided -> assertThat(undecided.reason()).contains("hw_quantum_error appeared"));
    }

    @Test
    void leaveUnreadableHealthReportUndecided() {
        // when
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);
        tree.failFile(HEALTH, () -> new IOException("Input/output error"));
        CounterDiff diff = recorder.stop();
        CounterDiff judged = diff.judged(CounterExpectations.DEFAULT.arm(scope).judge(diff));

        // then
        assertThat(judged.toJson()).contains("\"after\":\"unreadable: Input/output error\",\"verdict\":\"undecided\"");
    }

    @Test
    void reportLastingUnreadableCounterOnce() {
        // given
        tree.fail(CORE + "status/hw_error", () -> new IOException("No such device"));

        // when
        Judgement judgement = judge(CounterExpectations.DEFAULT, () -> {});

        // then
        assertThat(judgement.violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.actual())
                        .startsWith("before and after the test: /sys/")
                        .doesNotContain("more file"));
    }

    @Test
    void failOnWrappedErrorCounter() {
        // given
        tree.count(CORE + "status/timeout", -1);

        // when
        Judgement judgement = judge(CounterExpectations.DEFAULT, () -> tree.count(CORE + "status/timeout", 1));

        // then
        assertThat(judgement.violations()).singleElement().returns("+2 (wrapped at 64 bits)", Violation::actual);
    }

    @Test
    void giveNoticeOfForeignActivity() {
        // when
        Judgement judgement = judge(
                CounterExpectations.DEFAULT,
                () -> tree.count("neuron0/neuron_core0 status/success", 12)
                        .count("neuron0/neuron_core0 status/hw_error", 1));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.notices())
                .containsExactly(
                        "Foreign activity on neuron0/neuron_core0, which this test does not hold: status/hw_error +1, status/success +12.");
    }

    @Test
    void nameProbableCauseOfForeignActivity() {
        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                List.of("FooTest > bar() (pid 12) on neuron0/neuron_core0"),
                () -> tree.count("neuron0/neuron_core0 status/success", 12));

        // then
        assertThat(CounterExpectations.DEFAULT.judge(diff).notices())
                .containsExactly(
                        "Foreign activity on neuron0/neuron_core0, which this test does not hold: status/success +12, by: FooTest > bar() (pid 12) on neuron0/neuron_core0.");
    }

    @Test
    void failOnForeignActivityWhenForbidden() {
        // given
        CounterExpectations rules = CounterExpectations.builder()
                .expect(new NoForeignActivityExpectation())
                .build();

        // when
        Judgement judgement = judge(rules, () -> tree.count("neuron0/neuron_core0 status/success", 12));

        // then
        assertThat(judgement.violations())
                .extracting(Violation::rule, Violation::subject, Violation::actual)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(
                        "no foreign activity", "neuron0/neuron_core0 status/success", "+12"));
        assertThat(judgement.notices()).isEmpty();
    }

    @Test
    void failOnUnreadableForeignCoreWhenActivityIsForbidden() {
        // given
        CounterExpectations rules = CounterExpectations.builder()
                .expect(new NoForeignActivityExpectation())
                .build();

        // when
        Judgement judgement = judge(
                rules, () -> tree.fail("neuron0/neuron_core0 status/success", () -> new NoSuchFileException("total")));

        // then
        assertThat(judgement.violations()).hasSize(1);
    }

    @Test
    void passWithNoticeWhileCountsAreDeferred() {
        // given
        CounterScope deferred = ScopeFixture.held(tree, Map.of(0, List.of("python3 (pid 4711)")), 2, 1);

        // when
        Judgement judgement = CounterExpectations.DEFAULT.judge(ScopeFixture.diff(deferred, () -> {}));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided()).isEmpty();
        assertThat(judgement.notices())
                .singleElement()
                .asString()
                .startsWith("Error counters may be incomplete. This host (driver 2.24.7.0) counts")
                .contains("neuron0 is still held by python3 (pid 4711)");
    }

    @Test
    void failOnErrorSeenWhileCountsAreDeferred() {
        // given
        CounterScope deferred = ScopeFixture.held(tree, Map.of(0, List.of("python3 (pid 4711)")), 2, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(deferred, () -> tree.count(CORE + "status/hw_error", 1));

        // then
        assertThat(CounterExpectations.DEFAULT.judge(diff).violations()).hasSize(1);
    }

    @Test
    void reportCountersThatDidNotSettle() {
        // given
        CounterSnapshot before = CounterSnapshot.of(scope);
        CounterDiff diff = DiffFixture.unsettled(
                before,
                CounterSnapshot.of(scope),
                Duration.ofMillis(50),
                new Counter(CounterPlace.ofCore(0, 1), "status/success", CounterField.TOTAL));

        // when, then
        assertThat(CounterExpectations.DEFAULT.judge(diff).notices())
                .containsExactly(
                        "The counters did not settle within 50 ms; still changing: neuron0/neuron_core1 status/success. The readings after the test may be too early.");
    }

    @Test
    void refuseAnUnknownNameBeforeTheTestRuns() {
        // given
        CounterExpectations rules = CounterExpectations.builder()
                .expect(CounterDeltaExpectation.by("inference_cuont", 1))
                .build();

        // when, then
        assertThatThrownBy(() -> rules.arm(scope))
                .isInstanceOf(CounterNameException.class)
                .hasMessageContaining("Nearest: other_info/inference_count");
    }

    @Test
    void refuseToClearPeakAfterTest() {
        // given
        CounterExpectations rules = CounterExpectations.builder()
                .expect(new PeakMemoryExpectation("device_mem", ByteSize.parse("1 GiB"), true))
                .build();
        CounterDiff diff = ScopeFixture.diff(scope, () -> {});

        // when, then
        assertThatThrownBy(() -> rules.judge(diff))
                .hasMessage(
                        "peak of device_mem stays under 1 GiB: the peak cannot be cleared first when the test has already run");
        assertThat(tree.written()).isEmpty();
    }

    private Judgement judge(CounterExpectations rules, Runnable body) {
        var armed = rules.arm(scope);
        return armed.judge(ScopeFixture.diff(scope, body));
    }

    @Test
    void passWithANoticeWhereADeviceIsStillOpen() {
        // given
        CounterRecorder recorder = CounterRecorder.start(
                scope,
                SettleOptions.IN_PROCESS,
                () -> ConcurrentUsers.NONE,
                () -> Map.of(0, List.of("trainer (pid 4711)")));

        // when
        CounterDiff diff = recorder.stop();

        // then
        Judgement found = CounterExpectations.DEFAULT.judge(diff);
        assertThat(found.violations()).isEmpty();
        assertThat(found.undecided()).isEmpty();
        assertThat(found.notices()).containsExactly(diff.stillOpen().orElseThrow());
    }
}
