package dev.neurontest.internal.print.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SettleLimitTest {

    private long now;
    private long taken = 1_000;
    private final SettleLimit limit =
            new SettleLimit(Duration.ofNanos(10), () -> taken, 100, Duration.ofNanos(300), () -> now);

    private boolean isOverAfter(long nanos, long events, boolean isIdle) {
        now += nanos;
        taken += events;
        return limit.isOver(isIdle);
    }

    @Test
    void isOverWhenNothingArrivesInTime() {
        assertThat(isOverAfter(9, 0, true)).isFalse();
        assertThat(limit.nanosLeft()).isEqualTo(1);
        assertThat(isOverAfter(1, 0, true)).isTrue();
    }

    @Test
    void restartsTimeWhenEventsArriveWithoutExecution() {
        for (int look = 0; look < 10; look++) {
            assertThat(isOverAfter(20, 10, true)).isFalse();
        }
        assertThat(isOverAfter(10, 0, true)).isTrue();
    }

    @Test
    void endsWhileEventsTrickleIn() {
        for (int look = 0; look < 33; look++) {
            assertThat(isOverAfter(9, 1, true)).isFalse();
        }
        assertThat(isOverAfter(9, 1, true)).isTrue();
    }

    @Test
    void endsWhenMoreArrivedThanStreamsHold() {
        assertThat(isOverAfter(10, 100, true)).isFalse();
        assertThat(isOverAfter(10, 1, true)).isTrue();
    }

    @Test
    void doesNotRestartTimeDuringExecution() {
        assertThat(isOverAfter(5, 10, false)).isFalse();
        assertThat(isOverAfter(5, 10, false)).isTrue();
    }

    @Test
    void awaitsThreadWhileItMakesProgress() {
        // given
        SettleLimit progress =
                new SettleLimit(Duration.ofNanos(10), () -> taken, 1_000, Duration.ofHours(1), () -> now);

        // then
        assertThat(progress.await(millis -> {
                    now += 9;
                    return ++taken == 1_020;
                }))
                .isTrue();
        assertThat(progress.await(millis -> {
                    now += 9;
                    return false;
                }))
                .isFalse();
    }

    @Test
    void awaitsOnceMoreAfterItsTime() {
        assertThat(SettleLimit.ofProgress(Duration.ZERO, () -> taken).await(millis -> true))
                .isTrue();
    }

    @Test
    void endsAtItsTimeDespiteInterrupts() {
        // when
        boolean over = limit.await(millis -> {
            now += 9;
            if (now < 1_000) {
                throw new InterruptedException();
            }
            return true;
        });

        // then
        assertThat(over).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void continuesAfterInterruptAndStaysInterrupted() {
        // when
        boolean over = limit.await(millis -> {
            if (++taken == 1_001) {
                throw new InterruptedException();
            }
            return true;
        });

        // then
        assertThat(over).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }
}
