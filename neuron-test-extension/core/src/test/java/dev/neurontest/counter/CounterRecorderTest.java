package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.CounterRecorder;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.DeferredCounts;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.patience.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterRecorderTest {

    private static final String SUCCESS = "neuron0/neuron_core1 status/success";
    private static final SettleOptions FILES = new SettleOptions(Duration.ofMillis(2), Patience.LIMIT);

    private final TreeFixture tree = TreeFixture.host(1, 2);
    private final CounterScope scope = ScopeFixture.of(tree, 2, 1);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void recordsChangesUntilStop() {
        // given
        tree.count(SUCCESS, 5);
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);

        // when
        tree.count(SUCCESS, 8);

        // then
        assertThat(recorder.stop().moved()).singleElement().hasToString(SUCCESS + " +3");
    }

    @Test
    void readsThreeTimesWhenCountersAreQuiet() {
        // given
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);

        // when
        CounterDiff diff = recorder.stop();

        // then
        assertThat(diff.settled()).isTrue();
        assertThat(tree.batches()).isEqualTo(3);
    }

    @Test
    void readsTwiceAfterBodyWithInterval() {
        // given
        CounterRecorder recorder = CounterRecorder.start(scope, FILES);

        // when
        CounterDiff diff = recorder.stop();

        // then
        assertThat(diff.settled()).isTrue();
        assertThat(diff.settlement().waited()).isGreaterThanOrEqualTo(FILES.interval());
        assertThat(tree.batches()).isEqualTo(3);
    }

    @Nested
    class WithoutOpenDevice {

        /** Options with durations much longer than the test takes. */
        private static final SettleOptions NEVER_OVER = new SettleOptions(Duration.ofHours(1), Duration.ofHours(1));

        @BeforeEach
        void noReferenceToTheModule() {
            tree.set("sys/module/neuron/refcnt", "0\n");
        }

        @Test
        void readsOnceWhenNothingChanged() {
            // when
            CounterDiff diff = CounterRecorder.start(scope, NEVER_OVER).stop();

            // then
            assertThat(diff.settled()).isTrue();
            assertThat(diff.moved()).isEmpty();
            assertThat(tree.batches()).isEqualTo(2);
        }

        @Test
        void readsTwiceWithoutWaitWhenCounterChanged() {
            // given
            CounterRecorder recorder = CounterRecorder.start(scope, NEVER_OVER);
            tree.count(SUCCESS, 3);

            // when
            CounterDiff diff = recorder.stop();

            // then
            assertThat(diff.settled()).isTrue();
            assertThat(diff.moved()).singleElement().hasToString(SUCCESS + " +3");
            assertThat(tree.batches()).isEqualTo(3);
        }

        @Test
        void waitsForConfiguredInterval() {
            // when
            CounterDiff diff = CounterRecorder.start(scope, new SettleOptions(FILES.interval(), FILES.atMost(), true))
                    .stop();

            // then
            assertThat(diff.settlement().waited()).isGreaterThanOrEqualTo(FILES.interval());
            assertThat(tree.batches()).isEqualTo(3);
        }

        @Test
        void isAssumedOnlyForReferenceCountZero() {
            for (String references : List.of("2\n", "", "none\n", "00\n", "-1\n")) {
                // given
                tree.set("sys/module/neuron/refcnt", references);

                // when
                CounterDiff diff = CounterRecorder.start(scope, FILES).stop();

                // then
                assertThat(diff.settlement().waited()).as(references).isGreaterThanOrEqualTo(FILES.interval());
            }
        }
    }

    @Test
    void waitsUntilTheLastCounterIsQuiet() {
        for (int way = 0; way < 4; way++) {
            // given a counter that keeps moving for a few readings after the body, also by a process that started
            // during the test
            tree.set("sys/module/neuron/refcnt", way < 2 ? "0\n" : "2\n");
            tree.count(SUCCESS, 0);
            CounterRecorder recorder = CounterRecorder.start(scope, way % 2 == 0 ? FILES : SettleOptions.IN_PROCESS);
            AtomicLong count = new AtomicLong();
            tree.onBatch(() -> tree.count(SUCCESS, Math.min(4, count.incrementAndGet())));

            // when
            CounterDiff diff = recorder.stop();

            // then
            assertThat(diff.settled()).isTrue();
            assertThat(diff.counter("success").delta()).isEqualTo(4);
            tree.onBatch(() -> {});
        }
    }

    @Test
    void namesCountersStillChangingAtTimeout() {
        // given
        CounterRecorder recorder =
                CounterRecorder.start(scope, new SettleOptions(Duration.ZERO, Duration.ofMillis(20)));
        AtomicLong count = new AtomicLong();
        tree.onBatch(() -> tree.count(SUCCESS, count.incrementAndGet()));

        // when
        CounterDiff diff = recorder.stop();

        // then
        assertThat(diff.settled()).isFalse();
        assertThat(diff.settlement().notice())
                .matches("The counters did not settle within \\d+ ms; still changing: " + SUCCESS
                        + "\\. The readings after the test may be too early\\.");
        assertThat(diff.counter("success").delta()).isPositive();
    }

    @Test
    void doesNotWaitForOtherCores() {
        // given a process that never stops on a core that is only watched
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);
        AtomicLong count = new AtomicLong();
        tree.onBatch(() -> tree.count("neuron0/neuron_core0 status/success", count.incrementAndGet()));

        // when
        CounterDiff diff = recorder.stop();

        // then
        assertThat(diff.settled()).isTrue();
        assertThat(tree.batches()).isEqualTo(3);
    }

    @Test
    void doesNotWaitForUnknownCounters() {
        // given
        tree.set(TreeFixture.DEVICES + "neuron0/stats/hardware/ticks", "0\n");
        CounterRecorder recorder = CounterRecorder.start(ScopeFixture.of(tree, 2, 1), SettleOptions.IN_PROCESS);
        AtomicLong count = new AtomicLong();
        tree.onBatch(() -> tree.put("neuron0 hardware/ticks", count.incrementAndGet() + "\n"));

        // when, then
        assertThat(recorder.stop().settled()).isTrue();
    }

    @Test
    void settlesWhenFileStaysUnreadable() {
        // given
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);

        // when
        tree.put(SUCCESS, "");

        // then
        CounterDiff diff = recorder.stop();
        assertThat(diff.settled()).isTrue();
        assertThat(diff.unreadable()).hasSize(1);
    }

    @Test
    void returnsSameDiffOnSecondStop() {
        // given
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);
        CounterDiff first = recorder.stop();

        // when
        tree.count(SUCCESS, 9);

        // then
        assertThat(recorder.stop()).isSameAs(first);
    }

    @Test
    void readsOnAnInterruptedThreadWithoutWaiting() {
        // given
        List<Boolean> interruptedWhileReading = new ArrayList<>();
        CounterRecorder recorder =
                CounterRecorder.start(scope, new SettleOptions(Duration.ofHours(1), Duration.ofHours(2)));
        tree.onBatch(() -> interruptedWhileReading.add(Thread.currentThread().isInterrupted()));

        // when
        Thread.currentThread().interrupt();
        CounterDiff diff = recorder.stop();

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(interruptedWhileReading).containsOnly(false);
        assertThat(diff.settled()).isTrue();
    }

    @Test
    void queriesNeighboursOnceAfterLastReading() {
        // given
        List<String> events = new ArrayList<>();
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS, () -> {
            events.add("neighbours");
            return new ConcurrentUsers(List.of("FooTest (pid 12) on neuron0/neuron_core0"));
        });
        tree.onBatch(() -> events.add("read"));

        // when
        CounterDiff diff = recorder.stop();
        recorder.stop();

        // then
        assertThat(diff.neighbours()).containsExactly("FooTest (pid 12) on neuron0/neuron_core0");
        assertThat(events).containsExactly("read", "read", "neighbours");
    }

    @Test
    void clearsInterruptWhileQueryingNeighbours() {
        // given
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        CounterRecorder recorder = CounterRecorder.start(scope, SettleOptions.IN_PROCESS, () -> {
            interrupted.set(Thread.currentThread().isInterrupted());
            return ConcurrentUsers.NONE;
        });

        // when
        Thread.currentThread().interrupt();
        recorder.stop();

        // then
        assertThat(interrupted).hasValue(false);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void hasNoNeighboursWithoutSupplier() {
        assertThat(CounterRecorder.start(scope, SettleOptions.IN_PROCESS).stop().neighbours())
                .isEmpty();
    }

    @Test
    void queriesOwnersAtStartAndBeforeLastReadings() {
        // given
        List<String> events = new ArrayList<>();
        DeferredCounts deferredCounts = new DeferredCounts("driver 2.24.7.0", () -> {
            events.add("owners");
            return Map.of(0, List.of("python3 (pid 4711)"));
        });
        CounterRecorder recorder =
                CounterRecorder.start(ScopeFixture.of(tree, deferredCounts, 2, 1), SettleOptions.IN_PROCESS);
        tree.onBatch(() -> events.add("read"));

        // when
        CounterDiff diff = recorder.stop();
        diff.deferredBy(diff.counter("success"));

        // then
        assertThat(events).containsExactly("owners", "owners", "read", "read");
    }

    private static final Map<Integer, List<String>> TRAINER = Map.of(0, List.of("trainer (pid 4711)"));

    private final List<String> order = new ArrayList<>();

    private CounterRecorder recorder(CounterScope counters, SettleOptions settling, Map<Integer, List<String>> open) {
        CounterRecorder recorder = CounterRecorder.start(
                counters,
                settling,
                () -> {
                    order.add("neighbours");
                    return ConcurrentUsers.NONE;
                },
                () -> {
                    order.add(
                            "still open, interrupted: " + Thread.currentThread().isInterrupted());
                    return open;
                });
        tree.onBatch(() -> order.add("read"));
        return recorder;
    }

    @Test
    void queriesOpenDevicesOnceBetweenReadings() {
        for (SettleOptions settling : List.of(SettleOptions.IN_PROCESS, FILES)) {
            // given
            order.clear();
            CounterRecorder recorder = recorder(scope, settling, TRAINER);

            // when
            CounterDiff diff = recorder.stop();
            recorder.stop();

            // then
            assertThat(order).containsExactly("read", "still open, interrupted: false", "read", "neighbours");
            assertThat(diff.stillOpen())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("trainer (pid 4711)"));
            assertThat(diff.isEmpty()).isFalse();
            tree.onBatch(() -> {});
        }
    }

    @Test
    void recordsCountsOfProcessThatEndsAfterFirstReading() {
        // given a process that counts and ends after the first reading
        CounterRecorder recorder =
                CounterRecorder.start(scope, SettleOptions.IN_PROCESS, () -> ConcurrentUsers.NONE, () -> {
                    tree.count(SUCCESS, 3);
                    return Map.of();
                });

        // when
        tree.count(SUCCESS, 1);
        CounterDiff soFar = recorder.soFar();
        CounterDiff diff = recorder.stop();

        // then
        assertThat(recorder.before().value("success")).isZero();
        assertThat(soFar.counter("success").delta()).isEqualTo(1);
        assertThat(diff.counter("success").delta()).isEqualTo(3);
        assertThat(diff.stillOpen()).isEmpty();
    }

    @Test
    void queriesOpenDevicesWhenInterrupted() {
        // given
        CounterRecorder recorder = recorder(scope, FILES, TRAINER);

        // when
        Thread.currentThread().interrupt();
        CounterDiff diff = recorder.stop();

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(diff.stillOpen()).isPresent();
        assertThat(order).contains("still open, interrupted: false");
    }

    @Test
    void skipsQueryOfOpenDevicesForReferenceCountZero() {
        // given
        tree.set("sys/module/neuron/refcnt", "0\n");
        CounterRecorder recorder = recorder(scope, FILES, TRAINER);

        // when
        CounterDiff diff = recorder.stop();

        // then
        assertThat(diff.stillOpen()).isEmpty();
        assertThat(order).containsExactly("read", "neighbours");
    }

    @Test
    void queriesOpenDevicesForPositiveReferenceCount() {
        // given
        tree.set("sys/module/neuron/refcnt", "2\n");

        // then
        assertThat(recorder(scope, FILES, TRAINER).stop().stillOpen()).isPresent();
    }

    @Test
    void skipsQueryOfOpenDevicesWhenCountsAreDeferred() {
        // given
        CounterScope held = ScopeFixture.held(tree, TRAINER, 2, 1);
        CounterRecorder recorder = recorder(held, FILES, TRAINER);

        // when
        CounterDiff diff = recorder.stop();

        // then
        assertThat(diff.deferredBy()).isPresent();
        assertThat(diff.stillOpen()).isEmpty();
        assertThat(order).containsExactly("read", "read", "neighbours");
    }

    @ParameterizedTest
    @CsvSource({
        "2, 2, false, ''",
        "2, 4, false, 2",
        "2, 4, true, ''",
        "4, 2, false, ''",
        "'', 2, false, ''",
        "2, '', false, ''"
    })
    void countsReferencesOfInvisibleProcesses(String before, String after, boolean another, String more) {
        // given
        AtomicReference<Map<Integer, List<String>>> owners = new AtomicReference<>(Map.of(0, List.of("a (pid 1)")));
        CounterScope held = ScopeFixture.of(tree, new DeferredCounts("driver 2.24.7.0", owners::get), 2, 1);
        tree.set("sys/module/neuron/refcnt", before + "\n");
        CounterRecorder recorder = CounterRecorder.start(held, SettleOptions.IN_PROCESS);

        // when
        tree.set("sys/module/neuron/refcnt", after + "\n");
        owners.set(Map.of(0, another ? List.of("a (pid 1)", "b (pid 2)") : List.of("a (pid 1)")));
        CounterDiff diff = recorder.stop();

        // then
        assertThat(diff.unseenHolder().orElse("").replaceFirst(".* has (\\d+) more references?.*", "$1"))
                .isEqualTo(more);
    }
}
