package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.status.RuntimeStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExecutionStatisticsTest {

    private static ExecutionStatistics of(long... milliseconds) {
        ExecutionStatistics statistics = new ExecutionStatistics(milliseconds.length);
        for (long each : milliseconds) {
            statistics.count(RuntimeStatus.of("NRT_SUCCESS"), each * 1_000_000);
        }
        return statistics;
    }

    @Test
    void countWhatTookLongerThanALimitAndNotWhatTookAsLong() {
        assertThat(of(10, 16, 17, 18, 40).slowerThan(Duration.ofMillis(17))).isEqualTo(2);
    }

    @Test
    void countNothingAboveTheSlowest() {
        assertThat(of(10, 16).slowerThan(Duration.ofMillis(17))).isZero();
        assertThat(of().slowerThan(Duration.ofMillis(17))).isZero();
    }
}
