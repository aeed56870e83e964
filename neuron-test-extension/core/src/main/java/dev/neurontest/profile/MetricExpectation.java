package dev.neurontest.profile;

import dev.neurontest.internal.profile.Doubts;
import dev.neurontest.internal.profile.ProfileMetrics;
import dev.neurontest.internal.profile.threshold.InstructionPlace;
import dev.neurontest.internal.profile.threshold.Limit;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The expectation that a metric stays within limits: at most, at least, or both. A value equal to its limit is allowed.
 *
 * <p>Several executions are combined by a {@link Statistic}. Among several ranks, the worst one counts, for example the slowest for a time.
 * An absent metric violates its limit, because absent is not zero. A latency that the tool does not provide leaves the expectation
 * undecided.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MetricExpectation {

    private final String metric;
    private final boolean latency;
    private final @Nullable InstructionPlace place;
    private final Unit unit;
    private final @Nullable Quantity max;
    private final @Nullable Quantity min;
    private final Statistic over;
    private final String words;

    private MetricExpectation(
            String metric,
            boolean latency,
            @Nullable InstructionPlace place,
            Unit unit,
            @Nullable Quantity max,
            @Nullable Quantity min,
            Statistic over,
            String words) {
        this.metric = metric;
        this.latency = latency;
        this.place = place;
        this.unit = unit;
        this.max = max;
        this.min = min;
        this.over = over;
        this.words = words;
        if (max != null && min != null && min.value() > max.value()) {
            throw new IllegalArgumentException(words + " cannot be met: min is greater than max.");
        }
    }

    /**
     * Creates a threshold from the attributes of the annotation.
     *
     * @param metric the name in the tool, such as {@code total_time}; the unit of an unknown metric comes from the ending of its name, or
     *     else from the limit, and a bare number is then compared with the tool's value
     * @param max the largest allowed value, such as {@code 17 ms}; empty for no upper limit
     * @param min the smallest allowed value, such as {@code 42 %}; empty for no lower limit
     * @param over the statistic over several executions, in the form of {@link Statistic#parse(String)}
     * @return the threshold
     * @throws IllegalArgumentException when there is no limit, or an impossible one such as a bare number for a percent metric
     */
    public static MetricExpectation of(String metric, String max, String min, String over) {
        String words = "@Threshold(metric = \"%s\"%s%s%s)"
                .formatted(
                        metric,
                        max.isEmpty() ? "" : ", max = \"%s\"".formatted(max),
                        min.isEmpty() ? "" : ", min = \"%s\"".formatted(min),
                        over.equals(Statistic.MEDIAN.toString()) ? "" : ", over = \"%s\"".formatted(over));
        return of(metric, max, min, over, words);
    }

    /**
     * Creates a threshold that the user stated in another form, such as {@code @MinMfu("42 %")}.
     *
     * @param metric the name in the tool
     * @param max the largest allowed value; empty for no upper limit
     * @param min the smallest allowed value; empty for no lower limit
     * @param over the statistic over several executions
     * @param words the user's text, for messages
     * @return the threshold
     * @throws IllegalArgumentException when there is no limit, or an impossible one
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static MetricExpectation of(String metric, String max, String min, String over, String words) {
        if (metric.isBlank()) {
            throw new IllegalArgumentException(words + " names no metric.");
        }
        return read(metric, false, null, max, min, over, words);
    }

    /**
     * Creates an upper limit for the time of one execution. If the tool does not write this kind of time, the threshold is undecided; no
     * other kind replaces it.
     *
     * @param of the kind of time
     * @param max the longest allowed time, such as {@code 17 ms}
     * @param over the statistic over several executions
     * @return the threshold
     * @throws IllegalArgumentException when the limit is not a time
     */
    public static MetricExpectation latency(Latency of, String max, String over) {
        return latency(of, max, over, "%s of at most %s".formatted(of.metric(), max));
    }

    /**
     * Creates an upper limit for a time that the user stated in another form, such as {@code @MaxLatency("17 ms")}.
     *
     * @param of the kind of time
     * @param max the longest allowed time
     * @param over the statistic over several executions
     * @param words the user's text, for messages
     * @return the threshold
     * @throws IllegalArgumentException when the limit is not a time
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static MetricExpectation latency(Latency of, String max, String over, String words) {
        return read(of.metric(), true, null, max, "", over, words);
    }

    /**
     * Creates limits for the time of the instructions of a source line or a layer. The tables of the profile contain this time.
     *
     * @param place the line or layer
     * @param max the longest allowed time; empty for no upper limit
     * @param min the shortest allowed time; empty for no lower limit
     * @param over the statistic over several executions
     * @param words the user's text, for messages
     * @return the threshold
     * @throws IllegalArgumentException when there is no limit, or an impossible one
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static MetricExpectation time(InstructionPlace place, String max, String min, String over, String words) {
        return read(place.toString(), false, place, max, min, over, words);
    }

    /**
     * Creates an upper limit for a metric.
     *
     * @param metric the name in the tool
     * @param max the largest allowed value
     * @return the threshold, on the median of several executions
     * @throws IllegalArgumentException when the metric has another unit
     */
    public static MetricExpectation atMost(String metric, Quantity max) {
        return limited(metric, max, null, "%s at most %s".formatted(metric, max.exactly()));
    }

    /**
     * Creates a lower limit for a metric.
     *
     * @param metric the name in the tool
     * @param min the smallest allowed value
     * @return the threshold, on the median of several executions
     * @throws IllegalArgumentException when the metric has another unit
     */
    public static MetricExpectation atLeast(String metric, Quantity min) {
        return limited(metric, null, min, "%s at least %s".formatted(metric, min.exactly()));
    }

    /**
     * Creates a lower and an upper limit for a metric.
     *
     * @param metric the name in the tool
     * @param min the smallest allowed value
     * @param max the largest allowed value
     * @return the threshold, on the median of several executions
     * @throws IllegalArgumentException when the metric has another unit, or min is greater than max
     */
    public static MetricExpectation between(String metric, Quantity min, Quantity max) {
        return limited(metric, max, min, "%s from %s to %s".formatted(metric, min.exactly(), max.exactly()));
    }

    private static MetricExpectation limited(
            String metric, @Nullable Quantity max, @Nullable Quantity min, String words) {
        Unit unitOfLimit = (max == null ? Objects.requireNonNull(min) : max).unit();
        Unit unit = unit(metric).orElse(unitOfLimit);
        for (Quantity limit : Stream.of(max, min).filter(Objects::nonNull).toList()) {
            if (limit.unit() != unit) {
                throw new IllegalArgumentException("%s: the unit of %s is %s, but that of %s is %s."
                        .formatted(
                                words,
                                metric,
                                unit.symbol(),
                                limit.exactly(),
                                limit.unit().symbol()));
            }
        }
        return new MetricExpectation(metric, false, null, unit, max, min, Statistic.MEDIAN, words);
    }

    private static MetricExpectation read(
            String metric,
            boolean latency,
            @Nullable InstructionPlace place,
            String max,
            String min,
            String over,
            String words) {
        if (max.isBlank() && min.isBlank()) {
            throw new IllegalArgumentException(words + " expects nothing: set max or min.");
        }
        try {
            Unit unit = place != null
                    ? Unit.NANOSECONDS
                    : unit(metric)
                            .orElseGet(() ->
                                    Quantity.parse(max.isBlank() ? min : max).unit());
            return new MetricExpectation(
                    metric,
                    latency,
                    place,
                    unit,
                    max.isBlank() ? null : Quantity.parse(max, unit),
                    min.isBlank() ? null : Quantity.parse(min, unit),
                    Statistic.parse(over),
                    words);
        } catch (IllegalArgumentException unreadable) {
            String message = String.valueOf(unreadable.getMessage());
            throw message.startsWith(words)
                    ? unreadable
                    : new IllegalArgumentException(words + ": " + message, unreadable);
        }
    }

    /**
     * Returns the unit of a metric. For an unknown metric, the usual ending of its name determines the unit.
     *
     * @param metric the name in the tool
     * @return the unit; empty when neither the name nor its ending is known
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Optional<Unit> unit(String metric) {
        return ProfileMetrics.unit(metric);
    }

    /**
     * Returns the same threshold on another statistic.
     *
     * @param statistic the statistic over several executions
     * @return the threshold
     */
    public MetricExpectation over(Statistic statistic) {
        return new MetricExpectation(metric, latency, place, unit, max, min, statistic, words);
    }

    String metric() {
        return metric;
    }

    /**
     * Returns whether only the tables of a profile contain the metric.
     *
     * @return true for the time of a line or a layer
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean needsTables() {
        return place != null;
    }

    /**
     * Returns whether the metric depends on time. First executions then do not count, because they include start-up.
     *
     * @return true for the time of a line or a layer, too
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean isOfTime() {
        return Doubts.carriesTime(place == null ? metric : Latency.TOTAL.metric());
    }

    /**
     * Returns whether no profile can meet both this expectation and another one.
     *
     * @param other another expectation of the same test
     * @return true if one requires more of the metric than the other allows
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean excludes(MetricExpectation other) {
        return metric.equals(other.metric)
                && unit == other.unit
                && over.overlaps(other.over)
                && (isBelow(other) || other.isBelow(this));
    }

    private boolean isBelow(MetricExpectation other) {
        return max != null && other.min != null && max.value() < other.min.value();
    }

    /** Returns the place of the instructions; empty for a metric of the summary. */
    Optional<InstructionPlace> place() {
        return Optional.ofNullable(place);
    }

    /** Returns whether the metric is a {@link Latency}. Tools may omit a latency. */
    boolean isLatency() {
        return latency;
    }

    Unit unit() {
        return unit;
    }

    /** Returns the limits, with the upper limit first. */
    List<Limit> limits() {
        return Stream.of(
                        Optional.ofNullable(max).map(value -> new Limit(true, value)),
                        Optional.ofNullable(min).map(value -> new Limit(false, value)))
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Returns the statistic over several executions.
     *
     * @return the statistic
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Statistic over() {
        return over;
    }

    /**
     * Returns the threshold in the user's words.
     *
     * @return a text such as {@code @Threshold(metric = "total_time", max = "17 ms")}
     */
    @Override
    public String toString() {
        return words;
    }
}
