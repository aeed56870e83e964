package dev.neurontest.assertj;

import dev.neurontest.metric.ByteSize;
import dev.neurontest.metric.Quantity;
import org.apiguardian.api.API;

/** Assertions on an amount of bytes of a profile. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class ByteMetricAssert extends AbstractMetricAssert<ByteMetricAssert, ObservedMetric> {

    /**
     * Starts assertions; the methods of {@link AbstractProfileAssert} are the usual way.
     *
     * @param actual which metric of which profile
     */
    public ByteMetricAssert(ObservedMetric actual) {
        super(actual, ByteMetricAssert.class);
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).hbmReadBytes().isAtMost(ByteSize.parse("3 MiB")); // succeeds
     * assertThat(profile).hbmReadBytes().isAtMost(ByteSize.parse("1 MiB")); // fails
     * }</pre>
     *
     * @param max the limit, which may be reached
     * @return this
     */
    public ByteMetricAssert isAtMost(ByteSize max) {
        return atMost(Quantity.of(max));
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(profile).hbmReadBytes().isAtMost("3 MiB"); // succeeds
     * assertThat(profile).hbmReadBytes().isAtMost("1 MiB"); // fails
     * }</pre>
     *
     * @param max the limit, which may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public ByteMetricAssert isAtMost(String max) {
        return atMost(Quantity.parse(max, unit()));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).hbmReadBytes().isAtLeast(ByteSize.parse("1 MiB")); // succeeds
     * assertThat(profile).hbmReadBytes().isAtLeast(ByteSize.parse("3 MiB")); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached
     * @return this
     */
    public ByteMetricAssert isAtLeast(ByteSize min) {
        return atLeast(Quantity.of(min));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(profile).hbmReadBytes().isAtLeast("1 MiB"); // succeeds
     * assertThat(profile).hbmReadBytes().isAtLeast("3 MiB"); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public ByteMetricAssert isAtLeast(String min) {
        return atLeast(Quantity.parse(min, unit()));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).hbmReadBytes().isBetween(ByteSize.parse("1 MiB"), ByteSize.parse("3 MiB")); // succeeds
     * assertThat(profile).hbmReadBytes().isBetween(ByteSize.parse("3 MiB"), ByteSize.parse("4 MiB")); // fails
     * }</pre>
     *
     * @param min may be reached
     * @param max may be reached
     * @return this
     * @throws IllegalArgumentException when min is over max
     */
    public ByteMetricAssert isBetween(ByteSize min, ByteSize max) {
        return between(Quantity.of(min), Quantity.of(max));
    }

    /**
     * It is in a range.
     *
     * <pre>{@code
     * assertThat(profile).hbmReadBytes().isBetween("1 MiB", "3 MiB"); // succeeds
     * assertThat(profile).hbmReadBytes().isBetween("3 MiB", "4 MiB"); // fails
     * }</pre>
     *
     * @param min may be reached with its unit
     * @param max may be reached with its unit
     * @return this
     * @throws IllegalArgumentException when min is over max, or one cannot be read
     */
    public ByteMetricAssert isBetween(String min, String max) {
        return between(Quantity.parse(min, unit()), Quantity.parse(max, unit()));
    }
}
