package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.ByteSize;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttributionTest {

    private static final String CORE = "neuron0/neuron_core1 ";
    private static final String ECC = "neuron0 hardware/mem_ecc_uncorrected";
    private static final String HOST_TENSORS = "neuron0 memory_usage/host_mem/tensors";
    private static final List<String> NEIGHBOUR = List.of("FooTest > bar() (pid 12) on neuron0/neuron_core0");

    private final TreeFixture tree = TreeFixture.host(2, 2);
    private final CounterScope scope = ScopeFixture.of(tree, 2, 1);

    @Test
    void isStrictByDefault() {
        // when
        Judgement judgement =
                CounterExpectations.DEFAULT.judge(ScopeFixture.diff(scope, NEIGHBOUR, () -> tree.put(ECC, "1\n")));

        // then
        assertThat(judgement.undecided()).isEmpty();
        assertThat(judgement.violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.advice())
                        .contains("may have caused the change: FooTest > bar() (pid 12) on neuron0/neuron_core0."));
    }

    @Test
    void comesFromSettingWhenRulesHaveNone() {
        // given
        CounterExpectations rules = CounterExpectations.builder()
                .expect(CounterDeltaExpectation.by("success", 1))
                .build();

        // when
        CounterDiff diff = ScopeFixture.diff(scope, NEIGHBOUR, () -> tree.put(ECC, "1\n"));
        Judgement judgement = rules.orAttribution(Attribution.TOLERANT).judge(diff);

        // then
        assertThat(judgement.undecided()).extracting(Undecided::subject).containsExactly(ECC);
        assertThat(judgement.violations()).extracting(Violation::subject).containsExactly(CORE + "status/success");
        assertThat(tolerant()
                        .build()
                        .orAttribution(Attribution.STRICT)
                        .judge(diff)
                        .violations())
                .isEmpty();
    }

    @Test
    void deviceWideErrorIsUndecidedWhenTolerant() {
        // when
        Judgement judgement = tolerant().build().judge(ScopeFixture.diff(scope, NEIGHBOUR, () -> tree.put(ECC, "1\n")));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided())
                .extracting(Undecided::rule, Undecided::subject)
                .containsExactly(tuple("no error counter may move", ECC));
    }

    @ParameterizedTest
    @EnumSource
    void changesNothingWithoutNeighbours(Attribution attribution) {
        // given
        CounterDiff alone = ScopeFixture.diff(scope, List.of(), () -> tree.put(ECC, "1\n"));

        // when
        Judgement judgement =
                CounterExpectations.builder().attribution(attribution).build().judge(alone);

        // then
        assertThat(judgement.violations()).hasSize(1);
        assertThat(judgement.violations().get(0).advice()).endsWith("@AllowCounter(\"mem_ecc_uncorrected\").");
    }

    @ParameterizedTest
    @EnumSource
    void doesNotAffectCountersOfLeasedCore(Attribution attribution) {
        // given
        CounterExpectations rules = CounterExpectations.builder()
                .attribution(attribution)
                .expect(new MemoryReturnedExpectation(new ByteSize(0)))
                .build();
        Runnable body = () -> tree.count(CORE + "status/hw_error", 1).count(CORE + "memory_usage/device_mem", 4096);

        // when
        Judgement withNeighbour = rules.judge(ScopeFixture.diff(scope, NEIGHBOUR, body));

        // then
        tree.count(CORE + "status/hw_error", 0).count(CORE + "memory_usage/device_mem", 0);
        assertThat(withNeighbour.violations()).hasSize(2);
        assertThat(withNeighbour).isEqualTo(rules.judge(ScopeFixture.diff(scope, body)));
    }

    @Test
    void toleratesNoErrorOfDeviceWithoutNeighbours() {
        // given
        CounterScope both = ScopeFixture.over(tree, CounterPlace.ofCore(0, 1), CounterPlace.ofCore(1, 1));

        // when
        Judgement judgement = tolerant()
                .build()
                .judge(ScopeFixture.diff(
                        both,
                        NEIGHBOUR,
                        () -> tree.put(ECC, "1\n").put("neuron1 hardware/mem_ecc_uncorrected", "1\n")));

        // then
        assertThat(judgement.undecided()).extracting(Undecided::subject).containsExactly(ECC);
        assertThat(judgement.violations())
                .extracting(Violation::subject)
                .containsExactly("neuron1 hardware/mem_ecc_uncorrected");
    }

    @Test
    void deviceWideExpectationIsUndecidedWhenTolerant() {
        // given
        CounterExpectations rules = tolerant()
                .expect(CounterDeltaExpectation.by("host_mem/tensors", 0))
                .expect(new PeakMemoryExpectation("host_mem/tensors", ByteSize.parse("4 KiB"), false))
                .build();

        // when
        Judgement judgement = rules.judge(ScopeFixture.diff(
                scope,
                NEIGHBOUR,
                () -> tree.count(HOST_TENSORS, 8192)
                        .set(TreeFixture.DEVICES + "neuron0/stats/memory_usage/host_mem/tensors/peak", "8192\n")));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided())
                .extracting(Undecided::subject)
                .containsExactly(HOST_TENSORS, HOST_TENSORS + "/peak");
    }

    @Test
    void sumOverDevicesIsUndecidedWhenTolerant() {
        // given
        CounterScope both = ScopeFixture.over(tree, CounterPlace.ofCore(0, 1), CounterPlace.ofCore(1, 1));
        CounterExpectations rules = tolerant()
                .expect(CounterDeltaExpectation.by("host_mem/tensors", 0))
                .build();

        // when
        Judgement judgement = rules.judge(ScopeFixture.diff(both, NEIGHBOUR, () -> tree.count(HOST_TENSORS, 8192)));

        // then
        assertThat(judgement.undecided())
                .extracting(Undecided::subject)
                .containsExactly("2 devices memory_usage/host_mem/tensors");
    }

    @Test
    void memoryHiddenByReleaseOfOthersIsUndecided() {
        // given
        CounterExpectations rules = tolerant()
                .expect(CounterDeltaExpectation.byAtLeast("host_mem/tensors", 4096))
                .build();

        // when, then
        assertThat(rules.judge(ScopeFixture.diff(scope, NEIGHBOUR, () -> {})).undecided())
                .hasSize(1);
    }

    @Test
    void missingRiseIsNotBlamedOnNeighbours() {
        // given
        CounterExpectations rules = tolerant()
                .expect(CounterDeltaExpectation.byAtLeast("mem_ecc_corrected", 1))
                .build();

        // when, then
        assertThat(rules.judge(ScopeFixture.diff(scope, NEIGHBOUR, () -> {})).violations())
                .hasSize(1);
    }

    @Test
    void unreadableFileIsNotBlamedOnNeighbours() {
        // when
        Judgement judgement = tolerant().build().judge(ScopeFixture.diff(scope, NEIGHBOUR, () -> tree.put(ECC, "x\n")));

        // then
        assertThat(judgement.undecided()).isEmpty();
        assertThat(judgement.violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.advice()).doesNotContain("FooTest"));
    }

    @Test
    void foreignActivityIsViolationEvenWhenTolerant() {
        // given
        CounterExpectations rules =
                tolerant().expect(new NoForeignActivityExpectation()).build();

        // when
        Judgement judgement = rules.judge(
                ScopeFixture.diff(scope, NEIGHBOUR, () -> tree.count("neuron0/neuron_core0 status/success", 12)));

        // then
        assertThat(judgement.violations())
                .singleElement()
                .returns("no foreign activity", Violation::rule)
                .returns(
                        "This core was not leased: the same device was used by FooTest > bar() (pid 12) on neuron0/neuron_core0. Lease the whole device to be alone on it.",
                        Violation::advice);
    }

    @Test
    void appliesToRulesOfClass() {
        // given
        CounterExpectations ofClass = tolerant().build().ofClass(false);

        // when, then
        assertThat(ofClass.judge(ScopeFixture.diff(scope, NEIGHBOUR, () -> tree.put(ECC, "1\n")))
                        .undecided())
                .hasSize(1);
    }

    private static CounterExpectations.Builder tolerant() {
        return CounterExpectations.builder().attribution(Attribution.TOLERANT);
    }
}
