package dev.neurontest.assertj;

import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.MetricThreshold;
import dev.neurontest.profile.ProfileFailure;
import dev.neurontest.profile.ProfileMetrics;
import dev.neurontest.profile.ProfileRules;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.TracedExecution;
import dev.neurontest.recording.Undecided;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.assertj.core.api.AbstractAssert;

/**
 * What all kinds of metrics can be asked. Limits are judged as those of {@link ProfileRules}: of several executions the median counts
 * unless {@link #over} says otherwise, of several ranks the one that is worst; from a profile in doubt nothing is decided, which fails.
 *
 * @param <SELF> the class of the assertions
 * @param <ACTUAL> the metric; soft assertions look for it in the superclass of an assertion
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class AbstractMetricAssert<
                SELF extends AbstractMetricAssert<SELF, ACTUAL>, ACTUAL extends ObservedMetric>
        extends AbstractAssert<SELF, ACTUAL> {

    private Statistic over = Statistic.MEDIAN;

    /**
     * Starts assertions.
     *
     * @param actual which metric of which profile
     * @param selfType the class of the assertions
     */
    protected AbstractMetricAssert(ACTUAL actual, Class<?> selfType) {
        super(actual, selfType);
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
    public SELF isPresent() {
        isNotNull();
        for (TracedExecution execution : executions()) {
            if (!isPresent(execution)) {
                throw absent(execution);
            }
        }
        return myself;
    }

    /**
     * The tool did not write it, which is not zero. Nothing is known of that where a profile is in doubt, which fails.
     *
     * <pre>{@code
     * assertThat(profile).hardwareFlops().isAbsent();         // succeeds for a graph without matmuls
     * assertThat(profile).totalTime().isAbsent();             // fails
     * }</pre>
     *
     * @return this
     */
    public SELF isAbsent() {
        isNotNull();
        for (TracedExecution execution : executions()) {
            Optional<String> written = Optional.ofNullable(
                            execution.summary().values().get(actual.name()))
                    .map(String::valueOf)
                    .or(() -> execution.summary().oddity(actual.name()));
            if (written.isPresent()) {
                throw failure(
                        "%s is %s in %s, expected it to be absent.", actual.name(), written.get(), place(execution));
            }
        }
        List<Undecided> doubts = ProfileRules.DEFAULT.judge(actual.profile()).undecided();
        if (!doubts.isEmpty()) {
            throw failure(
                    "%s is not known to be absent: %s",
                    actual.name(), doubts.get(0).reason());
        }
        return myself;
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
    public SELF isZero() {
        isNotNull();
        return meets(MetricThreshold.atMost(actual.name(), new Quantity(0, unit())), Statistic.EACH);
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
    public SELF over(String statistic) {
        over = Statistic.parse(statistic);
        return myself;
    }

    /**
     * It is not over a limit.
     *
     * @param max the limit, which may be reached
     * @return this
     */
    protected SELF atMost(Quantity max) {
        isNotNull();
        return meets(MetricThreshold.atMost(actual.name(), max), over);
    }

    /**
     * It is not under a limit.
     *
     * @param min the limit, which may be reached
     * @return this
     */
    protected SELF atLeast(Quantity min) {
        isNotNull();
        return meets(MetricThreshold.atLeast(actual.name(), min), over);
    }

    /**
     * It is not outside a range.
     *
     * @param min may be reached
     * @param max may be reached
     * @return this
     * @throws IllegalArgumentException when min is over max
     */
    protected SELF between(Quantity min, Quantity max) {
        isNotNull();
        return meets(MetricThreshold.between(actual.name(), min, max), over);
    }

    /**
     * What the number of the metric counts.
     *
     * @return its unit; a count where neither the catalogue nor the name tells
     */
    protected Unit unit() {
        isNotNull();
        return MetricThreshold.unit(actual.name())
                .filter(unit -> unit != Unit.TEXT)
                .orElse(Unit.COUNT);
    }

    private SELF meets(MetricThreshold threshold, Statistic statistic) {
        ProfileRules rules =
                ProfileRules.builder().expect(threshold.over(statistic)).build();
        ProfileFailure failure = ProfileFailure.judged(rules, actual.profile());
        if (failure.isFailure()) {
            throw failureWithActualExpected(failure.actual(), failure.expected(), "%s", failure.text());
        }
        return myself;
    }

    List<TracedExecution> executions() {
        if (actual.profile().executions().isEmpty()) {
            throw failure("%s is not known: nothing was traced.", actual.name());
        }
        return actual.profile().executions();
    }

    private boolean isPresent(TracedExecution execution) {
        return execution.summary().number(actual.name()).isPresent()
                || execution.summary().text(actual.name()).isPresent();
    }

    AssertionError absent(TracedExecution execution) {
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

    static String place(TracedExecution execution) {
        return execution.ntff().toString();
    }
}
