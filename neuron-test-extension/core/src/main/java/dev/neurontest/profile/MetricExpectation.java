package dev.neurontest.profile;

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
 * A metric must stay within limits: at most, at least, or both. A value that equals its limit keeps it.
 *
 * <p>Of several executions a {@link Statistic} counts, of several ranks the one that is worst for the limit: the slowest for a time.
 * A metric that is absent breaks its limit, because absent is not zero; a latency that the tool does not give leaves it undecided.
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
     * States a threshold, in the form of the annotation.
     *
     * @param metric as the tool names it, such as {@code total_time}. One that is not known here gets its unit from the ending of
     *     its name, or else from the limit; a bare number is then held against what the tool writes.
     * @param max the largest value that will do, such as {@code 17 ms}; empty when there is no upper limit
     * @param min the smallest value that will do, such as {@code 42 %}; empty when there is no lower limit
     * @param over what of several executions counts, as {@link Statistic#parse(String)} reads it
     * @return the threshold
     * @throws IllegalArgumentException when nothing is demanded, or something that cannot be; a bare number for a percent metric
     *     is such
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
     * The same for a threshold that its user stated otherwise, such as by {@code @MinMfu("42 %")}.
     *
     * @param metric as the tool names it
     * @param max the largest value that will do; empty when there is no upper limit
     * @param min the smallest value that will do; empty when there is no lower limit
     * @param over what of several executions counts
     * @param words how the user stated it, for messages
     * @return the threshold
     * @throws IllegalArgumentException when nothing is demanded, or something that cannot be
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static MetricExpectation of(String metric, String max, String min, String over, String words) {
        if (metric.isBlank()) {
            throw new IllegalArgumentException(words + " names no metric.");
        }
        return read(metric, false, null, max, min, over, words);
    }

    /**
     * Limits how long one execution may take. Where the tool does not write that quantity, the threshold is undecided: no other stands
     * for it.
     *
     * @param of which time is meant
     * @param max the longest time that will do, such as {@code 17 ms}
     * @param over what of several executions counts
     * @return the threshold
     * @throws IllegalArgumentException when the limit is no time
     */
    public static MetricExpectation latency(Latency of, String max, String over) {
        return latency(of, max, over, "%s of at most %s".formatted(of.metric(), max));
    }

    /**
     * The same for a threshold that its user stated otherwise, such as by {@code @MaxLatency("17 ms")}.
     *
     * @param of which time is meant
     * @param max the longest time that will do
     * @param over what of several executions counts
     * @param words how the user stated it, for messages
     * @return the threshold
     * @throws IllegalArgumentException when the limit is no time
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static MetricExpectation latency(Latency of, String max, String over, String words) {
        return read(of.metric(), true, null, max, "", over, words);
    }

    /**
     * Limits the time of the instructions that come from a line or a layer, which the tables of the profile tell.
     *
     * @param place which ones
     * @param max the longest time that will do; empty when there is no upper limit
     * @param min the shortest time that will do; empty when there is no lower limit
     * @param over what of several executions counts
     * @param words how the user stated it, for messages
     * @return the threshold
     * @throws IllegalArgumentException when nothing is demanded, or something that cannot be
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static MetricExpectation time(InstructionPlace place, String max, String min, String over, String words) {
        return read(place.toString(), false, place, max, min, over, words);
    }

    /**
     * Limits a metric from above.
     *
     * @param metric as the tool names it
     * @param max the largest value that will do
     * @return the threshold, on the median of several executions
     * @throws IllegalArgumentException when the metric counts something else
     */
    public static MetricExpectation atMost(String metric, Quantity max) {
        return limited(metric, max, null, "%s at most %s".formatted(metric, max.exactly()));
    }

    /**
     * Limits a metric from below.
     *
     * @param metric as the tool names it
     * @param min the smallest value that will do
     * @return the threshold, on the median of several executions
     * @throws IllegalArgumentException when the metric counts something else
     */
    public static MetricExpectation atLeast(String metric, Quantity min) {
        return limited(metric, null, min, "%s at least %s".formatted(metric, min.exactly()));
    }

    /**
     * Limits a metric on both sides.
     *
     * @param metric as the tool names it
     * @param min the smallest value that will do
     * @param max the largest value that will do
     * @return the threshold, on the median of several executions
     * @throws IllegalArgumentException when the metric counts something else, or min is greater than max
     */
    public static MetricExpectation between(String metric, Quantity min, Quantity max) {
        return limited(metric, max, min, "%s from %s to %s".formatted(metric, min.exactly(), max.exactly()));
    }

    private static MetricExpectation limited(
            String metric, @Nullable Quantity max, @Nullable Quantity min, String words) {
        Unit given = (max == null ? Objects.requireNonNull(min) : max).unit();
        Unit unit = unit(metric).orElse(given);
        for (Quantity limit : Stream.of(max, min).filter(Objects::nonNull).toList()) {
            if (limit.unit() != unit) {
                throw new IllegalArgumentException("%s: %s counts %s, and %s is in %s."
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
            throw new IllegalArgumentException(words + " demands nothing: give a max or a min.");
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
     * What a metric counts, also one that is not known here but whose name ends as the tools name such metrics.
     *
     * @param metric as the tool names it
     * @return empty when neither tells
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Optional<Unit> unit(String metric) {
        return ProfileMetrics.unit(metric);
    }

    /**
     * The same threshold on another statistic.
     *
     * @param wanted what of several executions counts
     * @return the threshold
     */
    public MetricExpectation over(Statistic wanted) {
        return new MetricExpectation(metric, latency, place, unit, max, min, wanted, words);
    }

    String metric() {
        return metric;
    }

    /**
     * Whether only the tables of a profile tell it.
     *
     * @return true for the time of a line or a layer
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean needsTables() {
        return place != null;
    }

    /** Whose instructions are meant, where it is no metric of the summary. */
    Optional<InstructionPlace> place() {
        return Optional.ofNullable(place);
    }

    /** Whether one of several times is meant, which tools write or do not. */
    boolean isLatency() {
        return latency;
    }

    Unit unit() {
        return unit;
    }

    /** The upper limit first. */
    List<Limit> limits() {
        return Stream.of(
                        Optional.ofNullable(max).map(value -> new Limit(true, value)),
                        Optional.ofNullable(min).map(value -> new Limit(false, value)))
                .flatMap(Optional::stream)
                .toList();
    }

    Statistic over() {
        return over;
    }

    /**
     * The threshold in the user's words.
     *
     * @return such as {@code @Threshold(metric = "total_time", max = "17 ms")}
     */
    @Override
    public String toString() {
        return words;
    }
}
