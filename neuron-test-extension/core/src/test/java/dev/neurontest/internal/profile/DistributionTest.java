package dev.neurontest.internal.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.metric.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributionTest {

    /** Returns the distribution of executions with these milliseconds, with a limit in milliseconds. */
    private static Optional<Distribution> latencies(double limit, double... times) {
        return Distribution.of(
                Unit.SECONDS,
                List.of(part("Time", times)),
                Double.isNaN(limit)
                        ? List.of()
                        : List.of(new Distribution.Limit(limit / 1000, "at most %s ms".formatted(limit))));
    }

    private static Distribution.Part part(String label, double... times) {
        return new Distribution.Part(
                label, Arrays.stream(times).mapToObj(time -> time / 1000).toList(), "");
    }

    private static List<Distribution.Bin> bins(Distribution latencies) {
        return latencies.lanes().get(0).bins();
    }

    private static Distribution withoutLimit(double... times) {
        return latencies(Double.NaN, times).orElseThrow();
    }

    private static double[] from(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToDouble(i -> i).toArray();
    }

    @Test
    void marksPercentilesAsThresholdsDefineThem() {
        // given
        Distribution latencies = latencies(120, from(1, 100)).orElseThrow();

        // then
        assertThat(latencies.marks())
                .extracting(mark -> mark.label() + " " + mark.value())
                .containsExactly("p50 50.5 ms", "p90 90 ms", "p99 99 ms", "Limit at most 120.0 ms");
        assertThat(latencies.marks())
                .extracting(mark -> mark.at().orElseThrow())
                .isSorted();
        assertThat(latencies.lanes().get(0).count()).isEqualTo("100 executions");
    }

    @Test
    void omitsPercentilesOfTooFewExecutions() {
        // then
        assertThat(withoutLimit(from(1, 9)).marks())
                .extracting(Distribution.Mark::label)
                .containsExactly("p50");
        assertThat(withoutLimit(from(1, 99)).marks())
                .extracting(Distribution.Mark::label)
                .containsExactly("p50", "p90");
    }

    @Test
    void zoomsIntoCloseTimes() {
        // given
        Distribution latencies = withoutLimit(100, 100.5, 101);

        // then
        assertThat(latencies.low()).isEqualTo("99.9 ms");
        assertThat(latencies.high()).isEqualTo("101.1 ms");
        assertThat(bins(latencies).get(0).x()).isLessThan(10);
    }

    @ParameterizedTest
    @CsvSource({
        "SECONDS, 0.01501, 0.01599, 14.9 ms, 16.1 ms",
        "SECONDS, 0.1, 0.1, 99 ms, 111 ms",
        "BYTES, 3145728, 4194304, 2.9 MiB, 4.1 MiB",
        "BYTES, 0, 1384484065, 0 B, 1.4 GiB",
        "BYTES, 100, 164, 95 B, 170 B",
        "BYTES, 3145728, 3145792, 3 MiB (3145724 B), 3 MiB (3145796 B)",
        "FRACTION, 0.412, 0.458, 41 %, 46 %",
        "FRACTION, 0.109, 0.99, 0 %, 100 %",
        "FRACTION, 0.5, 1.2, 0 %, 130 %",
        "CYCLES, 55764, 60001, '55,400 cycles', '60,200 cycles'"
    })
    void scaleEndsAtRoundNumbers(Unit unit, double least, double most, String low, String high) {
        // given
        List<Distribution.Limit> limits =
                least == most ? List.of(new Distribution.Limit(0.11, "at most 110 ms")) : List.of();

        // when
        Distribution distribution = Distribution.of(
                        unit, List.of(new Distribution.Part("", List.of(least, most), "")), limits)
                .orElseThrow();

        // then
        assertThat(distribution.low()).isEqualTo(low);
        assertThat(distribution.high()).isEqualTo(high);
    }

    @Test
    void putsTextOfMarksInsideTheDrawing() {
        // given
        Distribution latencies = latencies(115, from(110, 210)).orElseThrow();

        // then
        assertThat(latencies.marks())
                .extracting(mark -> mark.label() + " " + mark.isTextAtLeft())
                .containsExactly("p50 false", "p90 true", "p99 true", "Limit false");
    }

    @Test
    void beginsAtZeroWhereTimesDifferByMoreThanHalf() {
        // then
        assertThat(withoutLimit(4, 10).low()).isEqualTo("0 s");
    }

    @Test
    void countsEveryExecutionOnce() {
        // given
        double[] times = DoubleStream.concat(DoubleStream.of(10), Arrays.stream(from(11, 40)))
                .toArray();

        // when
        var bins = bins(withoutLimit(times));

        // then
        assertThat(bins.stream()
                        .mapToInt(bin -> Integer.parseInt(bin.description().split(" ")[0]))
                        .sum())
                .isEqualTo(31);
        assertThat(bins).allSatisfy(bin -> assertThat(bin.x() + bin.width()).isBetween(0.0, 100.0));
        assertThat(bins).anyMatch(bin -> bin.height() == 100 && bin.y() == 0);
    }

    @Test
    void describesOffScaleLimitInWordsOnly() {
        // given
        Distribution latencies = latencies(500, 100, 100.5, 101).orElseThrow();

        // then
        assertThat(latencies.marks())
                .filteredOn(mark -> mark.label().equals("Limit"))
                .containsExactly(
                        new Distribution.Mark("Limit", "margin", Optional.empty(), "at most 500.0 ms, off the scale"));
        assertThat(latencies.high()).isEqualTo("101.1 ms");
    }

    @Test
    void drawsEqualTimesOnlyWithLimit() {
        // then
        assertThat(latencies(Double.NaN, 5, 5, 5)).isEmpty();
        assertThat(bins(latencies(6, 5, 5, 5).orElseThrow()))
                .singleElement()
                .satisfies(bin -> assertThat(bin.x()).isBetween(0.0, 10.0));
    }

    @Test
    void drawsSingleExecutionOnlyWithLimit() {
        // then
        assertThat(latencies(Double.NaN, 5)).isEmpty();
        assertThat(latencies(6, 5)).isPresent();
        assertThat(latencies(6)).isEmpty();
    }

    @Test
    void showsASingleSlowExecutionAmongMany() {
        // given
        double[] times = DoubleStream.concat(
                        DoubleStream.of(30),
                        DoubleStream.iterate(10, same -> same).limit(2000))
                .toArray();

        // then
        assertThat(bins(withoutLimit(times)))
                .extracting(Distribution.Bin::height)
                .containsExactly(100.0, 6.0);
    }

    @Test
    void drawsTenThousandExecutionsInFewBins() {
        // then
        assertThat(bins(withoutLimit(from(1, 10_000)))).hasSize(40);
    }

    @Test
    void drawsAllRanksOnCommonScale() {
        // when
        Distribution ranks = Distribution.of(
                        Unit.SECONDS, List.of(part("rank 0", 10, 12), part("rank 1", 20)), List.of())
                .orElseThrow();

        // then
        assertThat(ranks.lanes()).extracting(Distribution.Lane::label).containsExactly("rank 0", "rank 1");
        assertThat(ranks.lanes().get(1).bins().get(0).x())
                .isGreaterThan(ranks.lanes().get(0).bins().get(1).x());
        assertThat(ranks.marks()).isEmpty();
    }

    @Test
    void labelsCloseEndsWithAllDigits() {
        // when
        Distribution close = withoutLimit(16.001, 16.004);

        // then
        assertThat(close.low()).isNotEqualTo(close.high()).startsWith("16.000");
    }
}
