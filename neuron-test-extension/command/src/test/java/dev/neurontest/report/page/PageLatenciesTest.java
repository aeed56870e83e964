package dev.neurontest.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.json.JsonObject;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PageLatenciesTest {

    /** Of a profile whose executions took so many milliseconds each, with a limit in milliseconds. */
    private static Optional<PageLatencies> latencies(double limit, double... times) {
        String executions = Arrays.stream(times)
                .mapToObj(time -> "{\"metrics\": {\"total_time\": %s}}".formatted(time / 1000))
                .collect(Collectors.joining(","));
        String thresholds = Double.isNaN(limit)
                ? ""
                : "{\"metric\": \"total_time\", \"bound\": %s, \"limit\": \"at most %s ms\"}, {\"metric\": \"mfu\", \"bound\": 3}"
                        .formatted(limit / 1000, limit);
        return PageLatencies.of(RecordedProfile.of(
                new JsonObject("{\"executions\": [%s], \"thresholds\": [%s]}".formatted(executions, thresholds))));
    }

    private static PageLatencies withoutLimit(double... times) {
        return latencies(Double.NaN, times).orElseThrow();
    }

    private static double[] from(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToDouble(i -> i).toArray();
    }

    @Test
    void marksPercentilesAsThresholdsTakeThem() {
        // given
        PageLatencies latencies = latencies(120, from(1, 100)).orElseThrow();

        // then
        assertThat(latencies.marks())
                .extracting(mark -> mark.label() + " " + mark.value())
                .containsExactly("p50 50.5 ms", "p90 90 ms", "p99 99 ms", "Limit at most 120.0 ms");
        assertThat(latencies.marks())
                .extracting(mark -> mark.at().orElseThrow())
                .isSorted();
        assertThat(latencies.count()).isEqualTo("100 executions");
    }

    @Test
    void marksNoPercentileThatIsOnlyTheWorstOfFew() {
        // then
        assertThat(withoutLimit(from(1, 9)).marks())
                .extracting(PageLatencies.Mark::label)
                .containsExactly("p50");
        assertThat(withoutLimit(from(1, 99)).marks())
                .extracting(PageLatencies.Mark::label)
                .containsExactly("p50", "p90");
    }

    @Test
    void showsTheNoiseOfTimesThatAreClose() {
        // given
        PageLatencies latencies = withoutLimit(100, 100.5, 101);

        // then
        assertThat(latencies.low()).isEqualTo("99.96 ms");
        assertThat(latencies.high()).isEqualTo("101.04 ms");
        assertThat(latencies.bins().get(0).x()).isLessThan(5);
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
        var bins = withoutLimit(times).bins();

        // then
        assertThat(bins.stream()
                        .mapToInt(bin -> Integer.parseInt(bin.said().split(" ")[0]))
                        .sum())
                .isEqualTo(31);
        assertThat(bins).allSatisfy(bin -> assertThat(bin.x() + bin.width()).isBetween(0.0, 100.0));
        assertThat(bins).anyMatch(bin -> bin.height() == 100 && bin.y() == 0);
    }

    @Test
    void tellsALimitThatIsTooFarAwayInWordsOnly() {
        // given
        PageLatencies latencies = latencies(500, 100, 100.5, 101).orElseThrow();

        // then
        assertThat(latencies.marks())
                .filteredOn(mark -> mark.label().equals("Limit"))
                .containsExactly(
                        new PageLatencies.Mark("Limit", "margin", Optional.empty(), "at most 500.0 ms, off the scale"));
        assertThat(latencies.high()).isEqualTo("101.04 ms");
    }

    @Test
    void drawsTimesThatAreTheSameOnlyBesideALimit() {
        // then
        assertThat(latencies(Double.NaN, 5, 5, 5)).isEmpty();
        assertThat(latencies(6, 5, 5, 5).orElseThrow().bins())
                .singleElement()
                .satisfies(bin -> assertThat(bin.x()).isBetween(0.0, 10.0));
    }

    @Test
    void drawsNothingOfOneExecution() {
        // then
        assertThat(latencies(6, 5)).isEmpty();
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
        assertThat(withoutLimit(times).bins())
                .extracting(PageLatencies.Bin::height)
                .containsExactly(100.0, 6.0);
    }

    @Test
    void drawsTenThousandExecutionsInFewBins() {
        // then
        assertThat(withoutLimit(from(1, 10_000)).bins()).hasSize(40);
    }
}
