package dev.neurontest.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.Attribution;
import dev.neurontest.counter.CounterDeltaExpectation;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.MemoryReturnedExpectation;
import dev.neurontest.counter.PeakMemoryExpectation;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.ByteSize;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class CounterFailureTest {

    private static final String CORE = "neuron0/neuron_core1 ";

    private final TreeFixture tree = TreeFixture.host(1, 2);

    @Test
    void listsEveryViolationInOneTable() {
        // given
        tree.count(CORE + "status/oob_error", 3).count(CORE + "other_info/inference_count", 12);
        CounterScope scope = ScopeFixture.of(tree, 2, 1);
        CounterExpectations rules = CounterExpectations.builder()
                .expect(CounterDeltaExpectation.by("inference_count", 100))
                .expect(new MemoryReturnedExpectation(ByteSize.parse("4 KiB")))
                .build();

        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                () -> tree.count(CORE + "status/oob_error", 4)
                        .count(CORE + "other_info/inference_count", 111)
                        .count(CORE + "memory_usage/device_mem", 8192)
                        .count(CORE + "memory_usage/device_mem/tensors", 8192)
                        .count("neuron0/neuron_core0 status/success", 12));
        AssertionFailedError error = CounterFailure.of(rules.judge(diff), diff).toError();

        // then
        assertThat(error).hasMessage("""
                neuron0/neuron_core1 status/oob_error: expected unchanged, was +1
                Neuron counters of neuron0/neuron_core1 on fixture: 3 expectations violated

                counter                                          before         after          delta  rule
                neuron0/neuron_core1 status/oob_error                 3             4             +1  no error counter may move
                neuron0/neuron_core1 other_info/inference_count      12           111            +99  @ExpectCounter("inference_count",
                                                                                                      delta = 100)
                neuron0/neuron_core1 memory_usage/device_mem          0  8192 (8 KiB)  +8192 (8 KiB)  device memory returns within 4 KiB

                neuron0/neuron_core1 status/oob_error
                  expected unchanged
                  was +1
                  Check the status that the workload received, and dmesg. If this error is intended: @AllowCounter("oob_error").

                neuron0/neuron_core1 other_info/inference_count
                  expected +100
                  was +99
                  If that is intended, change the expectation. Otherwise check whether the workload did what the test requested, and what else uses the core.

                neuron0/neuron_core1 memory_usage/device_mem
                  expected at most +4096 (4 KiB)
                  was +8192 (8 KiB)
                  Still allocated: tensors +8192 (8 KiB). Free it before the test ends, or allow a tolerance if it is meant to stay.

                Also seen:
                  Foreign activity on neuron0/neuron_core0, which this test does not hold: status/success +12.
                """);
        assertThat(error.getExpected().getStringRepresentation()).isEqualTo("""
                neuron0/neuron_core1 status/oob_error: unchanged
                neuron0/neuron_core1 other_info/inference_count: +100
                neuron0/neuron_core1 memory_usage/device_mem: at most +4096 (4 KiB)""");
        assertThat(error.getActual().getStringRepresentation()).isEqualTo("""
                neuron0/neuron_core1 status/oob_error: +1
                neuron0/neuron_core1 other_info/inference_count: +99
                neuron0/neuron_core1 memory_usage/device_mem: +8192 (8 KiB)""");
    }

    @Test
    void listsUndecidedExpectationWithReason() {
        // given
        CounterScope scope = ScopeFixture.held(tree, Map.of(0, List.of("python3 (pid 4711)")), 2, 1);
        CounterDiff diff = ScopeFixture.diff(scope, () -> {});
        Judgement judgement = CounterExpectations.builder()
                .expect(CounterDeltaExpectation.by("inference_count", 100))
                .build()
                .judge(diff);

        // when
        CounterFailure failure = CounterFailure.of(new Judgement(List.of(), judgement.undecided(), List.of()), diff);

        // then
        assertThat(failure.text()).isEqualTo("""
                Neuron counters of neuron0/neuron_core1 on fixture: 1 expectation undecided

                counter                                          before  after  delta  rule
                neuron0/neuron_core1 other_info/inference_count       0      0      0  @ExpectCounter("inference_count",
                                                                                       delta = 100) (undecided)

                neuron0/neuron_core1 other_info/inference_count
                  undecided: Measured so far: 0. This host (driver 2.24.7.0) counts executions and their outcomes when the owning process closes the device, and neuron0 is still held by python3 (pid 4711). End the owner, or close its runtime, before the counters are read; from driver 2.30 on they are live.
                """);
        assertThat(failure.expected())
                .isEqualTo(
                        "neuron0/neuron_core1 other_info/inference_count: @ExpectCounter(\"inference_count\", delta = 100)");
        assertThat(failure.actual()).isEqualTo("neuron0/neuron_core1 other_info/inference_count: undecided");
    }

    @Test
    void strictViolationNamesConcurrentUsers() {
        // given
        CounterDiff diff = eccErrorWithNeighbour();

        // when
        String text = CounterFailure.judged(CounterExpectations.DEFAULT, diff).text();

        // then
        assertThat(text).isEqualTo("""
                neuron0 hardware/mem_ecc_uncorrected: expected unchanged, was +1
                Neuron counters of neuron0/neuron_core1 on fixture: 1 expectation violated

                counter                               before  after  delta  rule
                neuron0 hardware/mem_ecc_uncorrected       0      1     +1  no error counter may move

                neuron0 hardware/mem_ecc_uncorrected
                  expected unchanged
                  was +1
                  The device reports memory errors that it could not correct: take it out of service. To accept them in this test: @AllowCounter("mem_ecc_uncorrected"). It is a counter of the whole device, and these may have caused the change: FooTest > bar() (pid 12) on neuron0/neuron_core0.
                """);
    }

    @Test
    void tolerantAttributionNamesConcurrentUsers() {
        // given
        CounterDiff diff = eccErrorWithNeighbour();
        CounterExpectations tolerant =
                CounterExpectations.builder().attribution(Attribution.TOLERANT).build();

        // when
        String text = CounterFailure.judged(tolerant, diff).text();

        // then
        assertThat(text).isEqualTo("""
                Neuron counters of neuron0/neuron_core1 on fixture: 1 expectation undecided

                counter                               before  after  delta  rule
                neuron0 hardware/mem_ecc_uncorrected       0      1     +1  no error counter may move (undecided)

                neuron0 hardware/mem_ecc_uncorrected
                  undecided: Expected unchanged, was +1; but it is a counter of the whole device, which these also used: FooTest > bar() (pid 12) on neuron0/neuron_core0. The change cannot be attributed to one process. Lease the whole device to be alone on it. The device reports memory errors that it could not correct: take it out of service. To accept them in this test: @AllowCounter("mem_ecc_uncorrected").
                """);
    }

    private CounterDiff eccErrorWithNeighbour() {
        return ScopeFixture.diff(
                ScopeFixture.of(tree, 2, 1),
                List.of("FooTest > bar() (pid 12) on neuron0/neuron_core0"),
                () -> tree.put("neuron0 hardware/mem_ecc_uncorrected", "1\n"));
    }

    @Test
    void showsAnUnreadableCounterWithPathAndContent() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);
        CounterDiff diff = ScopeFixture.diff(scope, () -> tree.put(CORE + "status/hw_error", "-1\n"));

        // when
        String text =
                CounterFailure.of(CounterExpectations.DEFAULT.judge(diff), diff).text();

        // then
        assertThat(text).contains("""
                counter                               before       after    delta  rule
                neuron0/neuron_core1 status/hw_error       0  unreadable  unknown  no error counter may move
                """).contains("hw_error/total holds \"-1\\n\", expected an unsigned number.");
    }

    @Test
    void showsSumsPeaksAndLogicalCores() {
        // given
        TreeFixture trn2 = TreeFixture.pairedHost();
        CounterScope scope = ScopeFixture.paired(trn2, 0, 1);
        CounterExpectations rules = CounterExpectations.builder()
                .expect(CounterDeltaExpectation.by("inference_count", 100))
                .expect(CounterDeltaExpectation.by("model_load_count", 1).onEach())
                .expect(new PeakMemoryExpectation("device_mem", ByteSize.parse("4 KiB"), false))
                .build();

        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                () -> trn2.count("neuron0/neuron_core1 other_info/model_load_count", 1)
                        .set(
                                TreeFixture.DEVICES + "neuron0/neuron_core2/stats/memory_usage/device_mem/peak",
                                "8192\n"));
        String text = CounterFailure.of(rules.judge(diff), diff).text();

        // then
        assertThat(text).contains("""
                counter                              before         after          delta  rule
                2 cores other_info/inference_count        0             0              0  @ExpectCounter("inference_count", delta = 100)
                core 1 other_info/model_load_count        0             0              0  @ExpectCounter("model_load_count", delta = 1,
                                                                                          each = true)
                core 1 memory_usage/device_mem/peak       0  8192 (8 KiB)  +8192 (8 KiB)  peak of device_mem stays under 4 KiB
                """);
    }

    @Test
    void namesAttachmentsWithAllChanges() {
        // given
        CounterDiff diff = eccErrorWithNeighbour();
        CounterFailure failure = CounterFailure.judged(CounterExpectations.DEFAULT, diff);

        // when
        String text = failure.withAttachment().text();

        // then
        assertThat(text).isEqualTo(failure.text() + """

                All changed counters are in the attached neuron-counters.txt, and in neuron-counters.json with paths.
                """);
        assertThat(diff.toJson()).contains("/neuron0/stats/hardware/mem_ecc_uncorrected");
    }

    @Test
    void namesNoAttachmentWithoutChanges() {
        // given
        CounterDiff diff = ScopeFixture.diff(ScopeFixture.of(tree, 2, 1), () -> {});
        CounterExpectations rules = CounterExpectations.builder()
                .expect(CounterDeltaExpectation.by("inference_count", 100))
                .build();
        CounterFailure failure = CounterFailure.judged(rules, diff);

        // when, then
        assertThat(failure.withAttachment().text()).isEqualTo(failure.text());
    }

    @Test
    void limitsTableTo120Columns() {
        // given
        CounterExpectations rules = CounterExpectations.builder()
                .expect(CounterDeltaExpectation.by("memory_usage/device_mem/driver_memory", 1L << 40))
                .build();

        // when
        String text = CounterFailure.judged(
                        rules,
                        ScopeFixture.diff(
                                ScopeFixture.of(tree, 2, 1),
                                () -> tree.count(CORE + "memory_usage/device_mem/driver_memory", 123_456_789_012L)))
                .text();

        // then
        assertThat(text.split("\n\n")[1].lines())
                .hasSizeGreaterThan(2)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void listsViolationWithoutCounter() {
        // given
        CounterDiff diff = ScopeFixture.diff(ScopeFixture.of(tree, 2, 1), () -> {});
        Judgement judgement = new Judgement(
                List.of(new Violation("a rule", "/some/file", "this", "that", "Do something.")), List.of(), List.of());

        // when, then
        assertThat(CounterFailure.of(judgement, diff).text())
                .contains("/some/file                        a rule")
                .endsWith("/some/file\n  expected this\n  was that\n  Do something.\n");
    }

    @Test
    void isNoFailureWithoutFindings() {
        // given
        CounterDiff diff = ScopeFixture.diff(ScopeFixture.of(tree, 2, 1), () -> {});

        // when, then
        assertThat(CounterFailure.of(Judgement.NOTHING, diff).isFailure()).isFalse();
    }
}
