package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterDeltaExpectationTest {

    private static final String CORE = "neuron0/neuron_core1 ";
    private static final String INFERENCES = CORE + "other_info/inference_count";

    private final TreeFixture tree = TreeFixture.host(1, 2);
    private final CounterScope scope = ScopeFixture.of(tree, 2, 1);

    @ParameterizedTest
    @CsvSource({
        "100, , , 100, true",
        "100, , , 99, false",
        "100, , , 101, false",
        "0, , , 0, true",
        "0, , , 1, false",
        ", 5, , 5, true",
        ", 5, , 4, false",
        ", , 5, 5, true",
        ", , 5, 6, false",
        ", 2, 4, 3, true",
        ", 2, 4, 1, false",
        ", 2, 4, 5, false"
    })
    void compareDifferenceWithDeltaMinAndMax(Long delta, Long min, Long max, long moved, boolean met) {
        // given
        tree.count(INFERENCES, 12);

        // when
        Judgement judgement = judge(scope, expectation(delta, min, max), () -> tree.count(INFERENCES, 12 + moved));

        // then
        assertThat(judgement.violations()).hasSize(met ? 0 : 1);
        assertThat(judgement.undecided()).isEmpty();
    }

    @Test
    void reportExpectedAndActualDifference() {
        // when
        Judgement judgement = judge(scope, CounterDeltaExpectation.byBetween("inference_count", 90, 110), () -> {});

        // then
        assertThat(judgement.violations())
                .containsExactly(
                        new Violation(
                                "@ExpectCounter(\"inference_count\", min = 90, max = 110)",
                                INFERENCES,
                                "at least +90 and at most +110",
                                "0",
                                "If that is intended, change the expectation. Otherwise check whether the workload did what the test requested, and what else uses the core."));
    }

    @Test
    void compareUnsigned() {
        // given
        tree.count(INFERENCES, Long.MAX_VALUE);

        // when, then
        assertThat(judge(
                        scope,
                        CounterDeltaExpectation.by("inference_count", 2),
                        () -> tree.count(INFERENCES, Long.MIN_VALUE + 1)))
                .isEqualTo(Judgement.NOTHING);
    }

    @Test
    void acceptNegativeDeltaOfMemory() {
        // given
        tree.count(CORE + "memory_usage/device_mem", 8192);

        // when, then
        assertThat(judge(
                        scope,
                        CounterDeltaExpectation.by("device_mem", -4096),
                        () -> tree.count(CORE + "memory_usage/device_mem", 4096)))
                .isEqualTo(Judgement.NOTHING);
    }

    @Test
    void sumCoresUnlessOnEach() {
        // given
        CounterScope both = ScopeFixture.of(tree, 2, 0, 1);
        Runnable body = () -> tree.count(INFERENCES, 70).count("neuron0/neuron_core0 other_info/inference_count", 30);
        Runnable back = () -> tree.count(INFERENCES, 0).count("neuron0/neuron_core0 other_info/inference_count", 0);

        // when
        Judgement sum = judge(both, CounterDeltaExpectation.by("inference_count", 100), body);
        back.run();
        Judgement each =
                judge(both, CounterDeltaExpectation.by("inference_count", 30).onEach(), body);

        // then
        assertThat(sum).isEqualTo(Judgement.NOTHING);
        assertThat(each.violations())
                .extracting(Violation::rule, Violation::subject, Violation::actual)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(
                        "@ExpectCounter(\"inference_count\", delta = 30, each = true)", INFERENCES, "+70"));
    }

    @Test
    void useLargestPhysicalCore() {
        // given
        TreeFixture trn2 = TreeFixture.pairedHost();
        CounterScope pair = ScopeFixture.paired(trn2, 0);

        // when, then
        assertThat(judge(
                        pair,
                        CounterDeltaExpectation.by("inference_count", 100),
                        () -> trn2.count("neuron0/neuron_core0 other_info/inference_count", 100)
                                .count("neuron0/neuron_core1 other_info/inference_count", 100)))
                .isEqualTo(Judgement.NOTHING);
    }

    @Test
    void failOnUnreadableCounter() {
        // when
        Judgement judgement =
                judge(scope, CounterDeltaExpectation.byAtMost("inference_count", 5), () -> tree.put(INFERENCES, "\n"));

        // then
        assertThat(judgement.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.expected()).isEqualTo("a readable counter");
            assertThat(violation.actual())
                    .startsWith(
                            "/sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/other_info/inference_count/total holds \"\\n\", expected a number, not an empty file.");
        });
    }

    @ParameterizedTest
    @CsvSource({
        // deferred counts can only add to the visible ones, and no movement is required in an aborted body
        "100, , , 0, undecided, met",
        "100, , , 100, undecided, met",
        "100, , , 101, violated, violated",
        "0, , , 0, undecided, undecided",
        "0, , , 1, violated, violated",
        "-5, , , 0, violated, met",
        ", 5, , 4, undecided, met",
        ", 5, , 5, met, met",
        ", , 5, 5, undecided, undecided",
        ", , 5, 6, violated, violated",
        ", 2, 4, 3, undecided, met",
        ", 2, 4, 5, violated, violated"
    })
    void decideOnlyFinalResultsWhileCountsAreDeferred(
            Long delta, Long min, Long max, long moved, String outcome, String aborted) {
        // given
        CounterScope deferred = ScopeFixture.held(tree, Map.of(0, List.of("python3 (pid 4711)")), 2, 1);

        // when
        Expectation<CounterDiff> armed = expectation(delta, min, max).arm(deferred);
        CounterDiff diff = ScopeFixture.diff(deferred, () -> tree.count(INFERENCES, moved));
        Judgement judgement = armed.judge(diff);

        // then
        assertThat(outcome(judgement)).isEqualTo(outcome);
        assertThat(outcome(armed.ofAbortedBody().judge(diff))).isEqualTo(aborted);
        judgement
                .undecided()
                .forEach(
                        undecided -> assertThat(undecided.reason())
                                .isEqualTo(
                                        "Measured so far: " + (moved == 0 ? "0" : "+" + moved)
                                                + ". This host (driver 2.24.7.0) counts executions and their outcomes when the owning process closes the device, and neuron0 is still held by python3 (pid 4711). End the owner, or close its runtime, before the counters are read; from driver 2.30 on they are live."));
    }

    @Test
    void judgeMemoryWhileCountsAreDeferred() {
        // given
        CounterScope deferred = ScopeFixture.held(tree, Map.of(0, List.of("python3 (pid 4711)")), 2, 1);

        // when
        Judgement judgement = judge(deferred, CounterDeltaExpectation.by("device_mem", 4096), () -> {});

        // then
        assertThat(judgement.violations()).hasSize(1);
        assertThat(judgement.undecided()).isEmpty();
    }

    @Test
    void mentionInvisibleOwnersOnDeferringDriver() {
        // given
        CounterScope deferred = ScopeFixture.held(tree, Map.of(), 2, 1);

        // when
        Judgement judgement = judge(deferred, CounterDeltaExpectation.by("inference_count", 1), () -> {});

        // then
        assertThat(judgement.violations())
                .singleElement()
                .satisfies(
                        violation -> assertThat(violation.advice())
                                .startsWith(
                                        "This host (driver 2.24.7.0) counts executions when the owning process closes the device; processes of other users are only visible to root."));
    }

    @ParameterizedTest
    @CsvSource({
        "5, , , undecided",
        ", 3, , met",
        ", 4, , undecided",
        ", , 2, violated",
        ", , 3, undecided",
        "3, , , undecided"
    })
    void useLowerBoundOfDecreasedCounter(Long delta, Long min, Long max, String outcome) {
        // given
        tree.count(INFERENCES, 88154);

        // when
        Judgement judgement = judge(scope, expectation(delta, min, max), () -> tree.count(INFERENCES, 3));

        // then
        assertThat(outcome(judgement)).isEqualTo(outcome);
        judgement
                .undecided()
                .forEach(undecided -> assertThat(undecided.reason())
                        .startsWith(
                                "Measured so far: at least +3. It went from 88154 to 3, although the driver never lowers it: it"
                                        + " was written to, or the driver was reloaded. Its count before that is unknown. Keep others from writing to ")
                        .endsWith("/stats/other_info/inference_count/total during the test."));
    }

    /** Judges a core with two halves. The first goes from 8 KiB to another amount, the second from nothing to 4 KiB. */
    private static Judgement judgeHalves(CounterDeltaExpectation moves, long first) {
        TreeFixture paired = TreeFixture.pairedHost();
        CounterScope halves = ScopeFixture.paired(paired, 0);
        paired.count("neuron0/neuron_core0 memory_usage/device_mem", 8192);
        return judge(
                halves,
                moves,
                () -> paired.count("neuron0/neuron_core0 memory_usage/device_mem", first)
                        .count("neuron0/neuron_core1 memory_usage/device_mem", 4096));
    }

    @Test
    void doNotCancelOutPhysicalCoresForDeltaZero() {
        // when
        Judgement judgement = judgeHalves(CounterDeltaExpectation.by("device_mem", 0), 4096);

        // then
        assertThat(judgement.violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.actual())
                        .isEqualTo("-4096 (4 KiB) on neuron0/neuron_core0, +4096 (4 KiB) on neuron0/neuron_core1"));
    }

    @Test
    void doNotHideRiseOfOnePhysicalCore() {
        // when
        Judgement judgement = judgeHalves(CounterDeltaExpectation.byAtMost("device_mem", 0), 0);

        // then
        assertThat(judgement.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.expected()).isEqualTo("at most 0");
            assertThat(violation.actual())
                    .isEqualTo("-8192 (8 KiB) on neuron0/neuron_core0, +4096 (4 KiB) on neuron0/neuron_core1");
        });
    }

    @Test
    void sumPhysicalCoresBelowPositiveLimit() {
        // when
        Judgement judgement = judgeHalves(CounterDeltaExpectation.byAtMost("device_mem", 4096), 0);

        // then
        assertThat(judgement).isEqualTo(Judgement.NOTHING);
    }

    @Test
    void leaveWrappedMemoryUndecided() {
        // given
        CounterDeltaExpectation atMost = CounterDeltaExpectation.byAtMost("device_mem", 0);

        // when
        Judgement judgement = judge(scope, atMost, () -> tree.count(CORE + "memory_usage/device_mem", -8192));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided())
                .singleElement()
                .satisfies(undecided -> assertThat(undecided.reason())
                        .contains("It went from 0 to 18446744073709543424 (8 KiB below 0): it was cleared"));
    }

    @ParameterizedTest
    @CsvSource({
        ", , , 'expects nothing: set delta, min or max.'",
        "1, 1, , 'sets delta together with min or max: set either delta, or min and max.'",
        "1, , 1, 'sets delta together with min or max: set either delta, or min and max.'",
        ", 3, 2, cannot be met: min is greater than max."
    })
    void refuseMissingOrContradictoryLimits(Long delta, Long min, Long max, String problem) {
        assertThatThrownBy(() -> expectation(delta, min, max))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("@ExpectCounter(\"inference_count\"")
                .hasMessageEndingWith(problem);
    }

    private static Judgement judge(CounterScope scope, CounterDeltaExpectation expectation, Runnable body) {
        var armed = expectation.arm(scope);
        return armed.judge(ScopeFixture.diff(scope, body));
    }

    private static String outcome(Judgement judgement) {
        return !judgement.violations().isEmpty()
                ? "violated"
                : judgement.undecided().isEmpty() ? "met" : "undecided";
    }

    private static CounterDeltaExpectation expectation(Long delta, Long min, Long max) {
        return CounterDeltaExpectation.of("inference_count", optional(delta), optional(min), optional(max), false);
    }

    private static OptionalLong optional(Long value) {
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    @Test
    void areNamedAfterTheirAnnotation() {
        // then
        assertThat(CounterDeltaExpectation.by("inference_count", 2).inWords("@Inferences(2)"))
                .hasToString("@Inferences(2)");
        assertThat(judge(scope, CounterDeltaExpectation.by("inference_count", 2).inWords("@Inferences(2)"), () -> {})
                        .violations())
                .extracting(Violation::rule)
                .containsExactly("@Inferences(2)");
    }
}
