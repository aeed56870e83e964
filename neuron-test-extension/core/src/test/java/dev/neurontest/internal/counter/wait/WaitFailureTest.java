package dev.neurontest.internal.counter.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.judgement.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class WaitFailureTest {

    private static final String CORE = "neuron0/neuron_core1 ";

    private final TreeFixture tree = TreeFixture.host(1, 2);

    private WaitFailure failure(CounterScope scope, WaitFailure.End end, Runnable body) {
        CounterSnapshot before = CounterSnapshot.of(scope);
        body.run();
        CounterSnapshot after = CounterSnapshot.of(scope);
        AwaitPlan plan = new AwaitPlan(
                CounterExpectations.DEFAULT,
                () -> ConcurrentUsers.NONE,
                AwaitTarget.of(scope, "inference_count"),
                before,
                List.of(AwaitCondition.riseAtLeast(10)),
                false);
        CounterDiff all = before.until(after);
        Optional<Violation> error = end == WaitFailure.End.ERROR
                ? CounterExpectations.DEFAULT.judge(all).violations().stream().findFirst()
                : Optional.empty();
        return new WaitFailure(
                plan,
                Duration.ofSeconds(5),
                end,
                error,
                plan.target().values(before, after, false),
                Duration.ofMillis(5003),
                498,
                all);
    }

    @Test
    void listsChangedCounters() {
        // when
        AssertionFailedError error = failure(
                        ScopeFixture.of(tree, 2, 1),
                        WaitFailure.End.TIME_OVER,
                        () -> tree.count(CORE + "other_info/inference_count", 3)
                                .count(CORE + "memory_usage/device_mem", 4096)
                                .count(CORE + "other_info/model_load_count", 1))
                .toError();

        // then
        assertThat(error).hasMessage("""
                Waited for other_info/inference_count of neuron0/neuron_core1 on fixture: expected at least +10 within 5 s, was 3 [+3] after 5 s (498 readings)

                counter                                           before         after          delta
                neuron0/neuron_core1 other_info/inference_count        0             3             +3
                neuron0/neuron_core1 other_info/model_load_count       0             1             +1
                neuron0/neuron_core1 memory_usage/device_mem           0  4096 (4 KiB)  +4096 (4 KiB)

                If it only takes longer, allow more time. Otherwise check whether the workload does what the test requests, and which counters changed.
                """);
        assertThat(error.getExpected().getStringRepresentation()).isEqualTo("at least +10");
        assertThat(error.getActual().getStringRepresentation()).isEqualTo("3 [+3]");
    }

    @Test
    void namesTheErrorThatEndedTheWait() {
        // when
        WaitFailure failure = failure(
                ScopeFixture.of(tree, 2, 1), WaitFailure.End.ERROR, () -> tree.count(CORE + "status/hw_error", 1));

        // then
        assertThat(failure.text()).isEqualTo("""
                Waited for other_info/inference_count of neuron0/neuron_core1 on fixture: expected at least +10 within 5 s, was 0 [0] when neuron0/neuron_core1 status/hw_error had changed (+1) after 5 s

                counter                               before  after  delta
                neuron0/neuron_core1 status/hw_error       0      1     +1

                Check the status that the workload received, and dmesg. If this error is intended: @AllowCounter("hw_error").
                """);
    }

    @Test
    void namesOwnerThatDefersCounts() {
        // given
        CounterScope held = ScopeFixture.held(tree, Map.of(0, List.of("python3 (pid 4711)")), 2, 1);

        // when, then
        assertThat(failure(held, WaitFailure.End.TIME_OVER, () -> {}).text()).endsWith("""
                No counter changed.

                This host (driver 2.24.7.0) counts executions and their outcomes when the owning process closes the device, and neuron0 is still held by python3 (pid 4711). End the owner, or close its runtime, before the counters are read; from driver 2.30 on they are live.
                """);
    }

    @Test
    void reportsThatOwnerMayBeHidden() {
        // given
        CounterScope deferred = ScopeFixture.held(tree, Map.of(), 2, 1);

        // when, then
        assertThat(failure(deferred, WaitFailure.End.TIME_OVER, () -> {}).text())
                .endsWith(
                        "This host (driver 2.24.7.0) counts executions and their outcomes when the owning process closes the device; processes of other users are only visible to root.\n");
    }

    @Test
    void namesTimeoutAsCauseOfInterrupt() {
        // when, then
        assertThat(failure(ScopeFixture.of(tree, 2, 1), WaitFailure.End.INTERRUPTED, () -> {})
                        .text())
                .contains("expected at least +10 within 5 s, was 0 [0] when the thread was interrupted after 5 s\n")
                .endsWith(
                        "The thread was interrupted, for example by @Timeout: allow the test more time than the wait.\n");
    }
}
