package dev.neurontest.internal.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.patience.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class CallsInFlightTest {

    private final List<StuckCall> stuck = new CopyOnWriteArrayList<>();
    private final List<String> returned = new CopyOnWriteArrayList<>();
    private final RuntimeObserver observer = new RuntimeObserver() {
        @Override
        public void stuck(StuckCall call) {
            stuck.add(call);
        }

        @Override
        public void returned(StuckCall call, Duration after) {
            returned.add(call.function());
        }
    };

    @AutoClose
    private final CallsInFlight calls = new CallsInFlight(Duration.ofMillis(500), observer);

    private static int hangOn(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return 7;
    }

    @Test
    void reportsStuckCallOnceAndItsLateReturn() throws InterruptedException {
        // given
        CountDownLatch hang = new CountDownLatch(1);
        Thread caller =
                new Thread(() -> calls.during("nrt_execute", "add.neff", null, () -> hangOn(hang)), "a test's thread");
        caller.start();

        // when
        Patience.await().until(() -> !stuck.isEmpty());

        // then
        assertThat(stuck.get(0).thread()).isSameAs(caller);
        assertThat(stuck.get(0).stack())
                .anySatisfy(frame -> assertThat(frame.getMethodName()).isEqualTo("hangOn"));
        assertThat(stuck.get(0).text())
                .startsWith("nrt_execute of add.neff has not returned for ")
                .contains("ms, called by thread \"a test's thread\". It cannot be interrupted")
                .contains("\n    at ");
        assertThat(returned).isEmpty();

        // when
        hang.countDown();
        caller.join();

        // then
        assertThat(returned).containsExactly("nrt_execute");
        assertThat(stuck).hasSize(1);
        assertThat(calls.now()).isEmpty();
    }

    @Test
    void doesNotReportCallsThatReturnInTime() {
        // when
        int result;
        try (CallsInFlight patient = new CallsInFlight(Duration.ofMinutes(1), observer)) {
            result = patient.during("nrt_execute", "add.neff", null, () -> 7);
        }

        // then
        assertThat(result).isEqualTo(7);
        assertThat(returned).isEmpty();
        assertThat(stuck).isEmpty();
    }

    @Test
    void continuesWhenObserverFails() throws InterruptedException {
        // given
        CountDownLatch hang = new CountDownLatch(1);
        List<String> told = new CopyOnWriteArrayList<>();
        try (CallsInFlight watched = new CallsInFlight(Duration.ofMillis(20), call -> {
            told.add(call.what());
            throw new IllegalStateException("a broken observer");
        })) {
            // when
            List<Thread> callers = Stream.of("first", "second")
                    .map(what -> new Thread(() -> watched.during("nrt_load", what, null, () -> hangOn(hang))))
                    .toList();
            callers.forEach(Thread::start);

            // then
            Patience.await().until(() -> told.containsAll(List.of("first", "second")));
            hang.countDown();
            for (Thread caller : callers) {
                caller.join();
            }
        }
    }
}
