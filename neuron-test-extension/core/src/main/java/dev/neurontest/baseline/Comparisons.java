package dev.neurontest.baseline;

import dev.neurontest.internal.baseline.AbComparison;
import dev.neurontest.internal.baseline.ComparisonStore;
import dev.neurontest.internal.baseline.MeasuredRun;
import dev.neurontest.internal.baseline.RunComparison;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Compares what a test measures itself with its baseline. A test takes it as a parameter; a comparison that comes out worse fails the test at its
 * end, beside all else that is found:
 *
 * <pre>{@code
 * @Test
 * void answersAsFastAsBefore(NeuronRuntime runtime, NeuronCore core, Comparisons comparisons) {
 *     comparisons.latency("p50").margin("3 %").compareTimes(() -> {
 *         try (LoadedModel model = runtime.load(core, Path.of("resnet50.neff"))) {
 *             return model.bind().input("x", image).runMany(200).percentile(50);
 *         }
 *     });
 * }
 * }</pre>
 *
 * <p>Each call of the body is a run: it has to load the model, start the process or open the runtime afresh, and to give the median, or another percentile, of many
 * executions. It is called 5, 10 or 20 times, until it is decided ({@code neuron.test.baseline.runs}).
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Comparisons {

    /**
     * One run.
     *
     * @param <X> what it may throw
     */
    @FunctionalInterface
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public interface Run<X extends Exception> {

        /**
         * Runs afresh.
         *
         * @return the median of its executions, in the metric's unit
         * @throws X as it likes
         */
        double measure() throws X;
    }

    /**
     * One run of which the time is measured.
     *
     * @param <X> what it may throw
     */
    @FunctionalInterface
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public interface TimedRun<X extends Exception> {

        /**
         * Runs afresh.
         *
         * @return the median of its executions
         * @throws X as it likes
         */
        Duration measure() throws X;
    }

    private final ComparisonStore book;

    /**
     * For one test.
     *
     * @param book where comparisons come from and go to
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Comparisons(ComparisonStore book) {
        this.book = book;
    }

    /**
     * Prepares to compare a latency, of which less is better.
     *
     * @param name what the baseline file calls it, such as {@code p50}
     * @return options with their defaults
     */
    public Measured latency(String name) {
        return of(new Metric(name, Unit.SECONDS, Direction.LOWER, Noise.NOISY));
    }

    /**
     * Prepares to compare something else.
     *
     * @param metric its name in the baseline file, its unit, which way it gets better, and whether it varies
     * @return options with their defaults
     */
    public Measured of(Metric metric) {
        return new Measured(book, metric, Optional.empty(), 1);
    }

    /**
     * Holds many executions against a limit of all but the slowest. That "p99 at most 17 ms" holds takes at least 299 executions to show with 95 %
     * confidence; the test fails by itself when it does not hold, and is undecided when there are too few.
     *
     * <pre>{@code
     * ExecutionStatistics statistics = model.bind().input("x", image).runMany(1000);
     * comparisons.percentile(99, "17 ms", statistics.executions(), statistics.slowerThan(Duration.ofMillis(17)));
     * }</pre>
     *
     * @param percent of the executions that keep the limit, such as 99 or 99.9
     * @param limit a time with its unit, such as {@code 17 ms}
     * @param executions how many there were
     * @param over how many of them took longer
     * @return what they show
     * @throws IllegalArgumentException when the percentile is not between 0 and 100, the limit is no time, or more took longer than there were
     */
    public PercentileLimit.Seen percentile(double percent, String limit, long executions, long over) {
        PercentileLimit.Seen seen = PercentileLimit.of(
                        BigDecimal.valueOf(percent).movePointLeft(2).doubleValue(), Quantity.parse(limit, Unit.SECONDS))
                .ask(Math.toIntExact(executions), Math.toIntExact(over));
        book.limited(seen);
        return seen;
    }

    /** What is compared. Immutable. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Measured {

        private final ComparisonStore book;
        private final Metric metric;
        private final Optional<Fraction> margin;
        private final int iterations;

        private Measured(ComparisonStore book, Metric metric, Optional<Fraction> margin, int iterations) {
            this.book = book;
            this.metric = metric;
            this.margin = margin;
            this.iterations = iterations;
        }

        /**
         * Says by how much worse is accepted.
         *
         * @param accepted such as {@code 3 %}
         * @return the same with this margin
         * @throws IllegalArgumentException when it is no percentage
         */
        public Measured margin(String accepted) {
            return new Measured(book, metric, Optional.of(Fraction.parse(accepted)), iterations);
        }

        /**
         * Says of how many executions a run gives the median, for readers of the baseline.
         *
         * @param perRun how many
         * @return the same with this number
         */
        public Measured iterations(int perRun) {
            return new Measured(book, metric, margin, perRun);
        }

        /**
         * Makes runs until it is decided whether they are worse than the baseline.
         *
         * @param run what is called for each
         * @param <X> what it may throw; it is passed on, and nothing is compared then
         * @return what it came to; the test fails by itself when that is worse
         * @throws X what the run threw
         * @throws IllegalArgumentException when a run gave no measurement: a negative or infinite value, none, or a time of 0
         */
        public <X extends Exception> Comparison compare(Run<X> run) throws X {
            RunComparison comparison = book.begin(metric, margin);
            while (comparison.wantsMore() || comparison.wantsMoreForABaseline()) {
                comparison.add(new MeasuredRun(measured(run.measure()), iterations, Optional.empty()));
            }
            Comparison result = comparison.result();
            book.made(result);
            return result;
        }

        /**
         * The same for runs that say how long something took.
         *
         * @param run what is called for each
         * @param <X> what it may throw; it is passed on, and nothing is compared then
         * @return what it came to; the test fails by itself when that is worse
         * @throws X what the run threw
         */
        public <X extends Exception> Comparison compareTimes(TimedRun<X> run) throws X {
            return compare(() -> seconds(run.measure()));
        }

        /**
         * Makes runs of two versions by turns in this test, so that nothing but the version differs, and decides whether the new one is worse. No
         * baseline file is involved.
         *
         * @param old what is called for each run of the version that is known
         * @param changed what is called for each run of the version that is in question
         * @param <X> what they may throw; it is passed on, and nothing is compared then
         * @return what it came to; the test fails by itself when that is worse
         * @throws X what a run threw
         */
        public <X extends Exception> Comparison between(Run<X> old, Run<X> changed) throws X {
            AbComparison comparison = book.beginAb(metric, margin);
            for (Optional<AbComparison.Side> next = comparison.next(); next.isPresent(); next = comparison.next()) {
                Run<X> run = next.get() == AbComparison.Side.A ? old : changed;
                comparison.add(new MeasuredRun(measured(run.measure()), iterations, Optional.empty()));
            }
            Comparison result = comparison.result();
            book.made(result);
            return result;
        }

        /** Refuses a time of 0, such as a percentile of no executions, and one that no clock shows. */
        private double measured(double value) {
            if (value >= 0 && metric.unit().isNoTime(value)) {
                throw new IllegalArgumentException(
                        "A run of %s took %s, which is no measurement and no improvement. Execute the model in each run, and return the median of its executions."
                                .formatted(metric.name(), new Quantity(value, metric.unit())));
            }
            return value;
        }

        private static double seconds(Duration time) {
            return time.getSeconds() + time.getNano() / 1e9;
        }
    }
}
