package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.counter.HardwareSuspicion;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HardwareSuspicionTest {

    private static final String CORE_0 = "neuron0/neuron_core0";
    private static final String CORE_1 = "neuron0/neuron_core1";

    private final TreeFixture tree = TreeFixture.host(2, 2);
    private final CounterScope scope = ScopeFixture.of(tree, 2, 0, 1);

    @Test
    void isAbsentAfterErrorsOfWorkload() {
        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                () -> tree.count(CORE_1 + " status/success", 100)
                        .count(CORE_1 + " status/timeout", 1)
                        .count(CORE_1 + " status/exec_bad_input", 1)
                        .count(CORE_1 + " status/execute_completed_with_error", 1)
                        .count(CORE_1 + " other_info/reset_fail_count", 1)
                        .put("neuron0 hardware/mem_ecc_corrected", "5\n"));

        // then
        assertThat(diff.hardwareSuspicions()).isEmpty();
    }

    private static SortedSet<String> counters(String... paths) {
        return new TreeSet<>(List.of(paths));
    }

    /**
     * Verifies that there is no suspicion: a hanging collective may wait for another worker, and a full queue of
     * notifications is in software.
     */
    @ParameterizedTest
    @ValueSource(strings = {"hw_collectives_error", "execute_sw_nq_overflow"})
    void isAbsentAfterHangingCollectiveOrFullQueue(String status) {
        // given
        tree.counter(TreeFixture.DEVICES + CORE_1 + "/stats/status/" + status, false);
        CounterScope its = ScopeFixture.of(tree, 2, 0, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(its, () -> tree.count(CORE_1 + " status/" + status, 2));

        // then
        assertThat(diff.hardwareSuspicions()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hw_error",
                "hw_hbm_ue_error",
                "hw_nc_ue_error",
                "hw_dma_abort_error",
                "hw_repairable_hbm_ue_error"
            })
    void namesCoreWithHardwareStatus(String status) {
        // given
        tree.counter(TreeFixture.DEVICES + CORE_1 + "/stats/status/" + status, false);
        CounterScope its = ScopeFixture.of(tree, 2, 0, 1);

        // when
        CounterDiff diff = ScopeFixture.diff(its, () -> tree.count(CORE_1 + " status/" + status, 2));

        // then
        assertThat(diff.hardwareSuspicions())
                .containsExactly(new HardwareSuspicion(
                        CORE_1, counters("status/" + status), CORE_1 + " status/" + status + " +2", true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sram_ecc_uncorrected", "mem_ecc_uncorrected", "mem_ecc_repairable_uncorrected"})
    void namesAllCoresOfDeviceWithEccError(String ecc) {
        // given
        CounterScope three = ScopeFixture.over(
                tree, CounterPlace.ofCore(1, 0), CounterPlace.ofCore(0, 0), CounterPlace.ofCore(0, 1));

        // when
        CounterDiff diff = ScopeFixture.diff(three, () -> tree.put("neuron0 hardware/" + ecc, "1\n"));

        // then
        assertThat(diff.hardwareSuspicions())
                .containsExactly(
                        new HardwareSuspicion(
                                CORE_0, counters("hardware/" + ecc), "neuron0 hardware/" + ecc + " +1", true),
                        new HardwareSuspicion(
                                CORE_1, counters("hardware/" + ecc), "neuron0 hardware/" + ecc + " +1", true));
    }

    @Test
    void namesLogicalCoreOfFaultyPhysicalCore() {
        // given
        TreeFixture trn2 = TreeFixture.pairedHost();

        // when
        CounterDiff diff = ScopeFixture.diff(
                ScopeFixture.paired(trn2, 0, 2), () -> trn2.count("neuron0/neuron_core5 status/hw_error", 1));

        // then
        assertThat(diff.hardwareSuspicions())
                .containsExactly(new HardwareSuspicion(
                        "core 2", counters("status/hw_error"), "neuron0/neuron_core5 status/hw_error +1", true));
    }

    @Test
    void listsAllReasonsOfCore() {
        // when
        CounterDiff diff = ScopeFixture.diff(
                ScopeFixture.of(tree, 2, 1),
                () -> tree.count(CORE_1 + " status/hw_error", 1).put("neuron0 hardware/mem_ecc_uncorrected", "3\n"));

        // then
        assertThat(diff.hardwareSuspicions())
                .extracting(HardwareSuspicion::reason, HardwareSuspicion::counters)
                .containsExactly(tuple(
                        CORE_1 + " status/hw_error +1, neuron0 hardware/mem_ecc_uncorrected +3",
                        counters("hardware/mem_ecc_uncorrected", "status/hw_error")));
    }

    @Test
    void isNotAttributedWhenDeviceIsShared() {
        // when
        CounterDiff diff = ScopeFixture.diff(
                ScopeFixture.of(tree, 2, 1),
                List.of("FooTest (pid 12) on neuron0/neuron_core0"),
                () -> tree.put("neuron0 hardware/mem_ecc_uncorrected", "1\n"));

        // then
        assertThat(diff.hardwareSuspicions())
                .containsExactly(new HardwareSuspicion(
                        CORE_1,
                        counters("hardware/mem_ecc_uncorrected"),
                        "neuron0 hardware/mem_ecc_uncorrected +1 (also there: FooTest (pid 12) on neuron0/neuron_core0)",
                        false));
    }

    @Test
    void isAttributedWhenCoreCountersAgree() {
        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                List.of("FooTest (pid 12) on neuron0"),
                () -> tree.count(CORE_1 + " status/hw_error", 1).put("neuron0 hardware/mem_ecc_uncorrected", "1\n"));

        // then
        assertThat(diff.hardwareSuspicions())
                .extracting(HardwareSuspicion::core, HardwareSuspicion::attributed)
                .containsExactly(tuple(CORE_0, false), tuple(CORE_1, true));
    }

    @Test
    void isAbsentAfterClearButPresentAfterWrap() {
        // given
        tree.put("neuron0 hardware/mem_ecc_uncorrected", "9\n")
                .put("neuron0 hardware/sram_ecc_uncorrected", "65535\n")
                .count(CORE_1 + " status/hw_error", 9);

        // when
        CounterDiff cleared = ScopeFixture.diff(
                scope,
                () -> tree.put("neuron0 hardware/mem_ecc_uncorrected", "0\n").count(CORE_1 + " status/hw_error", 0));
        CounterDiff wrapped = ScopeFixture.diff(scope, () -> tree.put("neuron0 hardware/sram_ecc_uncorrected", "1\n"));

        // then
        assertThat(cleared.hardwareSuspicions()).isEmpty();
        assertThat(wrapped.hardwareSuspicions()).hasSize(2);
    }

    @Test
    void isLimitedToCoresOfDiff() {
        // when
        CounterDiff diff = ScopeFixture.diff(scope, () -> tree.count(CORE_1 + " status/hw_error", 1));

        // then
        assertThat(diff.onCore(CORE_0).hardwareSuspicions()).isEmpty();
        assertThat(diff.onCore(CORE_1).hardwareSuspicions()).hasSize(1);
    }

    @Test
    void isAbsentForForeignCores() {
        // when
        CounterDiff diff =
                ScopeFixture.diff(ScopeFixture.of(tree, 2, 1), () -> tree.count(CORE_0 + " status/hw_error", 1));

        // then
        assertThat(diff.foreign()).hasSize(1);
        assertThat(diff.hardwareSuspicions()).isEmpty();
    }
}
