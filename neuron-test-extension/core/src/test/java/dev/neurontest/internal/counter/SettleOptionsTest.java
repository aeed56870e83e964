package dev.neurontest.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SettleOptionsTest {

    @Test
    void refusesNegativeTimes() {
        assertThatThrownBy(() -> new SettleOptions(Duration.ofMillis(-1), Duration.ofSeconds(1)))
                .hasMessage("settling times cannot be negative: interval PT-0.001S, at most PT1S");
    }

    @Test
    void refusesMaximumTooShortForTwoReadings() {
        assertThatThrownBy(() -> new SettleOptions(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessage("two readings PT2S apart do not fit into at most PT1S: raise the latter");
    }

    @Test
    void subtractsElapsedTimeFromPause() {
        // given
        SettleOptions settling = new SettleOptions(Duration.ofMillis(10), Duration.ofSeconds(1));

        // then
        assertThat(settling.pauseAfter(Duration.ZERO)).isEqualTo(Duration.ofMillis(10));
        assertThat(settling.pauseAfter(Duration.ofMillis(4))).isEqualTo(Duration.ofMillis(6));
        assertThat(settling.pauseAfter(Duration.ofMillis(10))).isZero();
        assertThat(settling.pauseAfter(Duration.ofMillis(25))).isZero();
    }
}
