package dev.neurontest.print.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How long a thread is waited for. */
class ProgressTest {

    private final AtomicLong done = new AtomicLong();
    private final AtomicInteger looks = new AtomicInteger();

    private Progress stuckAfter(long millis) {
        return new Progress(done::get, Duration.ofMillis(millis));
    }

    @Test
    void itIsWaitedForAsLongAsItDoesSomething() {
        // given: each look comes after it may do nothing any more
        Progress progress = stuckAfter(0);

        // when
        boolean over = progress.await(millis -> {
            done.incrementAndGet();
            return looks.incrementAndGet() == 20;
        });

        // then
        assertThat(over).isTrue();
        assertThat(looks).hasValue(20);
    }

    @Test
    void itIsStuckWhenItDoesNothing() {
        assertThat(stuckAfter(50).await(millis -> false)).isFalse();
    }

    @Test
    void itIsLookedAtOnceMoreAfterItsTime() {
        assertThat(stuckAfter(0).await(millis -> true)).isTrue();
    }

    @Test
    void anInterruptEndsNothingAndIsKept() {
        // when
        boolean over = stuckAfter(10_000).await(millis -> {
            if (looks.incrementAndGet() == 1) {
                throw new InterruptedException();
            }
            return true;
        });

        // then
        assertThat(over).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }
}
