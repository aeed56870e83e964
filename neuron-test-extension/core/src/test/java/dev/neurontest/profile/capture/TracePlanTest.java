package dev.neurontest.profile.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracePlanTest {

    @Test
    void tracesTheSecondExecutionWithoutFurtherWords() {
        // then
        assertThat(TracePlan.SECOND.flags()).containsExactly("--num-exec", "2", "--profile-nth-exec", "2");
        assertThat(TracePlan.SECOND.wanted()).containsExactly(2);
    }

    @Test
    void tracesOneExecutionBehindItsWarmupOnly() {
        // when
        TracePlan plan = TracePlan.measured(9, 1);

        // then
        assertThat(plan.flags()).containsExactly("--num-exec", "10", "--profile-nth-exec", "10");
        assertThat(plan.wanted()).containsExactly(10);
    }

    @Test
    void tracesTheWarmupTooWhereSeveralAreMeasured() {
        // when
        TracePlan plan = TracePlan.measured(2, 3);

        // then
        assertThat(plan.flags()).containsExactly("--num-exec", "5", "--profile-nth-exec", "1");
        assertThat(plan.wanted()).containsExactly(3, 4, 5);
    }

    @Test
    void tracesEveryNth() {
        // then
        assertThat(new TracePlan(7, 3, 0).wanted()).containsExactly(3, 6);
    }

    @ParameterizedTest
    @CsvSource({"2, 3, 0", "0, 1, 0", "2, 0, 0", "2, -1, 0", "2, 1, 2", "3, 1, -1"})
    void tracesSomething(int executions, int nth, int warmup) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TracePlan(executions, nth, warmup))
                .withMessageContaining("Of %s executions every %sth".formatted(executions, nth));
    }
}
