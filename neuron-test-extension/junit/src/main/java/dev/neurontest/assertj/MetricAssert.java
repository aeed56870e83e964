package dev.neurontest.assertj;

import dev.neurontest.internal.assertj.ObservedMetric;
import dev.neurontest.internal.profile.ProfileMetrics;
import dev.neurontest.internal.profile.report.ProfileFailure;
import dev.neurontest.metric.ByteSize;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.TracedExecution;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Assertions on one metric of a profile. Limits are judged in the same way as those of {@link ProfileExpectations}. With several executions
 * the median counts, unless {@link #over} selects another statistic. With several ranks the worst rank counts. If the profile is in doubt,
 * the assertion fails because nothing can be decided.
 *
 * <p>A limit is a text with its unit, or a value of the metric's kind: a {@link Duration}, {@link ByteSize} or {@link Fraction}. For counts
 * and for metrics of unknown kind it is a number.
 *
 * @param <L> type of a limit; {@code String} for a metric that is a text and has no limit
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class MetricAssert<L> extends AbstractNeuronAssert<MetricAssert<L>, ObservedMetric> {

    private Statistic over = Statistic.MEDIAN;

    /**
     * Creates the assertions; usually called by the methods of {@link ProfileAssert}.
     *
     * @param actual the metric and its profile
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public MetricAssert(ObservedMetric actual) {
        super(actual, MetricAssert.class);
    }

    /**
     * Verifies that the tool wrote the metric.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isPresent();            // succeeds
     * assertThat(profile).hardwareFlops().isPresent();        // fails for a graph without matmuls
     * }</pre>
     *
     * @return this
     */
    public MetricAssert<L> isPresent() {
        isNotNull();
        for (TracedExecution execution : executions()) {
            if (!isPresent(execution)) {
                throw absent(execution);
            }
        }
        return this;
    }

    /**
     * Verifies that the tool wrote zero for every execution.
     *
     * <pre>{@code
     * assertThat(profile).spillSaveBytes().isZero();          // succeeds for a graph that fits
     * assertThat(profile).totalTime().isZero();               // fails, as for a metric that is absent
     * }</pre>
     *
     * @return this
     */
    public MetricAssert<L> isZero() {
        isNotNull();
        return meets(MetricExpectation.atMost(actual.name(), new Quantity(0, unit())), Statistic.EACH);
    }

    /**
     * Selects the statistic over several executions for the following assertions, instead of the median.
     *
     * <pre>{@code
     * // ten executions, one of which took 30 ms and the others 16 ms
     * assertThat(profile).totalTime().over("p90").isAtMost("17 ms");   // succeeds
     * assertThat(profile).totalTime().over("worst").isAtMost("17 ms"); // fails
     * }</pre>
     *
     * @param statistic {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}
     * @return this
     * @throws IllegalArgumentException if the statistic is none of these
     */
    public MetricAssert<L> over(String statistic) {
        over = Statistic.parse(statistic);
        return this;
    }

    /**
     * Verifies that the metric does not exceed a limit.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isAtMost(Duration.ofMillis(17));      // succeeds
     * assertThat(profile).hbmReadBytes().isAtMost(ByteSize.parse("1 MiB")); // fails
     * }</pre>
     *
     * @param max the largest accepted value
     * @return this
     * @throws IllegalArgumentException if the limit is a bare number and the metric is a fraction
     */
    public MetricAssert<L> isAtMost(L max) {
        return atMost(quantity(max));
    }

    /**
     * Verifies that the metric does not exceed a limit.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isAtMost("17 ms");     // succeeds
     * assertThat(profile).hbmReadBytes().isAtMost("1 MiB");  // fails
     * }</pre>
     *
     * @param max the largest accepted value with its unit
     * @return this
     * @throws IllegalArgumentException if the limit cannot be parsed
     */
    public MetricAssert<L> isAtMost(String max) {
        return atMost(Quantity.parse(max, unit()));
    }

    private MetricAssert<L> atMost(Quantity max) {
        return meets(MetricExpectation.atMost(actual.name(), max), over);
    }

    /**
     * Verifies that the metric is not below a limit.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isAtLeast(10);                   // succeeds
     * assertThat(profile).hfuEstimatedPercent().isAtLeast(Fraction.ofPercent(50)); // fails
     * }</pre>
     *
     * @param min the smallest accepted value
     * @return this
     * @throws IllegalArgumentException if the limit is a bare number and the metric is a fraction
     */
    public MetricAssert<L> isAtLeast(L min) {
        return atLeast(quantity(min));
    }

    /**
     * Verifies that the metric is not below a limit.
     *
     * <pre>{@code
     * assertThat(profile).hfuEstimatedPercent().isAtLeast("30 %"); // succeeds
     * assertThat(profile).totalTime().isAtLeast("17 ms");          // fails
     * }</pre>
     *
     * @param min the smallest accepted value with its unit
     * @return this
     * @throws IllegalArgumentException if the limit cannot be parsed
     */
    public MetricAssert<L> isAtLeast(String min) {
        return atLeast(Quantity.parse(min, unit()));
    }

    private MetricAssert<L> atLeast(Quantity min) {
        return meets(MetricExpectation.atLeast(actual.name(), min), over);
    }

    /**
     * Verifies that the metric is in a range.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isBetween(10, 100);                         // succeeds
     * assertThat(profile).totalTime().isBetween(Duration.ofMillis(17), Duration.ofMillis(18)); // fails
     * }</pre>
     *
     * @param min the smallest accepted value
     * @param max the largest accepted value
     * @return this
     * @throws IllegalArgumentException if min is greater than max, or if the limits are bare numbers and the metric is a fraction
     */
    public MetricAssert<L> isBetween(L min, L max) {
        return between(quantity(min), quantity(max));
    }

    /**
     * Verifies that the metric is in a range.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isBetween("1 ms", "17 ms");     // succeeds
     * assertThat(profile).hbmReadBytes().isBetween("3 MiB", "4 MiB"); // fails
     * }</pre>
     *
     * @param min the smallest accepted value with its unit
     * @param max the largest accepted value with its unit
     * @return this
     * @throws IllegalArgumentException if min is greater than max, or if a limit cannot be parsed
     */
    public MetricAssert<L> isBetween(String min, String max) {
        return between(Quantity.parse(min, unit()), Quantity.parse(max, unit()));
    }

    private MetricAssert<L> between(Quantity min, Quantity max) {
        return meets(MetricExpectation.between(actual.name(), min, max), over);
    }

    /**
     * Verifies that the metric is a text with the given prefix.
     *
     * <pre>{@code
     * assertThat(profile).instanceType().startsWith("trn2."); // succeeds
     * assertThat(profile).instanceType().startsWith("inf2."); // fails
     * }</pre>
     *
     * @param prefix the expected beginning; the whole text to check for equality
     * @return this
     */
    public MetricAssert<L> startsWith(String prefix) {
        isNotNull();
        for (TracedExecution execution : executions()) {
            String text = execution.summary().text(actual.name()).orElseThrow(() -> noText(execution));
            if (!text.startsWith(prefix)) {
                throw failure(
                        "%s is \"%s\" in %s, expected it to begin with \"%s\".",
                        actual.name(), text, place(execution), prefix);
            }
        }
        return this;
    }

    private AssertionError noText(TracedExecution execution) {
        return isPresent(execution)
                ? failure("%s is a number in %s, not a text.", actual.name(), place(execution))
                : absent(execution);
    }

    private Quantity quantity(L limit) {
        if (limit instanceof Duration time) {
            return Quantity.of(time, unit());
        }
        if (limit instanceof ByteSize size) {
            return Quantity.of(size);
        }
        if (limit instanceof Fraction part) {
            return Quantity.of(part);
        }
        if (limit instanceof Number number) {
            return plain(number.doubleValue());
        }
        return Quantity.parse(limit.toString(), unit());
    }

    /** Converts a bare number in the unit of the tool. Throws for a fraction, because 42 and 0.42 could both be meant. */
    private Quantity plain(double value) {
        if (unit() == Unit.FRACTION) {
            throw new IllegalArgumentException(
                    "%s is a fraction of 1, but %s could mean a fraction or percent: write it as a text such as \"42 %%\"."
                            .formatted(actual.name(), value));
        }
        return new Quantity(value, unit());
    }

    /** Returns the unit of the metric; a count if neither the catalogue nor the name defines one. */
    private Unit unit() {
        isNotNull();
        return MetricExpectation.unit(actual.name())
                .filter(unit -> unit != Unit.TEXT)
                .orElse(Unit.COUNT);
    }

    private MetricAssert<L> meets(MetricExpectation threshold, Statistic statistic) {
        ProfileExpectations rules =
                ProfileExpectations.builder().expect(threshold.over(statistic)).build();
        ProfileFailure failure = ProfileFailure.judged(rules, actual.profile());
        if (failure.isFailure()) {
            throw failureWithActualExpected(failure.actual(), failure.expected(), "%s", failure.text());
        }
        return this;
    }

    private List<TracedExecution> executions() {
        if (actual.profile().executions().isEmpty()) {
            throw failure("%s is unknown, because nothing was traced.", actual.name());
        }
        return actual.profile().executions();
    }

    private boolean isPresent(TracedExecution execution) {
        return execution.summary().number(actual.name()).isPresent()
                || execution.summary().text(actual.name()).isPresent();
    }

    private AssertionError absent(TracedExecution execution) {
        List<String> nearest = ProfileMetrics.nearest(
                actual.name(), execution.summary().values().keySet());
        return failure(
                "%s is absent in %s. Absent is not zero.%s%s",
                actual.name(),
                place(execution),
                execution
                        .summary()
                        .oddity(actual.name())
                        .map(odd -> " The tool wrote " + odd + ".")
                        .orElse(""),
                nearest.isEmpty() ? "" : " Nearest available: " + String.join(", ", nearest) + ".");
    }

    private static String place(TracedExecution execution) {
        return execution.ntff().toString();
    }
}
