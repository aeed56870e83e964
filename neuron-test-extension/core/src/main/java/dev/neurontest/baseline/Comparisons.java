package dev.neurontest.baseline;

import dev.neurontest.internal.baseline.AbComparison;
import dev.neurontest.internal.baseline.ComparisonStore;
import dev.neurontest.internal.baseline.MeasuredRun;
import dev.neurontest.internal.baseline.RunComparison;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The comparisons of a test's own measurements with its baseline. A test method receives them as a parameter. A comparison with a worse
 * result fails the test at its end, together with all other violations:
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
 * <p>Each call of the body is a run. It must load the model, start the process or open the runtime again, and return the median or another
 * percentile of many executions. The body is called 5, 10 or 20 times, until the result is decided ({@code neuron.test.baseline.runs}).
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Comparisons {

    /**
     * A run of a measurement.
     *
     * @param <X> the type of exception that the run may throw
     */
    @FunctionalInterface
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public interface Run<X extends Exception> {

        /**
         * Runs the measurement from the start.
         *
         * @return the median of its executions, in the metric's unit
         * @throws X any exception of the measurement
         */
        double measure() throws X;
    }

    /**
     * A run that measures a time.
     *
     * @param <X> the type of exception that the run may throw
     */
    @FunctionalInterface
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public interface TimedRun<X extends Exception> {

        /**
         * Runs the measurement from the start.
         *
         * @return the median of its executions
         * @throws X any exception of the measurement
         */
        Duration measure() throws X;
    }

    /**
     * A run of another harness.
     *
     * @param <X> the type of exception that the run may throw
     */
    @FunctionalInterface
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public interface SampledRun<X extends Exception> {

        /**
         * Runs the harness from the start.
         *
         * @return the samples in its result
         * @throws X any exception of the run
         */
        Samples measure() throws X;
    }

    /**
     * A run of another harness with several samples in its result.
     *
     * @param <X> the type of exception that the run may throw
     */
    @FunctionalInterface
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public interface SampledRuns<X extends Exception> {

        /**
         * Runs the harness from the start.
         *
         * @return the samples in its result, with different names, and with the same ones in each run
         * @throws X any exception of the run
         */
        List<Samples> measure() throws X;
    }

    /** The stack parts of values that the test measures itself. */
    private static final Map<String, String> OWN = Map.of("capture", "host");

    private final ComparisonStore store;

    /**
     * Creates the comparisons of one test.
     *
     * @param store the store of comparisons
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Comparisons(ComparisonStore store) {
        this.store = store;
    }

    /**
     * Prepares the comparison of a latency. Less is better.
     *
     * @param name the name in the baseline file, such as {@code p50}
     * @return options with their defaults
     */
    public Measured latency(String name) {
        return of(new Metric(name, Unit.SECONDS, Direction.LOWER, Noise.NOISY));
    }

    /**
     * Prepares the comparison of another metric.
     *
     * @param metric its name in the baseline file, its unit, its direction and its noise
     * @return options with their defaults
     */
    public Measured of(Metric metric) {
        return new Measured(store, metric, Optional.empty(), 1);
    }

    /**
     * Checks many executions against a limit that all but the slowest must keep. At least 299 executions are needed to show "p99 at most 17
     * ms" with 95 % confidence. If the limit is violated, the test fails automatically. With too few executions, the test is undecided.
     *
     * <pre>{@code
     * ExecutionStatistics statistics = model.bind().input("x", image).runMany(1000);
     * comparisons.percentile(99, "17 ms", statistics.executions(), statistics.slowerThan(Duration.ofMillis(17)));
     * }</pre>
     *
     * @param percent percentage of executions that must keep the limit, such as 99 or 99.9
     * @param limit a time with its unit, such as {@code 17 ms}
     * @param executions number of executions
     * @param over number of executions above the limit
     * @return the result of the check
     * @throws IllegalArgumentException when the percentile is not between 1 and 100, the limit is not a time, or {@code over} is greater
     *     than {@code executions}
     */
    public PercentileLimit.Result percentile(double percent, String limit, long executions, long over) {
        PercentileLimit.Result result = PercentileLimit.of(fraction(percent), Quantity.parse(limit, Unit.SECONDS))
                .check(Math.toIntExact(executions), Math.toIntExact(over));
        store.limited(result);
        return result;
    }

    /**
     * Checks the raw values in the result of another harness against a limit, as {@link #percentile(double, String, long, long)} does. With
     * an aggregate instead of raw values, the test is undecided: an aggregate counts once, even if it is a percentile itself. With an
     * incomplete result, the limit is not evaluated.
     *
     * <pre>{@code
     * comparisons.percentile(99, "200 ms", result.samples("ttft", file)); // succeeds for 1,000 requests, 3 of them slower
     * comparisons.percentile(99, "200 ms", result.samples("ttft", file)); // fails for 1,000 requests, 30 of them slower
     * comparisons.percentile(99, "200 ms", result.samples("p99_ttft_ms", file)); // undecided: one aggregate
     * }</pre>
     *
     * @param percent percentage of values that must keep the limit, such as 99 or 99.9
     * @param limit an upper limit with its unit, such as {@code 200 ms}
     * @param samples values of one run
     * @return the result of the check
     * @throws IllegalArgumentException when the percentile is not between 1 and 100, the limit has another unit, or higher values are better
     */
    public PercentileLimit.Result percentile(double percent, String limit, Samples samples) {
        if (samples.metric().better() == Direction.HIGHER) {
            throw new SamplesException(
                    samples.source(),
                    "%s is better when it is higher, but a percentile has an upper limit. Compare it with a baseline."
                            .formatted(samples.name()));
        }
        PercentileLimit asked = PercentileLimit.of(fraction(percent), Quantity.parse(limit, samples.unit()));
        List<SampleDoubt> doubts = samples.doubts();
        if (doubts.isEmpty() && samples.aggregate().isPresent()) {
            doubts = List.of(new SampleDoubt(
                    SampleDoubt.Kind.INCOMPLETE,
                    "%s is an aggregate%s, which counts once and cannot show a percentile. The result must contain a value for each execution"
                            .formatted(
                                    samples.name(),
                                    samples.aggregate()
                                            .filter(key -> !key.equals(samples.name()))
                                            .map(" (%s)"::formatted)
                                            .orElse(""))));
        }
        if (!doubts.isEmpty()) {
            store.incomplete(asked.toString(), samples, doubts);
            return new PercentileLimit.Result(asked, PercentileLimit.Answer.UNDECIDED, 0, 0, asked.executionsToShow(0));
        }
        PercentileLimit.Result result = asked.check(
                samples.values().stream().mapToDouble(Double::doubleValue).toArray());
        store.limited(result);
        return result;
    }

    /** Returns a percentage as a fraction. Almost any executions keep an upper limit below 1 %, which only a fraction by mistake gives. */
    private static double fraction(double percent) {
        if (percent < 1) {
            throw new IllegalArgumentException(
                    "a percentile of %s is below 1 %%: write 99 for p99".formatted(BigDecimal.valueOf(percent)));
        }
        return BigDecimal.valueOf(percent).movePointLeft(2).doubleValue();
    }

    /**
     * Calls a run of another harness repeatedly, until it is decided whether the runs are worse than the baseline by more than the default
     * margin. See {@link #samples(String, SampledRun)}.
     *
     * @param run the body of each run
     * @param <X> the type of exception that a run may throw; it is passed on, and no comparison takes place
     * @return the comparison; the test fails automatically when it is worse
     * @throws X the exception of a run
     * @throws SamplesException when the value is a condition of the run, or two runs return the result of the same program
     */
    public <X extends Exception> Comparison samples(SampledRun<X> run) throws X {
        return all(Optional.empty(), () -> List.of(run.measure())).get(0);
    }

    /**
     * Calls a run of another harness repeatedly, until it is decided whether the runs are worse than the baseline. The value of a run is
     * the median of its samples. Name, unit, direction and clock follow from the samples. Their conditions are part of the stack, so runs
     * with another model or concurrency are not compared. An incomplete result ends the comparison, which is then undecided, or fails if
     * the result itself reports a failure.
     *
     * <pre>{@code
     * comparisons.samples("3 %", () -> workloads.command("vllm", "bench", "serve", "--save-result", "--result-filename", "bench.json")
     *         .run()
     *         .samples("ttft", Path.of("bench.json"))); // succeeds if the median is 56 ms, and 55 ms in the baseline
     * // fails if the median is 58 ms, or if a request failed
     * }</pre>
     *
     * @param margin the accepted degradation, a percentage such as {@code 3 %}
     * @param run the body of each run; it starts the program again
     * @param <X> the type of exception that a run may throw; it is passed on, and no comparison takes place
     * @return the comparison; the test fails automatically when it is worse
     * @throws X the exception of a run
     * @throws SamplesException when the value is a condition of the run, or two runs return the result of the same program
     */
    public <X extends Exception> Comparison samples(String margin, SampledRun<X> run) throws X {
        return all(Optional.of(Fraction.parse(margin)), () -> List.of(run.measure()))
                .get(0);
    }

    /**
     * Compares several samples of the same runs, as {@link #samples(String, SampledRun)} compares one. The harness runs until all are
     * decided.
     *
     * <pre>{@code
     * comparisons.allSamples("3 %", () -> {
     *     WorkloadResult result = benchmark.run();
     *     return List.of(result.samples("ttft", file), result.samples("output_throughput", file));
     * }); // succeeds if neither is worse than its baseline, and fails if one is
     * }</pre>
     *
     * @param margin the accepted degradation of each, a percentage such as {@code 3 %}
     * @param run the body of each run; it starts the program again
     * @param <X> the type of exception that a run may throw; it is passed on, and no comparison takes place
     * @return one comparison for each name, in the order of the first run; the test fails automatically when one is worse
     * @throws X the exception of a run
     * @throws SamplesException when a value is a condition of the run, when two runs return the result of the same program, or when names
     *     repeat or differ between runs
     */
    public <X extends Exception> List<Comparison> allSamples(String margin, SampledRuns<X> run) throws X {
        return all(Optional.of(Fraction.parse(margin)), run);
    }

    private <X extends Exception> List<Comparison> all(Optional<Fraction> margin, SampledRuns<X> run) throws X {
        List<Samples> result = run.measure();
        if (result.isEmpty()) {
            throw new SamplesException(
                    "the run", "it returned no samples, so nothing would be compared. Return at least one name.");
        }
        Map<String, SampledComparison> comparisons = new LinkedHashMap<>();
        for (Samples samples : result) {
            SampledComparison comparison =
                    new SampledComparison(samples, store.begin(samples.metric(), margin, samples.stackParts()));
            if (comparisons.put(samples.name(), comparison) != null) {
                throw new SamplesException(
                        samples.source(), "%s is compared twice. Return each name once".formatted(samples.name()));
            }
        }
        comparisons.values().forEach(each -> each.add(result));
        while (comparisons.values().stream().anyMatch(SampledComparison::wantsMore)) {
            List<Samples> next = run.measure();
            List<String> names = next.stream().map(Samples::name).toList();
            if (!names.stream()
                    .sorted()
                    .toList()
                    .equals(comparisons.keySet().stream().sorted().toList())) {
                throw new SamplesException(
                        "the run",
                        "a later run returned %s instead of %s. Return the same names in each run"
                                .formatted(ListText.of(names), ListText.of(comparisons.keySet())));
            }
            comparisons.values().forEach(each -> each.add(next));
        }
        List<Comparison> results =
                comparisons.values().stream().map(SampledComparison::result).toList();
        results.forEach(store::made);
        return results;
    }

    /** The settings of a comparison. They are immutable. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Measured {

        private final ComparisonStore store;
        private final Metric metric;
        private final Optional<Fraction> margin;
        private final int iterations;

        private Measured(ComparisonStore store, Metric metric, Optional<Fraction> margin, int iterations) {
            this.store = store;
            this.metric = metric;
            this.margin = margin;
            this.iterations = iterations;
        }

        /**
         * Sets the accepted degradation.
         *
         * @param accepted a percentage such as {@code 3 %}
         * @return the same settings with this margin
         * @throws IllegalArgumentException when it is not a percentage
         */
        public Measured margin(String accepted) {
            return new Measured(store, metric, Optional.of(Fraction.parse(accepted)), iterations);
        }

        /**
         * Sets the number of executions in the median of a run, for readers of the baseline.
         *
         * @param perRun number of executions
         * @return the same settings with this number
         */
        public Measured iterations(int perRun) {
            return new Measured(store, metric, margin, perRun);
        }

        /**
         * Calls a run repeatedly, until it is decided whether the runs are worse than the baseline.
         *
         * @param run the body of each run
         * @param <X> the type of exception that a run may throw; it is passed on, and no comparison takes place
         * @return the comparison; the test fails automatically when it is worse
         * @throws X the exception of a run
         * @throws IllegalArgumentException when the value of a run is negative, infinite, NaN, or a time of 0
         */
        public <X extends Exception> Comparison compare(Run<X> run) throws X {
            RunComparison comparison = store.begin(metric, margin, OWN);
            while (comparison.wantsMore() || comparison.wantsMoreForABaseline()) {
                comparison.add(new MeasuredRun(measured(run.measure()), iterations, Optional.empty()));
            }
            Comparison result = comparison.result();
            store.made(result);
            return result;
        }

        /**
         * Calls a run that measures a time repeatedly, until it is decided whether the runs are worse than the baseline.
         *
         * @param run the body of each run
         * @param <X> the type of exception that a run may throw; it is passed on, and no comparison takes place
         * @return the comparison; the test fails automatically when it is worse
         * @throws X the exception of a run
         */
        public <X extends Exception> Comparison compareTimes(TimedRun<X> run) throws X {
            return compare(() -> seconds(run.measure()));
        }

        /**
         * Calls runs of two versions alternately in this test and decides whether the new version is worse. Only the version differs
         * between the runs. No baseline file is used.
         *
         * @param old the body of each run of the old version
         * @param changed the body of each run of the changed version
         * @param <X> the type of exception that a run may throw; it is passed on, and no comparison takes place
         * @return the comparison; the test fails automatically when it is worse
         * @throws X the exception of a run
         */
        public <X extends Exception> Comparison between(Run<X> old, Run<X> changed) throws X {
            AbComparison comparison = store.beginAb(metric, margin);
            for (Optional<AbComparison.Side> next = comparison.next(); next.isPresent(); next = comparison.next()) {
                Run<X> run = next.get() == AbComparison.Side.A ? old : changed;
                comparison.add(new MeasuredRun(measured(run.measure()), iterations, Optional.empty()));
            }
            Comparison result = comparison.result();
            store.made(result);
            return result;
        }

        /** Rejects a time of 0, such as a percentile of no executions, and other times that no clock can measure. */
        private double measured(double value) {
            if (value >= 0 && metric.unit().isNoTime(value)) {
                throw new IllegalArgumentException(
                        "A run of %s took %s, which is neither a measurement nor an improvement. Execute the model in each run, and return the median of its executions."
                                .formatted(metric.name(), new Quantity(value, metric.unit())));
            }
            return value;
        }

        private static double seconds(Duration time) {
            return time.getSeconds() + time.getNano() / 1e9;
        }
    }
}
