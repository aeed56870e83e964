package dev.neurontest.assertj;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.counter.tree.TreeFixture;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.error.AssertJMultipleFailuresError;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class CounterDiffAssertTest {

    private static final String CORE = "neuron0/neuron_core1 ";
    private static final String INFERENCES = CORE + "other_info/inference_count";

    private final TreeFixture tree = TreeFixture.host(1, 2);
    private final NeuronHost host = NeuronHost.discover(tree);

    @Test
    void hasNoErrorsPassesWhereOnlyWorkWasDone() {
        assertThat(during(() -> tree.count(INFERENCES, 100))).hasNoErrors();
    }

    @Test
    void hasNoErrorsFailsWithTable() {
        // given
        CounterDiff diff = during(() -> tree.count(CORE + "status/timeout", 1).count(CORE + "status/hw_error", 2));

        // when
        AssertionFailedError error = catchThrowableOfType(
                AssertionFailedError.class,
                () -> assertThat(diff).as("after warm-up").hasNoErrors());

        // then
        assertThat(error).hasMessage("""
                [after warm-up] neuron0/neuron_core1 status/hw_error: expected unchanged, was +2
                Neuron counters of neuron0/neuron_core1 on fixture: 2 expectations violated

                counter                               before  after  delta  rule
                neuron0/neuron_core1 status/hw_error       0      2     +2  no error counter may move
                neuron0/neuron_core1 status/timeout        0      1     +1  no error counter may move

                neuron0/neuron_core1 status/hw_error
                  expected unchanged
                  was +2
                  Check the status that the workload received, and dmesg. If this error is intended: @AllowCounter("hw_error").

                neuron0/neuron_core1 status/timeout
                  expected unchanged
                  was +1
                  Check the status that the workload received, and dmesg. If this error is intended: @AllowCounter("timeout").
                """);
        assertThat(error.getExpected().getStringRepresentation())
                .isEqualTo(
                        "neuron0/neuron_core1 status/hw_error: unchanged\nneuron0/neuron_core1 status/timeout: unchanged");
        assertThat(error.getActual().getStringRepresentation())
                .isEqualTo("neuron0/neuron_core1 status/hw_error: +2\nneuron0/neuron_core1 status/timeout: +1");
    }

    @Test
    void hasNoErrorsButIgnoresNamedCounters() {
        // given
        CounterDiff diff = during(() -> tree.count(CORE + "status/oob_error", 1));

        // when, then
        assertThat(diff).hasNoErrorsBut("oob_error");
        assertThatThrownBy(() -> assertThat(diff).hasNoErrorsBut("timeout"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("status/oob_error");
    }

    @Test
    void hasNoErrorsCannotPassWhileCountsAreHeldBack() {
        // given
        tree.set("sys/module/neuron/version", "2.24.7.0\n")
                .set("dev/neuron0", "")
                .set("proc/4711/comm", "python3\n")
                .set("proc/4711/fd/7", "")
                .set("link:proc/4711/fd/7", "/dev/neuron0");
        CounterDiff diff = during(NeuronHost.discover(tree), () -> {});

        // when, then
        assertThatThrownBy(() -> assertThat(diff).hasNoErrors())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1 expectation undecided")
                .hasMessageContaining("neuron0 is still held by python3 (pid 4711)");
        assertThat(diff).deviceMemoryReturned();
    }

    @Test
    void hasNoForeignActivityChecksOtherCores() {
        // given
        CounterDiff alone = during(() -> tree.count(INFERENCES, 1));
        CounterDiff shared = during(() -> tree.count("neuron0/neuron_core0 status/success", 12));

        // when, then
        assertThat(alone).hasNoForeignActivity();
        assertThatThrownBy(() -> assertThat(shared).hasNoForeignActivity())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("neuron0/neuron_core0 status/success       0     12    +12  no foreign activity");
    }

    @Test
    void deviceMemoryReturnedAllowsATolerance() {
        // given
        CounterDiff diff = during(() -> tree.count(CORE + "memory_usage/device_mem", 4096));

        // when, then
        assertThat(diff).deviceMemoryReturned("4 KiB");
        assertThatThrownBy(() -> assertThat(diff).deviceMemoryReturned())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("device memory returns");
        assertThatThrownBy(() -> assertThat(diff).deviceMemoryReturned("4096"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no unit");
    }

    @Test
    void peakStayedUnderLimitsRaisedPeak() {
        // given
        String peak = TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/peak";
        CounterDiff diff = during(() -> tree.set(peak, "1048576\n"));

        // when, then
        assertThat(diff).peakStayedUnder("device_mem", "1 MiB");
        assertThatThrownBy(() -> assertThat(diff).peakStayedUnder("device_mem", "512 KiB"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected at most 524288 (512 KiB)");
    }

    @Test
    void counterSupportsAllAssertions() {
        // given
        CounterDiff diff = during(() -> tree.count(INFERENCES, 100));

        // when, then
        assertThat(diff)
                .counter("inference_count")
                .rose()
                .roseBy(100)
                .roseByAtLeast(100)
                .roseByAtMost(100)
                .roseByBetween(90, 110)
                .returnToDiff()
                .hasNoErrors()
                .counter("oob_error")
                .isUnchanged();
    }

    @Test
    void counterFailureQuotesAssertion() {
        // given
        CounterDiff diff = during(() -> tree.count(INFERENCES, 100));

        // when, then
        assertRefused(() -> assertThat(diff).counter("oob_error").rose(), "counter(\"oob_error\").rose()");
        assertRefused(
                () -> assertThat(diff).counter("inference_count").roseBy(99),
                "counter(\"inference_count\").roseBy(99)");
        assertRefused(
                () -> assertThat(diff).counter("inference_count").roseByAtLeast(101),
                "counter(\"inference_count\").roseByAtLeast(101)");
        assertRefused(
                () -> assertThat(diff).counter("inference_count").roseByAtMost(99),
                "counter(\"inference_count\").roseByAtMost(99)");
        assertRefused(
                () -> assertThat(diff).counter("inference_count").roseByBetween(1, 2),
                "counter(\"inference_count\").roseByBetween(1, 2)");
        assertRefused(
                () -> assertThat(diff).counter("inference_count").isUnchanged(),
                "counter(\"inference_count\").isUnchanged()");
        assertRefused(
                () -> assertThat(diff).counter("inference_count").onEach().roseBy(1),
                "counter(\"inference_count\").onEach().roseBy(1)");
    }

    @Test
    void counterRefusesAnUnknownName() {
        // given
        CounterDiff diff = during(() -> {});

        // when, then
        assertThatThrownBy(() -> assertThat(diff).counter("inference_cuont"))
                .isInstanceOf(CounterNameException.class)
                .hasMessageContaining("Nearest: other_info/inference_count");
    }

    @Test
    void onEachChecksEveryCore() {
        // given
        CounterDiff diff =
                both(() -> tree.count(INFERENCES, 50).count("neuron0/neuron_core0 other_info/inference_count", 50));

        // when, then
        assertThat(diff).counter("inference_count").roseBy(100).onEach().roseBy(50);
    }

    @Test
    void onCoreNarrowsToACore() {
        // given
        CounterDiff diff = both(() -> tree.count(INFERENCES, 50));

        // when, then
        assertThat(diff).onCore(host.cores().get(1)).counter("inference_count").roseBy(50);
        assertThat(diff).onCore(host.cores().get(0)).counter("inference_count").isUnchanged();
    }

    @Test
    void softAssertionsCollectEverything() {
        // given
        CounterDiff diff =
                during(() -> tree.count(CORE + "status/timeout", 1).count(CORE + "memory_usage/device_mem", 4096));
        SoftAssertions softly = new SoftAssertions();

        // when
        CounterDiffAssert proxy = softly.proxy(CounterDiffAssert.class, CounterDiff.class, diff);
        proxy.hasNoErrors().deviceMemoryReturned().hasNoForeignActivity();

        // then
        assertThat(softly.errorsCollected())
                .hasSize(2)
                .extracting(Throwable::getMessage)
                .satisfiesExactly(
                        first -> assertThat(first).contains("status/timeout"),
                        second -> assertThat(second).contains("memory_usage/device_mem"));
    }

    @Test
    void softAssertionsStaySoftAfterNavigation() {
        // given
        CounterDiff diff = both(() -> tree.count(CORE + "status/timeout", 1));
        NeuronSoftAssertions softly = new NeuronSoftAssertions();

        // when
        softly.assertThat(diff)
                .as("the run")
                .counter("inference_count")
                .roseBy(100)
                .rose()
                .onEach()
                .roseByAtLeast(1)
                .returnToDiff()
                .hasNoErrors();
        softly.assertThat(diff)
                .onCore(host.cores().get(1))
                .hasNoErrors()
                .counter("success")
                .rose();
        softly.assertThat("other").isEqualTo("assertions");

        // then
        assertThat(softly.errorsCollected()).hasSize(7);
        assertThat(softly.errorsCollected().get(0))
                .hasMessageStartingWith(
                        "[the run] 2 cores other_info/inference_count: expected +100, was 0\nNeuron counters of");
        assertThatThrownBy(softly::assertAll).isInstanceOf(AssertJMultipleFailuresError.class);
    }

    @Test
    void softAssertionsDoNotHideAWrongName() {
        // given
        CounterDiff diff = during(() -> {});
        NeuronSoftAssertions softly = new NeuronSoftAssertions();

        // when, then
        assertThatThrownBy(() -> softly.assertThat(diff).counter("inference_cuont"))
                .isInstanceOf(CounterNameException.class);
    }

    private static void assertRefused(Runnable assertion, String words) {
        assertThatThrownBy(assertion::run)
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("1 expectation violated")
                .hasMessageContaining(words);
    }

    private CounterDiff during(Runnable body) {
        return during(host, body);
    }

    private static CounterDiff during(NeuronHost of, Runnable body) {
        return Counters.over(new CounterScopes(of), List.of(of.cores().get(1)), SettleOptions.IN_PROCESS)
                .during(body::run);
    }

    private CounterDiff both(Runnable body) {
        return Counters.over(new CounterScopes(host), host.cores(), SettleOptions.IN_PROCESS)
                .during(body::run);
    }
}
