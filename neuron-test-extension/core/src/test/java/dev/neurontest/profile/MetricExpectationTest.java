package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.profile.threshold.Limit;
import dev.neurontest.metric.ByteSize;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import org.junit.jupiter.api.Test;

class MetricExpectationTest {

    @Test
    void readsLimitsInTheUnitOfTheMetric() {
        // then
        assertThat(MetricExpectation.of("total_time", "17 ms", "", "median").limits())
                .containsExactly(new Limit(true, new Quantity(0.017, Unit.SECONDS)));
        assertThat(MetricExpectation.of("throttle_active_nc4_time_ns", "2 us", "", "median")
                        .limits())
                .containsExactly(new Limit(true, new Quantity(2000, Unit.NANOSECONDS)));
        assertThat(MetricExpectation.of("mfu_estimated_percent", "", "42 %", "median")
                        .limits())
                .containsExactly(new Limit(false, new Quantity(0.42, Unit.FRACTION)));
        assertThat(MetricExpectation.of("hbm_read_bytes", "3 MiB", "1 KiB", "median")
                        .limits())
                .containsExactly(
                        new Limit(true, new Quantity(3 * 1024 * 1024, Unit.BYTES)),
                        new Limit(false, new Quantity(1024, Unit.BYTES)));
    }

    @Test
    void printsItselfAsAnnotation() {
        // then
        assertThat(MetricExpectation.of("total_time", "17 ms", "", "median"))
                .hasToString("@Threshold(metric = \"total_time\", max = \"17 ms\")");
        assertThat(MetricExpectation.of("dma_queue_count", "9", "1", "p90"))
                .hasToString("@Threshold(metric = \"dma_queue_count\", max = \"9\", min = \"1\", over = \"p90\")");
    }

    @Test
    void refusesABareNumberForAPercentMetric() {
        // then
        assertThatThrownBy(() -> MetricExpectation.of("mfu_estimated_percent", "", "0.42", "median"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "@Threshold(metric = \"mfu_estimated_percent\", min = \"0.42\"): \"0.42\" could mean 0.42 % or 42 %: write \"42 %\".");
    }

    @Test
    void refusesBareNumberForUnknownPercentMetric() {
        // then
        assertThatThrownBy(() -> MetricExpectation.of("warp_engine_active_time_percent", "", "42", "median"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("could mean");
    }

    @Test
    void infersUnitOfUnknownMetricFromItsName() {
        // then
        assertThat(MetricExpectation.of("warp_time", "17 ms", "", "median").unit())
                .isEqualTo(Unit.SECONDS);
        assertThat(MetricExpectation.of("warp_time_ns", "17 ms", "", "median").unit())
                .isEqualTo(Unit.NANOSECONDS);
        assertThat(MetricExpectation.of("warp_active_time_percent", "17 %", "", "median")
                        .unit())
                .isEqualTo(Unit.FRACTION);
    }

    @Test
    void infersUnitOfUnknownMetricFromLimit() {
        // then
        assertThat(MetricExpectation.of("warps", "17 ms", "", "median").unit()).isEqualTo(Unit.SECONDS);
        assertThat(MetricExpectation.of("warps", "0.5", "", "median").limits())
                .containsExactly(new Limit(true, new Quantity(0.5, Unit.COUNT)));
    }

    @Test
    void refusesTwoUnitsForOneUnknownMetric() {
        // then
        assertThatThrownBy(() -> MetricExpectation.of("warps", "17 ms", "3 MiB", "median"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("@Threshold(metric = \"warps\", max = \"17 ms\", min = \"3 MiB\"): \"3 MiB\"");
    }

    @Test
    void refusesExpectationWithoutLimitOrMetric() {
        // then
        assertThatThrownBy(() -> MetricExpectation.of("total_time", "", "", "median"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("@Threshold(metric = \"total_time\") expects nothing: set max or min.");
        assertThatThrownBy(() -> MetricExpectation.of(" ", "1 s", "", "median"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("names no metric.");
    }

    @Test
    void refusesMinAboveMax() {
        // then
        assertThatThrownBy(() -> MetricExpectation.of("total_time", "1 ms", "2 ms", "median"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "@Threshold(metric = \"total_time\", max = \"1 ms\", min = \"2 ms\") cannot be met: min is greater than max.");
    }

    @Test
    void refusesLimitOnTextMetric() {
        // then
        assertThatThrownBy(() -> MetricExpectation.of("instance_type", "3", "", "median"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the measured value is a text");
    }

    @Test
    void refusesAnUnknownStatistic() {
        // then
        assertThatThrownBy(() -> MetricExpectation.of("total_time", "1 ms", "", "mean"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"mean\" is not a statistic");
    }

    @Test
    void refusesQuantityOfAnotherUnit() {
        // then
        assertThatThrownBy(() -> MetricExpectation.atMost("total_time", Quantity.of(ByteSize.parse("3 MiB"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the unit of total_time is s, but that of 3 MiB (3145728 B) is bytes");
    }

    @Test
    void acceptsQuantitiesAsLimits() {
        // given
        Quantity one = new Quantity(0.001, Unit.SECONDS);
        Quantity two = new Quantity(0.002, Unit.SECONDS);

        // when
        MetricExpectation atMost = MetricExpectation.atMost("total_time", two);
        MetricExpectation atLeast = MetricExpectation.atLeast("total_time", one);
        MetricExpectation between = MetricExpectation.between("total_time", one, two);

        // then
        assertThat(atMost).hasToString("total_time at most 2 ms");
        assertThat(atMost.limits()).containsExactly(new Limit(true, two));
        assertThat(atLeast).hasToString("total_time at least 1 ms");
        assertThat(atLeast.limits()).containsExactly(new Limit(false, one));
        assertThat(between).hasToString("total_time from 1 ms to 2 ms");
        assertThat(between.limits()).containsExactly(new Limit(true, two), new Limit(false, one));
        assertThat(MetricExpectation.between("total_time", one, one).limits())
                .containsExactly(new Limit(true, one), new Limit(false, one));
    }

    @Test
    void replacesOnlyItsStatistic() {
        // given
        MetricExpectation median = MetricExpectation.atMost("total_time", new Quantity(1, Unit.SECONDS));

        // then
        assertThat(median.over()).isEqualTo(Statistic.MEDIAN);
        assertThat(median.over(Statistic.EACH)).hasToString(median.toString());
        assertThat(median.over(Statistic.EACH).over()).isEqualTo(Statistic.EACH);
        assertThat(median.over(Statistic.EACH).limits()).isEqualTo(median.limits());
    }
}
