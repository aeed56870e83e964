package dev.neurontest.internal.report.compare;

import dev.neurontest.internal.text.DurationText;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A value of a test in both runs.
 *
 * @param metric name, unit and direction
 * @param before value in the unit; finite and not negative
 * @param now value in the unit; finite and not negative
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ChangedValue(Metric metric, double before, double now) {

    /** Least change of a metric. Profiles of the same NEFF differ by a few percent on an idle host, which is less. */
    static final double LEAST_OF_METRICS = 0.10;

    /** Least change of a share, because a share of nearly zero doubles easily. */
    static final double LEAST_OF_SHARES = 0.01;

    /**
     * Least change of the time of a test. This time includes the load of the host, the warm-up of the JVM and the pauses of its garbage
     * collector.
     */
    static final double LEAST_OF_DURATIONS = 0.50;

    /** Least difference of the time of a test. A pause of the JVM alone can cause a smaller one. */
    static final Duration LEAST_DURATION = Duration.ofMillis(100);

    /** Metric for the time of a whole test. */
    static final Metric DURATION = new Metric("time of the test", Unit.SECONDS, Direction.LOWER, Noise.NOISY);

    static ChangedValue of(Duration before, Duration now) {
        return new ChangedValue(DURATION, before.toNanos() / 1e9, now.toNanos() / 1e9);
    }

    /** Checks whether the change is large enough to be evidence in a comparison of only two runs. */
    boolean isFar() {
        double least = Math.min(before, now);
        double change = Math.abs(now - before);
        if (metric.equals(DURATION)) {
            return change > LEAST_OF_DURATIONS * least && change >= LEAST_DURATION.toNanos() / 1e9;
        }
        return change > LEAST_OF_METRICS * least && (metric.unit() != Unit.FRACTION || change >= LEAST_OF_SHARES);
    }

    boolean isWorse() {
        return metric.better() == Direction.HIGHER ? now < before : now > before;
    }

    /** Returns the factor between the values, in either direction; infinite if the smaller one is zero. */
    double distance() {
        double least = Math.min(before, now);
        return least == 0 ? Double.POSITIVE_INFINITY : Math.max(before, now) / least;
    }

    /**
     * Returns the new value divided by the old value.
     *
     * @return empty when the old value was 0
     */
    public Optional<Double> ratio() {
        return before == 0 ? Optional.empty() : Optional.of(now / before);
    }

    /** Returns the change for people, such as {@code total_time 18.2 ms, was 16.5 ms (1.10 times)}. */
    @Override
    public String toString() {
        return "%s %s, was %s%s"
                .formatted(
                        metric.name(),
                        shown(now),
                        shown(before),
                        ratio().map(ratio -> String.format(Locale.ROOT, " (%.2f times)", ratio))
                                .orElse(""));
    }

    private String shown(double value) {
        return metric.equals(DURATION)
                ? DurationText.exact(Duration.ofNanos(Math.round(value * 1e9)))
                : new Quantity(value, metric.unit()).toString();
    }
}
