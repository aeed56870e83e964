package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.ByteSize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryReturnedExpectationTest {

    private static final String CORE = "neuron0/neuron_core1 ";
    private static final String MEMORY = CORE + "memory_usage/device_mem";

    private final TreeFixture tree = TreeFixture.host(1, 2);
    private final CounterScope scope = ScopeFixture.of(tree, 2, 1);

    @ParameterizedTest
    @CsvSource({"0 B, 0, true", "0 B, 4096, false", "4 KiB, 4096, true", "4 KiB, 8192, false"})
    void allowMemoryWithinTolerance(String tolerance, long stays, boolean met) {
        // given memory of an earlier test, which does not concern this test
        tree.count(MEMORY, 12288);

        // when
        Judgement judgement = judge(tolerance, () -> tree.count(MEMORY, 12288 + stays));

        // then
        assertThat(judgement.violations()).hasSize(met ? 0 : 1);
    }

    @Test
    void judgeEachPhysicalCoreWithoutTolerance() {
        // given
        TreeFixture paired = TreeFixture.pairedHost();
        paired.count("neuron0/neuron_core0 memory_usage/device_mem", 8192);

        // when one half keeps as much as the other frees
        Judgement judgement = new MemoryReturnedExpectation(ByteSize.parse("0 B"))
                .judge(ScopeFixture.diff(
                        ScopeFixture.paired(paired, 0),
                        () -> paired.count("neuron0/neuron_core0 memory_usage/device_mem", 0)
                                .count("neuron0/neuron_core1 memory_usage/device_mem", 8192)));

        // then
        assertThat(judgement.violations())
                .extracting(Violation::subject, Violation::actual)
                .containsExactly(tuple(MEMORY, "+8192 (8 KiB)"));
        assertThat(judgement.notices()).isEmpty();
    }

    @Test
    void nameCategoriesOfRemainingMemory() {
        // when
        Judgement judgement = judge(
                "4 KiB",
                () -> tree.count(MEMORY, 16384)
                        .count(MEMORY + "/tensors", 12288)
                        .count(MEMORY + "/model_code", 4096)
                        .set(
                                TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/peak",
                                "16384\n"));

        // then
        assertThat(judgement.violations())
                .containsExactly(
                        new Violation(
                                "device memory returns within 4 KiB",
                                MEMORY,
                                "at most +4096 (4 KiB)",
                                "+16384 (16 KiB)",
                                "Still allocated: model_code +4096 (4 KiB), tensors +12288 (12 KiB). Free it before the test ends, or allow a tolerance if it is meant to stay."));
    }

    @Test
    void giveNoticeWhenMemoryFell() {
        // given
        tree.count(MEMORY, 12288);

        // when
        Judgement judgement = judge("0 B", () -> tree.count(MEMORY, 4096));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.notices())
                .containsExactly(
                        MEMORY
                                + " is lower than at the start of the test by 8 KiB: memory from before the test was released.");
    }

    @Test
    void judgeEachCore() {
        // given two cores: one frees the memory of another test, and the other leaks as much
        CounterScope both = ScopeFixture.of(tree, 2, 0, 1);
        tree.count("neuron0/neuron_core0 memory_usage/device_mem", 4096);
        var armed = new MemoryReturnedExpectation(new ByteSize(0)).arm(both);

        // when
        CounterDiff diff = ScopeFixture.diff(
                both,
                () -> tree.count("neuron0/neuron_core0 memory_usage/device_mem", 0)
                        .count(MEMORY, 4096));

        // then
        assertThat(armed.judge(diff).violations())
                .extracting(Violation::subject)
                .containsExactly(MEMORY);
    }

    @Test
    void sumPhysicalCoresWithTolerance() {
        // given
        TreeFixture trn2 = TreeFixture.pairedHost();
        CounterScope pair = ScopeFixture.paired(trn2, 0);
        var armed = new MemoryReturnedExpectation(ByteSize.parse("4 KiB")).arm(pair);

        // when
        CounterDiff diff = ScopeFixture.diff(
                pair,
                () -> trn2.count("neuron0/neuron_core0 memory_usage/device_mem", 4096)
                        .count("neuron0/neuron_core1 memory_usage/device_mem", 4096));

        // then
        assertThat(armed.judge(diff).violations())
                .singleElement()
                .returns("core 0 memory_usage/device_mem", Violation::subject)
                .returns("+8192 (8 KiB)", Violation::actual);
    }

    @Test
    void leaveClearedMemoryUndecided() {
        // when
        Judgement judgement = judge("0 B", () -> tree.count(MEMORY, -8192));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided()).hasSize(1);
    }

    @Test
    void failOnUnreadableMemory() {
        assertThat(judge("0 B", () -> tree.put(MEMORY, "")).violations())
                .singleElement()
                .returns("a readable counter", Violation::expected);
    }

    @Test
    void requireCounterOfDeviceMemory() {
        // given
        tree.remove(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage");
        CounterScope without = ScopeFixture.of(tree, 2, 1);

        // when, then
        assertThatThrownBy(() -> new MemoryReturnedExpectation(new ByteSize(0)).arm(without))
                .isInstanceOf(CounterNameException.class);
    }

    private Judgement judge(String tolerance, Runnable body) {
        var armed = new MemoryReturnedExpectation(ByteSize.parse(tolerance)).arm(scope);
        return armed.judge(ScopeFixture.diff(scope, body));
    }
}
