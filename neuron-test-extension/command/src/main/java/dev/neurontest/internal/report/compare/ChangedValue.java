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
 * A number of a test in both runs.
 *
 * @param metric its name, unit and direction
 * @param before in the unit; finite and not negative
 * @param now in the unit; finite and not negative
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ChangedValue(Metric metric, double before, double now) {

    /** Beyond what profiles of the same NEFF differ by on an idle host, which is a few percent. */
    static final double LEAST_OF_METRICS = 0.10;

    /** A share that is nearly nothing doubles easily. */
    static final double LEAST_OF_SHARES = 0.01;

    /** The time of a test has the load of the host, the warm-up of the JVM and the pauses of its garbage collector in it. */
    static final double LEAST_OF_DURATIONS = 0.50;

    /** Below it a pause of the JVM alone makes the difference. */
    static final Duration LEAST_DURATION = Duration.ofMillis(100);

    /** The time of a whole test. */
    static final Metric DURATION = new Metric("time of the test", Unit.SECONDS, Direction.LOWER, Noise.NOISY);

    static ChangedValue of(Duration before, Duration now) {
        return new ChangedValue(DURATION, before.toNanos() / 1e9, now.toNanos() / 1e9);
    }

    /** Whether it changed so much that one run against one says something. */
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

    /** By how much, whichever way; endless from or to nothing. */
    double distance() {
        double least = Math.min(before, now);
        return least == 0 ? Double.POSITIVE_INFINITY : Math.max(before, now) / least;
    }

    /**
     * New by old.
     *
     * @return empty when it was 0
     */
    public Optional<Double> ratio() {
        return before == 0 ? Optional.empty() : Optional.of(now / before);
    }

    /**
     * For people.
     *
     * @return such as {@code total_time 18.2 ms, was 16.5 ms (1.10 times)}
     */
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
