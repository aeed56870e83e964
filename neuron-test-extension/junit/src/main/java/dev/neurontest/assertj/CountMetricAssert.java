package dev.neurontest.assertj;

import dev.neurontest.metric.Quantity;
import org.apiguardian.api.API;

/** Assertions on a count, cycles or operations of a profile. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class CountMetricAssert extends AbstractMetricAssert<CountMetricAssert, ObservedMetric> {

    /**
     * Starts assertions; the methods of {@link AbstractProfileAssert} are the usual way.
     *
     * @param actual which metric of which profile
     */
    public CountMetricAssert(ObservedMetric actual) {
        super(actual, CountMetricAssert.class);
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isAtMost(100); // succeeds
     * assertThat(profile).matmulInstructionCount().isAtMost(10);  // fails
     * }</pre>
     *
     * @param max the limit, which may be reached
     * @return this
     */
    public CountMetricAssert isAtMost(long max) {
        return atMost(new Quantity(max, unit()));
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isAtMost("100"); // succeeds
     * assertThat(profile).matmulInstructionCount().isAtMost("10");  // fails
     * }</pre>
     *
     * @param max the limit, which may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public CountMetricAssert isAtMost(String max) {
        return atMost(Quantity.parse(max, unit()));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isAtLeast(10);  // succeeds
     * assertThat(profile).matmulInstructionCount().isAtLeast(100); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached
     * @return this
     */
    public CountMetricAssert isAtLeast(long min) {
        return atLeast(new Quantity(min, unit()));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isAtLeast("10");  // succeeds
     * assertThat(profile).matmulInstructionCount().isAtLeast("100"); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public CountMetricAssert isAtLeast(String min) {
        return atLeast(Quantity.parse(min, unit()));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isBetween(10, 100);   // succeeds
     * assertThat(profile).matmulInstructionCount().isBetween(100, 1000); // fails
     * }</pre>
     *
     * @param min may be reached
     * @param max may be reached
     * @return this
     * @throws IllegalArgumentException when min is over max
     */
    public CountMetricAssert isBetween(long min, long max) {
        return between(new Quantity(min, unit()), new Quantity(max, unit()));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).matmulInstructionCount().isBetween("10", "100");    // succeeds
     * assertThat(profile).matmulInstructionCount().isBetween("100", "1_000"); // fails
     * }</pre>
     *
     * @param min may be reached with its unit
     * @param max may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when min is over max, or one cannot be read
     */
    public CountMetricAssert isBetween(String min, String max) {
        return between(Quantity.parse(min, unit()), Quantity.parse(max, unit()));
    }
}
