package dev.neurontest.baseline;

import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The values of one measurement in the result of another harness, such as the times to the first token of all requests of
 * {@code vllm bench serve}. They belong to one run of the harness: in a comparison, the run counts once, with their median. Unit,
 * direction and clock follow from the format of the result.
 *
 * <p>A result may be incomplete or may report failures itself. Its values then prove nothing: {@link #values()} and {@link #median()}
 * throw an error, and comparisons and limits are undecided or fail.
 *
 * <pre>{@code
 * Samples ttft = workloads.command("vllm", "bench", "serve", "--save-result", "--save-detailed", "--result-filename", "bench.json")
 *         .run()
 *         .samples("ttft", Path.of("bench.json"));
 * assertThat(ttft.median()).isLessThan(0.2); // succeeds for 4 completed requests of 4 with a median of 55 ms
 * assertThat(ttft.median()).isLessThan(0.2); // fails if one of the 4 requests failed, although the median is 55 ms
 * }</pre>
 *
 * @param name name of the measurement, such as {@code ttft}
 * @param values one value for each execution or request, or the aggregates of the run, in the unit
 * @param unit seconds, bytes, a fraction, a count, or a number per second
 * @param better the direction in which the value improves; {@link Direction#NEITHER} for conditions such as numbers of tokens
 * @param clock the clock of the measurement
 * @param aggregate the key of the aggregate, such as {@code median_ttft_ms}; empty if there is one value for each execution
 * @param conditions the conditions of the run, such as the model, the number of requests and the concurrency. Runs are compared only if
 *     they are equal
 * @param doubts the reasons why the values prove nothing; empty for a complete result
 * @param source the file or stream, the program and its start
 * @param program the program and its start. Results of one program are one run
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Samples(
        String name,
        List<Double> values,
        Unit unit,
        Direction better,
        Clock clock,
        Optional<String> aggregate,
        SortedMap<String, String> conditions,
        List<SampleDoubt> doubts,
        String source,
        String program) {

    /** The clocks of measurements. Values of different clocks are never compared. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Clock {
        /** The clock of the device: without the time of the host. */
        DEVICE,
        /** The clock of the host that executes the model. */
        HOST,
        /** The clock of a client that sends requests to a server. */
        CLIENT,
        /** A clock that the result does not name. */
        UNKNOWN
    }

    /** Number of reasons in a message. */
    private static final int MOST_REASONS = 5;

    /**
     * Creates samples with their own copies of the collections.
     *
     * @param name name of the measurement
     * @param values values in the unit
     * @param unit unit of the values
     * @param better the direction in which the value improves
     * @param clock the clock of the measurement
     * @param aggregate the key of the aggregate
     * @param conditions the conditions of the run
     * @param doubts the reasons why the values prove nothing
     * @param source the origin of the values
     * @param program the program and its start
     * @throws IllegalArgumentException when there is no value, or one that is no measurement, and no doubt gives the reason
     */
    public Samples {
        values = List.copyOf(values);
        conditions = Collections.unmodifiableSortedMap(new TreeMap<>(conditions));
        doubts = List.copyOf(doubts);
        if (doubts.isEmpty() && !areMeasurements(values, unit)) {
            throw new IllegalArgumentException("%s are no measurements, and no doubt says so"
                    .formatted(values.stream().limit(MOST_REASONS).toList()));
        }
    }

    private static boolean areMeasurements(List<Double> values, Unit unit) {
        return !values.isEmpty()
                && values.stream()
                        .allMatch(value -> value >= 0 && value < Double.POSITIVE_INFINITY && !unit.isNoTime(value));
    }

    /**
     * Returns the values of a complete result.
     *
     * @return values in the unit, in the order of the result; at least one
     * @throws AssertionError when the result is incomplete or reports a failure; the message contains the reasons
     */
    public List<Double> values() {
        if (!doubts.isEmpty()) {
            throw new AssertionError(
                    VisibleText.of("%s of %s proves nothing. %s".formatted(name, source, doubtsText())));
        }
        return values;
    }

    /**
     * Returns the median of the values of a complete result.
     *
     * @return a number in the unit; the aggregate itself if there is only one
     * @throws AssertionError when the result is incomplete or reports a failure; the message contains the reasons
     */
    public double median() {
        return SampleMedian.of(
                values().stream().mapToDouble(Double::doubleValue).toArray());
    }

    /**
     * Returns the same samples, in doubt if they contain fewer executions than requested. Some formats do not contain the requested
     * number.
     *
     * @param executions requested number of executions
     * @return samples
     * @throws IllegalArgumentException when the number is below 1
     */
    public Samples expecting(int executions) {
        if (executions < 1) {
            throw new IllegalArgumentException("at least one execution must be expected, not %s".formatted(executions));
        }
        if (aggregate.isPresent()) {
            return doubting("the result has only %s, which does not show whether there were %s executions"
                    .formatted(aggregate.get(), executions));
        }
        return values.size() >= executions
                ? this
                : doubting("the result has %s, but %s were requested"
                        .formatted(CountText.of(values.size(), "value"), CountText.of(executions)));
    }

    private Samples doubting(String reason) {
        return new Samples(
                name,
                values,
                unit,
                better,
                clock,
                aggregate,
                conditions,
                Stream.concat(doubts.stream(), Stream.of(new SampleDoubt(SampleDoubt.Kind.INCOMPLETE, reason)))
                        .toList(),
                source,
                program);
    }

    /**
     * Returns the metric that a comparison judges.
     *
     * @return a metric with the name, unit and direction of the samples
     * @throws SamplesException when the value is a condition, which is neither better nor worse
     */
    public Metric metric() {
        if (better == Direction.NEITHER) {
            throw new SamplesException(
                    source,
                    "%s is a condition of the run: neither a higher nor a lower value is better, so it cannot be compared. Compare a time or a throughput."
                            .formatted(name));
        }
        return new Metric(name, unit, better, Noise.NOISY);
    }

    /**
     * Returns the parts of the stack that follow from the result: clock, aggregate and conditions.
     *
     * @return values by name
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Map<String, String> stackParts() {
        Map<String, String> parts = new TreeMap<>();
        conditions.forEach((name, value) -> parts.put("harness." + name, value));
        parts.put("capture", clock.name().toLowerCase(Locale.ROOT));
        aggregate.ifPresent(key -> parts.put("aggregate", key));
        return parts;
    }

    /**
     * Returns the reasons why the values prove nothing, for messages.
     *
     * @return empty without doubts
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String doubtsText() {
        String first =
                doubts.stream().limit(MOST_REASONS).map(SampleDoubt::reason).collect(Collectors.joining("; "));
        return doubts.size() > MOST_REASONS ? "%s; and %s more".formatted(first, doubts.size() - MOST_REASONS) : first;
    }

    /**
     * Returns the samples in readable form, without their values.
     *
     * @return a text such as {@code ttft of bench.json of vllm (pid 4711): 4 values, median 55 ms, client clock}
     */
    @Override
    public String toString() {
        String found = doubts.isEmpty()
                ? aggregate.map(key -> key + " ").orElse(CountText.of(values.size(), "value") + ", median ")
                        + new Quantity(median(), unit)
                : "in doubt: " + doubtsText();
        return VisibleText.line("%s of %s: %s, %s clock"
                .formatted(name, source, found, clock.name().toLowerCase(Locale.ROOT)));
    }
}
