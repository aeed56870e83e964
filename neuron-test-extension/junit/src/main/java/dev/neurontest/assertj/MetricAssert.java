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
 * Assertions on one metric of a profile. Limits are judged as those of {@link ProfileExpectations}: of several executions the median counts
 * unless {@link #over} says otherwise, of several ranks the one that is worst; from a profile in doubt nothing is decided, which fails.
 *
 * <p>A limit is a text with its unit, or a value of the metric's kind: a {@link Duration}, {@link ByteSize} or {@link Fraction}, or
 * a number where it is a count or nothing of these is known.
 *
 * @param <L> what a limit is; {@code String} for a metric that is a text and has none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class MetricAssert<L> extends AbstractNeuronAssert<MetricAssert<L>, ObservedMetric> {

    private Statistic over = Statistic.MEDIAN;

    /**
     * Starts assertions; the methods of {@link ProfileAssert} are the usual way.
     *
     * @param actual which metric of which profile
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public MetricAssert(ObservedMetric actual) {
        super(actual, MetricAssert.class);
    }

    /**
     * The tool wrote it.
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
     * The tool wrote zero for every execution.
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
     * From here on another statistic of several executions counts, and not their median.
     *
     * <pre>{@code
     * // ten executions, one of which took 30 ms and the others 16 ms
     * assertThat(profile).totalTime().over("p90").isAtMost("17 ms");   // succeeds
     * assertThat(profile).totalTime().over("worst").isAtMost("17 ms"); // fails
     * }</pre>
     *
     * @param statistic {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}
     * @return this
     * @throws IllegalArgumentException when it is none of these
     */
    public MetricAssert<L> over(String statistic) {
        over = Statistic.parse(statistic);
        return this;
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isAtMost(Duration.ofMillis(17));      // succeeds
     * assertThat(profile).hbmReadBytes().isAtMost(ByteSize.parse("1 MiB")); // fails
     * }</pre>
     *
     * @param max the limit, which may be reached
     * @return this
     * @throws IllegalArgumentException when it is a bare number and the metric is a part of one
     */
    public MetricAssert<L> isAtMost(L max) {
        return atMost(quantity(max));
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isAtMost("17 ms");     // succeeds
     * assertThat(profile).hbmReadBytes().isAtMost("1 MiB");  // fails
     * }</pre>
     *
     * @param max the limit with its unit, which may be reached
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public MetricAssert<L> isAtMost(String max) {
        return atMost(Quantity.parse(max, unit()));
    }

    private MetricAssert<L> atMost(Quantity max) {
        return meets(MetricExpectation.atMost(actual.name(), max), over);
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isAtLeast(10);                   // succeeds
     * assertThat(profile).hfuEstimatedPercent().isAtLeast(Fraction.ofPercent(50)); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached
     * @return this
     * @throws IllegalArgumentException when it is a bare number and the metric is a part of one
     */
    public MetricAssert<L> isAtLeast(L min) {
        return atLeast(quantity(min));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).hfuEstimatedPercent().isAtLeast("30 %"); // succeeds
     * assertThat(profile).totalTime().isAtLeast("17 ms");          // fails
     * }</pre>
     *
     * @param min the limit with its unit, which may be reached
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public MetricAssert<L> isAtLeast(String min) {
        return atLeast(Quantity.parse(min, unit()));
    }

    private MetricAssert<L> atLeast(Quantity min) {
        return meets(MetricExpectation.atLeast(actual.name(), min), over);
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isBetween(10, 100);                         // succeeds
     * assertThat(profile).totalTime().isBetween(Duration.ofMillis(17), Duration.ofMillis(18)); // fails
     * }</pre>
     *
     * @param min may be reached
     * @param max may be reached
     * @return this
     * @throws IllegalArgumentException when min is over max, or they are bare numbers and the metric is a part of one
     */
    public MetricAssert<L> isBetween(L min, L max) {
        return between(quantity(min), quantity(max));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isBetween("1 ms", "17 ms");     // succeeds
     * assertThat(profile).hbmReadBytes().isBetween("3 MiB", "4 MiB"); // fails
     * }</pre>
     *
     * @param min may be reached, with its unit
     * @param max may be reached, with its unit
     * @return this
     * @throws IllegalArgumentException when min is over max, or one cannot be read
     */
    public MetricAssert<L> isBetween(String min, String max) {
        return between(Quantity.parse(min, unit()), Quantity.parse(max, unit()));
    }

    private MetricAssert<L> between(Quantity min, Quantity max) {
        return meets(MetricExpectation.between(actual.name(), min, max), over);
    }

    /**
     * It is a text that begins with another.
     *
     * <pre>{@code
     * assertThat(profile).instanceType().startsWith("trn2."); // succeeds
     * assertThat(profile).instanceType().startsWith("inf2."); // fails
     * }</pre>
     *
     * @param prefix how it begins; all of it, when it is to be the same
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
                ? failure("%s is a number in %s, and no text.", actual.name(), place(execution))
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

    /** As the tool writes it; of a part of one it cannot be known whether 42 or 0.42 is meant. */
    private Quantity plain(double value) {
        if (unit() == Unit.FRACTION) {
            throw new IllegalArgumentException(
                    "%s is a part of one, and %s could mean a part or percent: write it as a text such as \"42 %%\"."
                            .formatted(actual.name(), value));
        }
        return new Quantity(value, unit());
    }

    /** A count where neither the catalogue nor the name tells. */
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
            throw failure("%s is not known: nothing was traced.", actual.name());
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
                "%s is absent in %s, which is not zero.%s%s",
                actual.name(),
                place(execution),
                execution
                        .summary()
                        .oddity(actual.name())
                        .map(odd -> " The tool wrote " + odd + ".")
                        .orElse(""),
                nearest.isEmpty() ? "" : " Nearest that are there: " + String.join(", ", nearest) + ".");
    }

    private static String place(TracedExecution execution) {
        return execution.ntff().toString();
    }

    /** Names come from the model. */
}
