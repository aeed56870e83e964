package dev.neurontest.assertj;

import dev.neurontest.metric.Quantity;
import java.time.Duration;
import org.apiguardian.api.API;

/** Assertions on a time of a profile. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class DurationMetricAssert extends AbstractMetricAssert<DurationMetricAssert, ObservedMetric> {

    /**
     * Starts assertions; the methods of {@link AbstractProfileAssert} are the usual way.
     *
     * @param actual which metric of which profile
     */
    public DurationMetricAssert(ObservedMetric actual) {
        super(actual, DurationMetricAssert.class);
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isAtMost(Duration.ofMillis(17)); // succeeds
     * assertThat(profile).totalTime().isAtMost(Duration.ofMillis(1));  // fails
     * }</pre>
     *
     * @param max the limit, which may be reached
     * @return this
     */
    public DurationMetricAssert isAtMost(Duration max) {
        return atMost(Quantity.of(max, unit()));
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isAtMost("17 ms"); // succeeds
     * assertThat(profile).totalTime().isAtMost("1 ms");  // fails
     * }</pre>
     *
     * @param max the limit, which may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public DurationMetricAssert isAtMost(String max) {
        return atMost(Quantity.parse(max, unit()));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isAtLeast(Duration.ofMillis(1));  // succeeds
     * assertThat(profile).totalTime().isAtLeast(Duration.ofMillis(17)); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached
     * @return this
     */
    public DurationMetricAssert isAtLeast(Duration min) {
        return atLeast(Quantity.of(min, unit()));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isAtLeast("1 ms");  // succeeds
     * assertThat(profile).totalTime().isAtLeast("17 ms"); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public DurationMetricAssert isAtLeast(String min) {
        return atLeast(Quantity.parse(min, unit()));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isBetween(Duration.ofMillis(1), Duration.ofMillis(17));  // succeeds
     * assertThat(profile).totalTime().isBetween(Duration.ofMillis(17), Duration.ofMillis(18)); // fails
     * }</pre>
     *
     * @param min may be reached
     * @param max may be reached
     * @return this
     * @throws IllegalArgumentException when min is over max
     */
    public DurationMetricAssert isBetween(Duration min, Duration max) {
        return between(Quantity.of(min, unit()), Quantity.of(max, unit()));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).totalTime().isBetween("1 ms", "17 ms");  // succeeds
     * assertThat(profile).totalTime().isBetween("17 ms", "18 ms"); // fails
     * }</pre>
     *
     * @param min may be reached with its unit
     * @param max may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when min is over max, or one cannot be read
     */
    public DurationMetricAssert isBetween(String min, String max) {
        return between(Quantity.parse(min, unit()), Quantity.parse(max, unit()));
    }
}
