package dev.neurontest.assertj;

import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.ProfileMetric;
import dev.neurontest.profile.ProfileMetrics;
import dev.neurontest.profile.TracedExecution;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;
import org.apiguardian.api.API;
import org.assertj.core.api.AbstractAssert;

/**
 * What all kinds of metrics can be asked. Every traced execution must meet it.
 *
 * @param <SELF> the class of the assertions
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class AbstractMetricAssert<SELF extends AbstractMetricAssert<SELF>>
        extends AbstractAssert<SELF, ObservedMetric> {

    /**
     * Starts assertions.
     *
     * @param actual which metric of which profile
     * @param selfType the class of the assertions
     */
    protected AbstractMetricAssert(ObservedMetric actual, Class<?> selfType) {
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
     * The tool did not write it, which is not zero.
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
            if (isPresent(execution)) {
                throw failure(
                        "%s is %s in %s, expected it to be absent.",
                        actual.name(), execution.summary().values().get(actual.name()), place(execution));
            }
        }
        return myself;
    }

    /**
     * The tool wrote zero.
     *
     * <pre>{@code
     * assertThat(profile).spillSaveBytes().isZero();          // succeeds for a graph that fits
     * assertThat(profile).totalTime().isZero();               // fails, as for a metric that is absent
     * }</pre>
     *
     * @return this
     */
    public SELF isZero() {
        return meets("0", value -> value == 0);
    }

    /**
     * No execution is over a limit.
     *
     * @param max the limit, which may be reached
     * @return this
     */
    protected SELF atMost(Quantity max) {
        return meets("at most " + max, value -> value <= max.value());
    }

    /**
     * No execution is under a limit.
     *
     * @param min the limit, which may be reached
     * @return this
     */
    protected SELF atLeast(Quantity min) {
        return meets("at least " + min, value -> value >= min.value());
    }

    /**
     * No execution is outside a range.
     *
     * @param min may be reached
     * @param max may be reached
     * @return this
     * @throws IllegalArgumentException when min is over max
     */
    protected SELF between(Quantity min, Quantity max) {
        if (min.value() > max.value()) {
            throw new IllegalArgumentException("nothing is between %s and %s".formatted(min, max));
        }
        return meets("between %s and %s".formatted(min, max), value -> value >= min.value() && value <= max.value());
    }

    /**
     * What the number of the metric counts.
     *
     * @return its unit; a count for an unknown metric
     */
    protected Unit unit() {
        isNotNull();
        return ProfileMetrics.find(actual.name())
                .map(ProfileMetric::metric)
                .map(Metric::unit)
                .filter(unit -> unit != Unit.TEXT)
                .orElse(Unit.COUNT);
    }

    private SELF meets(String expected, DoublePredicate demand) {
        isNotNull();
        for (TracedExecution execution : executions()) {
            OptionalDouble value = execution.summary().number(actual.name());
            if (value.isEmpty()) {
                throw absent(execution);
            }
            if (!demand.test(value.getAsDouble())) {
                throw failure(
                        "%s is %s in %s, expected %s.",
                        actual.name(), new Quantity(value.getAsDouble(), unit()).exactly(), place(execution), expected);
            }
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
