package dev.neurontest.baseline;

import static dev.neurontest.internal.baseline.ComparedFixture.QUIET;
import static dev.neurontest.internal.baseline.ComparedFixture.SPILL;
import static dev.neurontest.internal.baseline.ComparedFixture.STACK;
import static dev.neurontest.internal.baseline.ComparedFixture.TIME;
import static dev.neurontest.internal.baseline.ComparedFixture.key;
import static dev.neurontest.internal.baseline.ComparedFixture.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.baseline.AbComparison;
import dev.neurontest.internal.baseline.ComparedFixture;
import dev.neurontest.internal.baseline.ComparisonRule;
import dev.neurontest.internal.baseline.ComparisonStore;
import dev.neurontest.internal.baseline.RunComparison;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonsTest {

    /** A store that keeps new comparisons, with a baseline of ten quiet runs for every metric. */
    private static final class BookFixture implements ComparisonStore {

        final List<Comparison> made = new ArrayList<>();
        final List<PercentileLimit.Result> limited = new ArrayList<>();
        final List<Metric> metrics = new ArrayList<>();
        final List<Map<String, String>> stackParts = new ArrayList<>();
        final List<SampleDoubt> incomplete = new ArrayList<>();

        private ComparisonRule rule(Metric metric, Optional<Fraction> margin) {
            metrics.add(metric);
            return margin.map(ComparisonRule.standard()::withMargin).orElse(ComparisonRule.standard());
        }

        @Override
        public RunComparison begin(Metric metric, Optional<Fraction> margin, Map<String, String> conditions) {
            stackParts.add(conditions);
            return ComparedFixture.against(rule(metric, margin), metric, QUIET);
        }

        @Override
        public AbComparison beginAb(Metric metric, Optional<Fraction> margin) {
            return new AbComparison(metric, rule(metric, margin), key(metric), STACK);
        }

        @Override
        public void made(Comparison comparison) {
            made.add(comparison);
        }

        @Override
        public void limited(PercentileLimit.Result seen) {
            limited.add(seen);
        }

        @Override
        public void incomplete(String rule, Samples samples, List<SampleDoubt> doubts) {
            incomplete.addAll(doubts);
        }
    }

    private final BookFixture book = new BookFixture();
    private final Comparisons comparisons = new Comparisons(book);

    /** Returns runs that measure these values in a cycle. */
    private static Comparisons.Run<RuntimeException> runs(double... values) {
        PrimitiveIterator.OfDouble again = DoubleStream.generate(() -> 0)
                .flatMap(any -> DoubleStream.of(values))
                .iterator();
        return again::nextDouble;
    }

    @Test
    void measureUntilItIsDecided() {
        // when
        Comparison comparison = comparisons.of(TIME).compare(runs(times(1.01, QUIET)));

        // then
        assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.NOT_WORSE);
        assertThat(comparison.sample().runs()).hasSize(5);
        assertThat(book.made).containsExactly(comparison);
    }

    @Test
    void measureRunsOfNewBaselineWhenWorse() {
        // when
        Comparison comparison = comparisons.of(TIME).iterations(7).compare(runs(times(1.05, QUIET)));

        // then
        assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.WORSE);
        assertThat(comparison.sample())
                .isEqualTo(
                        new Sample(DoubleStream.of(times(1.05, QUIET)).boxed().toList(), 7));
    }

    @Test
    void applyGivenMargin() {
        // when
        Comparison comparison = comparisons.of(TIME).margin("10 %").compare(runs(times(1.05, QUIET)));

        // then
        assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.NOT_WORSE);
        assertThat(comparison.rule()).isEqualTo("not worse than the baseline by more than 10 %");
    }

    @Test
    void treatLatencyAsTimeBetterLower() {
        // given
        PrimitiveIterator.OfDouble seconds = DoubleStream.of(QUIET).iterator();

        // when
        Comparison comparison =
                comparisons.latency("decode").compareTimes(() -> Duration.ofNanos(Math.round(seconds.next() * 1e9)));

        // then
        assertThat(book.metrics).containsExactly(new Metric("decode", Unit.SECONDS, Direction.LOWER, Noise.NOISY));
        assertThat(comparison.sample().runs()).containsExactly(0.01700, 0.01698, 0.01703, 0.01701, 0.01697);
        assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.NOT_WORSE);
    }

    @Test
    void acceptTimesAboveOneSecond() {
        // when
        Comparison comparison = comparisons.of(SPILL).compareTimes(() -> Duration.ofMillis(2500));

        // then
        assertThat(comparison.sample().runs()).containsExactly(2.5);
    }

    @Test
    void runTwoSubjectsInTurns() {
        // given
        List<String> order = new ArrayList<>();
        PrimitiveIterator.OfDouble noise =
                DoubleStream.iterate(1, one -> one + 1e-5).iterator();

        // when
        Comparison comparison = comparisons
                .of(TIME)
                .iterations(3)
                .between(
                        () -> {
                            order.add("old");
                            return noise.nextDouble();
                        },
                        () -> {
                            order.add("changed");
                            return 1.2 * noise.nextDouble();
                        });

        // then
        assertThat(order).startsWith("old", "changed", "changed", "old");
        assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.WORSE);
        assertThat(comparison.sample().iterationsPerRun()).isEqualTo(3);
        assertThat(book.made).containsExactly(comparison);
    }

    @Test
    void judgePercentileOfCountedExecutions() {
        // when
        PercentileLimit.Result seen = comparisons.percentile(99, "17 ms", 300, 0);

        // then
        assertThat(seen.limit()).isEqualTo(PercentileLimit.of(0.99, new Quantity(0.017, Unit.SECONDS)));
        assertThat(seen.answer()).isEqualTo(PercentileLimit.Answer.KEPT);
        assertThat(seen.executions()).isEqualTo(300);
        assertThat(book.limited).containsExactly(seen);
    }

    @Test
    void rethrowExceptionOfRun() {
        // then
        assertThatThrownBy(() -> comparisons.of(TIME).compare(() -> {
                    throw new IOException("The model is gone.");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("The model is gone.");
        assertThat(book.made).isEmpty();
    }

    @Test
    void refuseRunsThatTookNoTime() {
        // then
        assertThatThrownBy(() -> comparisons.latency("p50").compareTimes(() -> Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("A run of p50 took 0 s, which is neither a measurement nor an improvement.");
        assertThatThrownBy(() -> comparisons.of(TIME).between(runs(0.017), runs(0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(book.made).isEmpty();
    }

    private static final SampleDoubt FEWER = new SampleDoubt(SampleDoubt.Kind.INCOMPLETE, "3 of 4 requests completed");

    private int programs;

    /** Returns the samples of a new program. */
    private Samples samples(Optional<String> aggregate, List<SampleDoubt> doubts, Double... values) {
        return new Samples(
                "ttft",
                List.of(values),
                Unit.SECONDS,
                Direction.LOWER,
                Samples.Clock.CLIENT,
                aggregate,
                new TreeMap<>(Map.of("batch", "8")),
                doubts,
                "bench.json of program " + ++programs,
                "program " + programs);
    }

    private Samples measured(double seconds, SampleDoubt... doubts) {
        return samples(Optional.empty(), List.of(doubts), seconds);
    }

    private static Samples named(String name, Samples samples) {
        return new Samples(
                name,
                samples.values(),
                samples.unit(),
                samples.better(),
                samples.clock(),
                samples.aggregate(),
                samples.conditions(),
                samples.doubts(),
                samples.source(),
                samples.program());
    }

    @Test
    void compareSeveralSamplesOfSameRuns() {
        // when
        List<Comparison> results = comparisons.allSamples(
                "3 %",
                () -> {
                    Samples ttft = measured(0.017);
                    return List.of(ttft, named("tpot", ttft));
                });

        // then
        assertThat(results).extracting(result -> result.key().metric()).containsExactly("ttft", "tpot");
        assertThat(results).extracting(Comparison::outcome).containsOnly(ComparisonOutcome.NOT_WORSE);
        assertThat(programs).isEqualTo(5);
        assertThat(book.made).isEqualTo(results);
    }

    @Test
    void runUntilLastOfSeveralSamplesIsDecided() {
        // when
        List<Comparison> results = comparisons.allSamples(
                "3 %",
                () -> {
                    Samples ttft = measured(0.017);
                    return List.of(ttft, named("tpot", samples(Optional.empty(), List.of(), 0.02 + 1e-5 * programs)));
                });

        // then
        assertThat(results)
                .extracting(Comparison::outcome)
                .containsExactly(ComparisonOutcome.NOT_WORSE, ComparisonOutcome.WORSE);
        assertThat(results).extracting(result -> result.sample().runs().size()).containsExactly(5, 10);
    }

    @Test
    void refuseSeveralSamplesWithOtherNames() {
        assertThatThrownBy(() -> comparisons.allSamples("3 %", () -> List.of(measured(0.017), measured(0.017))))
                .isInstanceOf(SamplesException.class)
                .hasMessageContaining("ttft is compared twice");
        programs = 0;
        assertThatThrownBy(() -> comparisons.allSamples(
                        "3 %", () -> List.of(named(programs == 0 ? "ttft" : "tpot", measured(0.017)))))
                .isInstanceOf(SamplesException.class)
                .hasMessageContaining("a later run returned tpot instead of ttft");
        assertThat(book.made).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ttft", "tpot"})
    void refuseAnotherNameInLaterRun(String name) {
        assertThatThrownBy(() -> comparisons.allSamples(
                        "3 %",
                        () -> programs == 0
                                ? List.of(measured(0.017))
                                : List.of(measured(0.017), named(name, measured(5)))))
                .isInstanceOf(SamplesException.class)
                .hasMessageContaining("a later run returned ttft, %s instead of ttft".formatted(name));
        assertThat(book.made).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.99, 0.999})
    void refuseFractionAsPercentile(double percent) {
        assertThatThrownBy(() -> comparisons.percentile(percent, "17 ms", 1000, 900))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is below 1 %: write 99 for p99");
        assertThatThrownBy(() -> comparisons.percentile(percent, "17 ms", measured(0.02)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(book.limited).isEmpty();
    }

    @Test
    void refuseAnotherFileOfSameProgramAsRun() {
        // given
        Samples first = measured(0.017);
        Iterator<Samples> files = List.of(
                        first,
                        new Samples(
                                first.name(),
                                first.values(),
                                first.unit(),
                                first.better(),
                                first.clock(),
                                first.aggregate(),
                                first.conditions(),
                                first.doubts(),
                                "copy.json of " + first.program(),
                                first.program()))
                .iterator();

        // then
        assertThatThrownBy(() -> comparisons.samples(files::next))
                .isInstanceOf(SamplesException.class)
                .hasMessageContaining("two runs of the comparison have results of this program");
    }

    @Test
    void refuseRunWithoutSamples() {
        assertThatThrownBy(() -> comparisons.allSamples("3 %", List::of))
                .isInstanceOf(SamplesException.class)
                .hasMessageContaining("it returned no samples, so nothing would be compared");
    }

    @Test
    void countSamplesOfRunOnceWithTheirMedian() {
        // when
        Comparison raw = comparisons.samples("3 %", () -> samples(Optional.empty(), List.of(), 0.016, 0.017, 5.0));
        Comparison aggregate = comparisons.samples("3 %", () -> samples(Optional.of("mean"), List.of(), 0.017));

        // then
        assertThat(raw.sample()).isEqualTo(new Sample(List.of(0.017, 0.017, 0.017, 0.017, 0.017), 3));
        assertThat(aggregate.sample()).isEqualTo(new Sample(List.of(0.017, 0.017, 0.017, 0.017, 0.017), 1));
        assertThat(raw.outcome()).isEqualTo(ComparisonOutcome.NOT_WORSE);
        assertThat(book.stackParts)
                .containsExactly(
                        Map.of("capture", "client", "harness.batch", "8"),
                        Map.of("capture", "client", "harness.batch", "8", "aggregate", "mean"));
    }

    @Test
    void remainWorseWhenFurtherRunIsIncomplete() {
        // when
        Comparison comparison =
                comparisons.samples(() -> programs < 6 ? measured(0.02 + 1e-5 * programs) : measured(0.001, FEWER));

        // then
        assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.WORSE);
        assertThat(comparison.rejected()).containsExactly("3 of 4 requests completed");
        assertThat(programs).isEqualTo(7);
    }

    @Test
    void areUndecidedWhenFurtherRunOfBetterResultIsIncomplete() {
        // when
        Comparison comparison =
                comparisons.samples(() -> programs < 6 ? measured(0.01 + 1e-5 * programs) : measured(0.001, FEWER));

        // then
        assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.UNDECIDED);
        assertThat(comparison.hasIncompleteRun()).isTrue();
        assertThat(comparison.improved()).isFalse();
    }

    @Test
    void keepFailedRunWhenHardwareIsSuspect() {
        // when
        Comparison comparison = comparisons.samples(
                () -> measured(0.001, new SampleDoubt(SampleDoubt.Kind.FAILED, "2 requests failed"), FEWER));

        // then
        assertThat(comparison.hasFailedRun()).isTrue();
        assertThat(comparison.disturbed(List.of("hw_error"))).isEqualTo(comparison);
    }

    @Test
    void evaluateNoLimitOfIncompleteOrAggregatedSamples() {
        // when
        PercentileLimit.Result incomplete = comparisons.percentile(99, "17 ms", measured(0.001, FEWER));
        PercentileLimit.Result aggregate =
                comparisons.percentile(99, "17 ms", samples(Optional.of("p99_ttft_ms"), List.of(), 0.001));

        // then
        assertThat(List.of(incomplete, aggregate))
                .extracting(PercentileLimit.Result::answer)
                .containsOnly(PercentileLimit.Answer.UNDECIDED);
        assertThat(book.limited).isEmpty();
        assertThat(book.incomplete).hasSize(2).contains(FEWER);
    }

    @Test
    void refuseUpperLimitOfThroughput() {
        // given
        Samples throughput = new Samples(
                "output_throughput",
                List.of(100.0),
                Unit.PER_SECOND,
                Direction.HIGHER,
                Samples.Clock.CLIENT,
                Optional.empty(),
                new TreeMap<>(),
                List.of(),
                "bench.json",
                "vllm (pid 7)");

        // then
        assertThatThrownBy(() -> comparisons.percentile(99, "100 /s", throughput))
                .isInstanceOf(SamplesException.class)
                .hasMessageContaining("is better when it is higher, but a percentile has an upper limit");
    }
}
