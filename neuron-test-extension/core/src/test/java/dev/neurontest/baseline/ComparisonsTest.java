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
import java.util.List;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ComparisonsTest {

    /** A store that keeps new comparisons, with a baseline of ten quiet runs for every metric. */
    private static final class BookFixture implements ComparisonStore {

        final List<Comparison> made = new ArrayList<>();
        final List<PercentileLimit.Result> limited = new ArrayList<>();
        final List<Metric> metrics = new ArrayList<>();

        private ComparisonRule rule(Metric metric, Optional<Fraction> margin) {
            metrics.add(metric);
            return margin.map(ComparisonRule.standard()::withMargin).orElse(ComparisonRule.standard());
        }

        @Override
        public RunComparison begin(Metric metric, Optional<Fraction> margin) {
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
}
