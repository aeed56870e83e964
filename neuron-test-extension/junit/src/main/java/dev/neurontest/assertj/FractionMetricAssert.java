package dev.neurontest.assertj;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import org.apiguardian.api.API;

/** Assertions on a part of one of a profile. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class FractionMetricAssert extends AbstractMetricAssert<FractionMetricAssert, ObservedMetric> {

    /**
     * Starts assertions; the methods of {@link AbstractProfileAssert} are the usual way.
     *
     * @param actual which metric of which profile
     */
    public FractionMetricAssert(ObservedMetric actual) {
        super(actual, FractionMetricAssert.class);
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).hfuEstimatedPercent().isAtMost(Fraction.ofPercent(50)); // succeeds
     * assertThat(profile).hfuEstimatedPercent().isAtMost(Fraction.ofPercent(30)); // fails
     * }</pre>
     *
     * @param max the limit, which may be reached
     * @return this
     */
    public FractionMetricAssert isAtMost(Fraction max) {
        return atMost(Quantity.of(max));
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).hfuEstimatedPercent().isAtMost("50 %"); // succeeds
     * assertThat(profile).hfuEstimatedPercent().isAtMost("30 %"); // fails
     * }</pre>
     *
     * @param max the limit, which may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public FractionMetricAssert isAtMost(String max) {
        return atMost(Quantity.parse(max, unit()));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).hfuEstimatedPercent().isAtLeast(Fraction.ofPercent(30)); // succeeds
     * assertThat(profile).hfuEstimatedPercent().isAtLeast(Fraction.ofPercent(50)); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached
     * @return this
     */
    public FractionMetricAssert isAtLeast(Fraction min) {
        return atLeast(Quantity.of(min));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).hfuEstimatedPercent().isAtLeast("30 %"); // succeeds
     * assertThat(profile).hfuEstimatedPercent().isAtLeast("50 %"); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public FractionMetricAssert isAtLeast(String min) {
        return atLeast(Quantity.parse(min, unit()));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).hfuEstimatedPercent().isBetween(Fraction.ofPercent(30), Fraction.ofPercent(50)); // succeeds
     * assertThat(profile).hfuEstimatedPercent().isBetween(Fraction.ofPercent(50), Fraction.ofPercent(60)); // fails
     * }</pre>
     *
     * @param min may be reached
     * @param max may be reached
     * @return this
     * @throws IllegalArgumentException when min is over max
     */
    public FractionMetricAssert isBetween(Fraction min, Fraction max) {
        return between(Quantity.of(min), Quantity.of(max));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).hfuEstimatedPercent().isBetween("30 %", "50 %"); // succeeds
     * assertThat(profile).hfuEstimatedPercent().isBetween("50 %", "60 %"); // fails
     * }</pre>
     *
     * @param min may be reached with its unit
     * @param max may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when min is over max, or one cannot be read
     */
    public FractionMetricAssert isBetween(String min, String max) {
        return between(Quantity.parse(min, unit()), Quantity.parse(max, unit()));
    }
}
