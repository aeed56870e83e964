package dev.neurontest.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplesTest {

    private static Samples samples(Direction better, List<SampleDoubt> doubts, Double... values) {
        return new Samples(
                "ttft",
                Arrays.asList(values),
                Unit.SECONDS,
                better,
                Samples.Clock.CLIENT,
                Optional.empty(),
                new TreeMap<>(),
                doubts,
                "bench.json of vllm (pid 7)",
                "vllm (pid 7)");
    }

    @Test
    void haveMedianAndMetric() {
        // given
        Samples samples = samples(Direction.LOWER, List.of(), 0.05, 0.06, 0.055);

        // then
        assertThat(samples.median()).isEqualTo(0.055);
        assertThat(samples.metric()).isEqualTo(new Metric("ttft", Unit.SECONDS, Direction.LOWER, Noise.NOISY));
        assertThat(samples).hasToString("ttft of bench.json of vllm (pid 7): 3 values, median 55 ms, client clock");
    }

    @Test
    void giveNoValueWhileInDoubt() {
        // given
        Samples samples = samples(
                Direction.LOWER,
                List.of(new SampleDoubt(SampleDoubt.Kind.INCOMPLETE, "3 of 4 requests completed \u001b[31m")),
                0.05,
                0.06,
                0.055);

        // then
        assertThatThrownBy(samples::values)
                .isInstanceOf(AssertionError.class)
                .hasMessage("ttft of bench.json of vllm (pid 7) proves nothing. 3 of 4 requests completed \\u001b[31m");
        assertThatThrownBy(samples::median).isInstanceOf(AssertionError.class);
        assertThat(samples.toString())
                .isEqualTo(
                        "ttft of bench.json of vllm (pid 7): in doubt: 3 of 4 requests completed \\u001b[31m, client clock");
    }

    @Test
    void refuseComparisonOfCondition() {
        assertThatThrownBy(() -> samples(Direction.NEITHER, List.of(), 4.0).metric())
                .isInstanceOf(SamplesException.class)
                .hasMessageContaining("ttft is a condition of the run");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 0, Double.NaN, Double.POSITIVE_INFINITY})
    void needDoubtForValueThatIsNoMeasurement(double value) {
        // given
        SampleDoubt doubt = new SampleDoubt(SampleDoubt.Kind.INCOMPLETE, "missing");

        // then
        assertThat(samples(Direction.LOWER, List.of(doubt), value).doubts()).hasSize(1);
        assertThatThrownBy(() -> samples(Direction.LOWER, List.of(), 0.05, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("are no measurements");
        assertThatThrownBy(() -> samples(Direction.LOWER, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void refuseToExpectNoExecution(int executions) {
        // given
        Samples samples = samples(Direction.LOWER, List.of(), 0.05);

        // then
        assertThatThrownBy(() -> samples.expecting(executions))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one execution must be expected, not " + executions);
    }

    @Test
    void areInDoubtWithFewerExecutionsThanExpected() {
        // given
        Samples samples = samples(Direction.LOWER, List.of(), 0.05, 0.06);

        // then
        assertThat(samples.expecting(2)).isEqualTo(samples);
        assertThat(samples.expecting(3).doubts())
                .containsExactly(
                        new SampleDoubt(SampleDoubt.Kind.INCOMPLETE, "the result has 2 values, but 3 were requested"));
    }
}
