package dev.neurontest.assertj;

import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import org.apiguardian.api.API;

/** Assertions on a number as the tool wrote it of a profile. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class NumberMetricAssert extends AbstractMetricAssert<NumberMetricAssert, ObservedMetric> {

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
     * @throws IllegalArgumentException when the metric is a part of one
     */
    public NumberMetricAssert isAtMost(double max) {
        return atMost(plain(max));
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
     * @throws IllegalArgumentException when the metric is a part of one
     */
    public NumberMetricAssert isAtLeast(double min) {
        return atLeast(plain(min));
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
     * @throws IllegalArgumentException when min is over max, or the metric is a part of one
     */
    public NumberMetricAssert isBetween(double min, double max) {
        return between(plain(min), plain(max));
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).metric("new_engine_active_time_percent").isAtMost("42 %"); // succeeds
     * assertThat(profile).metric("new_engine_active_time_percent").isAtMost("1 %");  // fails
     * }</pre>
     *
     * @param max the limit with its unit, which may be reached
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public NumberMetricAssert isAtMost(String max) {
        return atMost(Quantity.parse(max, unit()));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).metric("new_engine_active_time_percent").isAtLeast("42 %"); // succeeds
     * assertThat(profile).metric("new_engine_active_time_percent").isAtLeast("99 %"); // fails
     * }</pre>
     *
     * @param min the limit with its unit, which may be reached
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public NumberMetricAssert isAtLeast(String min) {
        return atLeast(Quantity.parse(min, unit()));
    }

    /** As the tool writes it; of a part of one nobody knows whether 42 or 0.42 is meant. */
    private Quantity plain(double value) {
        if (unit() == Unit.FRACTION) {
            throw new IllegalArgumentException(
                    "%s is a part of one, and %s could mean a part or percent: write it as a text such as \"42 %%\"."
                            .formatted(actual.name(), value));
        }
        return new Quantity(value, unit());
    }
}
