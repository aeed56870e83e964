package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.ByteSize;
import java.nio.file.AccessDeniedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeakMemoryExpectationTest {

    private static final String MEMORY = TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/";
    private static final String SUBJECT = "neuron0/neuron_core1 memory_usage/device_mem/peak";

    private final TreeFixture tree = TreeFixture.host(1, 2);
    private final CounterScope scope = ScopeFixture.of(tree, 2, 1);

    @ParameterizedTest
    @CsvSource({
        // peak before and after, total before and after, limit of 100 KiB
        "0, 102400, 0, 0, met",
        "0, 102401, 0, 0, violated",
        "50000, 102401, 0, 0, violated",
        "50000, 50000, 0, 0, met",
        "200000, 200000, 0, 0, undecided",
        "200000, 200000, 150000, 0, violated",
        "200000, 200000, 0, 150000, violated",
        "200000, 300000, 0, 0, violated",
        "200000, 1000, 0, 0, undecided",
        "90000, 1000, 0, 0, undecided",
        "200000, 150000, 0, 0, violated",
        "0, 4096, 150000, 0, violated"
    })
    void judgePeakByChangeOfPeakAndTotal(
            long peakBefore, long peakAfter, long totalBefore, long totalAfter, String outcome) {
        // given
        tree.set(MEMORY + "peak", peakBefore + "\n").set(MEMORY + "total", totalBefore + "\n");

        // when
        Judgement judgement = judge(
                false, () -> tree.set(MEMORY + "peak", peakAfter + "\n").set(MEMORY + "total", totalAfter + "\n"));

        // then
        assertThat(judgement.violations()).hasSize(outcome.equals("violated") ? 1 : 0);
        assertThat(judgement.undecided()).hasSize(outcome.equals("undecided") ? 1 : 0);
    }

    @Test
    void reportReachedPeak() {
        // when
        Judgement judgement = judge(false, () -> tree.set(MEMORY + "peak", "204800\n"));

        // then
        assertThat(judgement.violations())
                .containsExactly(
                        new Violation(
                                "peak of device_mem stays under 100 KiB",
                                SUBJECT,
                                "at most 102400 (100 KiB)",
                                "204800 (200 KiB)",
                                "If that is intended, raise the limit. The categories below device_mem show the use of the memory."));
    }

    @Test
    void explainWhyOldPeakIsUndecided() {
        // given
        tree.set(MEMORY + "peak", "204800\n");

        // when, then
        assertThat(judge(false, () -> {}).undecided()).singleElement().satisfies(undecided -> {
            assertThat(undecided.subject()).isEqualTo(SUBJECT);
            assertThat(undecided.reason())
                    .isEqualTo(
                            "The peak was already 204800 (200 KiB) before the test and did not rise, so what the test used is unknown. Set clearFirst to clear the peak before the test.");
        });
    }

    @Test
    void clearNothingByDefault() {
        // given
        tree.set(MEMORY + "peak", "204800\n");

        // when
        judge(false, () -> {});

        // then
        assertThat(tree.written()).isEmpty();
    }

    @Test
    void clearOnlyRequestedPeakOfLeasedCores() {
        // given
        tree.set(MEMORY + "peak", "204800\n").set(MEMORY + "tensors/peak", "204800\n");

        // when
        Judgement judgement = judge(true, () -> tree.set(MEMORY + "peak", "4096\n"));

        // then
        assertThat(tree.written()).containsExactly(MEMORY + "peak");
        assertThat(judgement).isEqualTo(Judgement.NOTHING);
    }

    @Test
    void countMemoryInUseAtClear() {
        // given a peak that restarts from the next allocation only
        tree.set(MEMORY + "peak", "204800\n").set(MEMORY + "total", "204800\n");

        // when, then
        assertThat(judge(true, () -> {}).violations()).hasSize(1);
    }

    @Test
    void explainWhyPeakCannotBeCleared() {
        // given
        tree.set(MEMORY + "peak", "204800\n");
        tree.refuseWrites(() -> new AccessDeniedException("peak", null, "Read-only file system"));

        // when
        Judgement judgement = judge(true, () -> {});

        // then
        assertThat(judgement.undecided())
                .singleElement()
                .satisfies(
                        undecided -> assertThat(undecided.reason())
                                .isEqualTo(
                                        "The peak was already 204800 (200 KiB) before the test and did not rise, so what the test used is unknown. It could not be cleared first: /"
                                                + MEMORY
                                                + "peak cannot be written: Read-only file system (it needs root, and in a container /sys is usually read-only)."));
    }

    @Test
    void decideWithoutClearWhenOldPeakIsWithinLimit() {
        // given
        tree.set(MEMORY + "peak", "4096\n");
        tree.refuseWrites(() -> new AccessDeniedException("peak"));

        // when, then
        assertThat(judge(true, () -> {}))
                .isEqualTo(
                        new Judgement(
                                List.of(),
                                List.of(),
                                List.of(
                                        "peak of device_mem stays under 100 KiB: the old peak is within the limit, but it could not be cleared first: /"
                                                + MEMORY
                                                + "peak cannot be written: access is denied (it needs root, and in a container /sys is usually read-only).")));
    }

    @Test
    void leavePeakClearedDuringTestUndecided() {
        // given a peak that may have been over the limit until it was cleared
        tree.set(MEMORY + "peak", "65536\n");

        // when
        Judgement judgement = judge(false, () -> tree.set(MEMORY + "peak", "4096\n"));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided())
                .singleElement()
                .satisfies(undecided -> assertThat(undecided.reason()).contains("the peak was cleared"));
    }

    @Test
    void reportClearWithoutEffect() {
        // given
        tree.set(MEMORY + "peak", "204800\n");
        tree.ignoreWrites();

        // when, then
        assertThat(judge(true, () -> {}).undecided())
                .singleElement()
                .satisfies(undecided -> assertThat(undecided.reason())
                        .endsWith("It could not be cleared first: writing /" + MEMORY
                                + "peak was accepted but had no effect."));
    }

    @Test
    void sumPeaksOfPhysicalCores() {
        // given
        TreeFixture trn2 = TreeFixture.pairedHost();
        CounterScope pair = ScopeFixture.paired(trn2, 0);
        var armed = new PeakMemoryExpectation("device_mem", ByteSize.parse("100 KiB"), false).arm(pair);

        // when
        CounterDiff diff = ScopeFixture.diff(pair, () -> {
            for (int core = 0; core < 2; core++) {
                trn2.set(
                        TreeFixture.DEVICES + "neuron0/neuron_core" + core + "/stats/memory_usage/device_mem/peak",
                        "61440\n");
            }
        });

        // then
        assertThat(armed.judge(diff).violations()).singleElement().satisfies(violation -> {
            assertThat(violation.subject()).isEqualTo("core 0 memory_usage/device_mem/peak");
            assertThat(violation.actual()).isEqualTo("122880 (120 KiB)");
            assertThat(violation.advice()).startsWith("The peaks of 2 physical cores, added up.");
        });
    }

    @Test
    void failOnUnreadablePeak() {
        assertThat(judge(false, () -> tree.set(MEMORY + "peak", "x")).violations())
                .singleElement()
                .returns("a readable counter", Violation::expected);
    }

    @Test
    void refuseCounterWithoutPeak() {
        assertThatThrownBy(() -> new PeakMemoryExpectation("inference_count", new ByteSize(1), false).arm(scope))
                .isInstanceOf(CounterNameException.class)
                .hasMessage(
                        "\"inference_count\" is other_info/inference_count, which has no peak. Only memory counters have one.");
    }

    private Judgement judge(boolean clearFirst, Runnable body) {
        var armed = new PeakMemoryExpectation("device_mem", ByteSize.parse("100 KiB"), clearFirst).arm(scope);
        return armed.judge(ScopeFixture.diff(scope, body));
    }
}
