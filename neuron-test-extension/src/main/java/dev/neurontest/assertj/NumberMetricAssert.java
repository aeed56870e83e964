package dev.neurontest.assertj;

import dev.neurontest.metric.Quantity;
import org.apiguardian.api.API;

/** Assertions on a number as the tool wrote it of a profile. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class NumberMetricAssert extends AbstractMetricAssert<NumberMetricAssert> {

    /**
     * Starts assertions; the methods of {@link AbstractProfileAssert} are the usual way.
     *
     * @param actual which metric of which profile
     */
    public NumberMetricAssert(ObservedMetric actual) {
        super(actual, NumberMetricAssert.class);
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).mmArithmeticIntensity().isAtMost(110); // succeeds
     * assertThat(profile).mmArithmeticIntensity().isAtMost(10);  // fails
     * }</pre>
     *
     * @param max the limit, which may be reached
     * @return this
     */
    public NumberMetricAssert isAtMost(double max) {
        return atMost(new Quantity(max, unit()));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).mmArithmeticIntensity().isAtLeast(10);  // succeeds
     * assertThat(profile).mmArithmeticIntensity().isAtLeast(110); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached
     * @return this
     */
    public NumberMetricAssert isAtLeast(double min) {
        return atLeast(new Quantity(min, unit()));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).mmArithmeticIntensity().isBetween(10, 110);   // succeeds
     * assertThat(profile).mmArithmeticIntensity().isBetween(110, 1000); // fails
     * }</pre>
     *
     * @param min may be reached
     * @param max may be reached
     * @return this
     * @throws IllegalArgumentException when min is over max
     */
    public NumberMetricAssert isBetween(double min, double max) {
        return between(new Quantity(min, unit()), new Quantity(max, unit()));
    }
}
