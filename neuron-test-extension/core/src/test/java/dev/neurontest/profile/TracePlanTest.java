package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracePlanTest {

    /** Verifies that a single measured execution is traced alone, and several ones together with their warm-up. */
    @ParameterizedTest
    @CsvSource({"1, 1, 2, 2, 2", "9, 1, 10, 10, 10", "0, 1, 1, 1, 1", "2, 3, 5, 1, 3 4 5"})
    void tracesMeasuredExecutionsAfterWarmup(int warmup, int measured, String executions, String nth, String wanted) {
        // when
        TracePlan plan = new TracePlan(warmup, measured);

        // then
        assertThat(plan.flags()).containsExactly("--num-exec", executions, "--profile-nth-exec", nth);
        assertThat(plan.measuredExecutions())
                .containsExactlyElementsOf(
                        Arrays.stream(wanted.split(" ")).map(Integer::valueOf).toList());
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "1, 0", "0, -1"})
    void refusesImpossibleNumbers(int warmup, int measured) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TracePlan(warmup, measured))
                .withMessageContaining("None of %s executions after %s".formatted(measured, warmup));
    }
}
