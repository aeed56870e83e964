package dev.neurontest.profile.report;

import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.page.Scale;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Doubts;
import dev.neurontest.profile.Part;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileMetrics;
import dev.neurontest.profile.ProfileValue;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.TracedExecution;
import dev.neurontest.profile.threshold.ThresholdOutcome;
import dev.neurontest.text.CountText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * The executions of a profile by one metric, a dot for each, on a scale that shows by how much they vary: it begins at 0 only where they
 * vary that much, and has the limit on it where that is near.
 */
final class ExecutionDots {

    private static final int MOST_ROWS = 64;

    /** A limit that is farther away than so many times the spread of the values would hide the spread. */
    private static final double NEAR = 4;

    /** Values are close together when the least is more than this part of the greatest. */
    private static final double CLOSE = 0.5;

    private static final double MARGIN = 0.15;

    private final String metric;
    private final Unit unit;
    private final List<Part> parts;
    private final OptionalDouble limit;
    private final Scale scale;

    private ExecutionDots(String metric, Unit unit, List<Part> parts, OptionalDouble limit) {
        this.metric = metric;
        this.unit = unit;
        this.parts = parts;
        this.limit = limit;
        this.scale = scale();
    }

    /** Without a limit. */
    static Optional<ExecutionDots> of(Profile profile, String metric) {
        Unit unit = ProfileMetrics.unit(metric).filter(it -> it != Unit.TEXT).orElse(Unit.COUNT);
        return of(profile, metric, unit, OptionalDouble.empty());
    }

    /** Beside the limit of a threshold. */
    static Optional<ExecutionDots> of(Profile profile, ThresholdOutcome outcome) {
        return of(
                profile,
                outcome.metric(),
                outcome.bound().unit(),
                OptionalDouble.of(outcome.bound().value()));
    }

    /** None where there is nothing to compare: no execution has the metric, or only one has it and there is no limit. */
    private static Optional<ExecutionDots> of(Profile profile, String metric, Unit unit, OptionalDouble limit) {
        return ProfileValue.values(profile.executions(), metric).length < (limit.isPresent() ? 1 : 2)
                ? Optional.empty()
                : Optional.of(new ExecutionDots(metric, unit, Part.of(profile.executions()), limit));
    }

    private Scale scale() {
        double least = values(parts).min().orElse(0);
        double most = values(parts).max().orElse(0);
        double spread = most - least;
        double low = least;
        double high = most;
        if (limit.isPresent()) {
            double bound = limit.getAsDouble();
            double away = Math.max(least - bound, bound - most);
            if (spread == 0 || away <= NEAR * spread) {
                low = Math.min(low, bound);
                high = Math.max(high, bound);
            }
        }
        if (low <= CLOSE * high || low == high) {
            return new Scale(low == high ? (1 - CLOSE) * low : 0, high == 0 ? 1 : rounded(1.05 * high, high, true));
        }
        double margin = MARGIN * (high - low);
        return new Scale(
                rounded(Math.max(0, low - margin), high - low, false), rounded(high + margin, high - low, true));
    }

    /** To a tenth of the span, so that the ends can be read. */
    private static double rounded(double value, double span, boolean up) {
        int digits = 1 - (int) Math.floor(Math.log10(span));
        return new BigDecimal(value)
                .setScale(digits, up ? RoundingMode.CEILING : RoundingMode.FLOOR)
                .doubleValue();
    }

    private DoubleStream values(List<Part> some) {
        return some.stream().flatMapToDouble(part -> Arrays.stream(ProfileValue.values(part.executions(), metric)));
    }

    /** The executions of a part. */
    record Lane(String label, List<Dot> dots, String value) {}

    /** An execution; {@code before} is one that is left out, since start-up is in it. */
    record Dot(String kind, double at) {}

    String metric() {
        return metric;
    }

    List<Lane> lanes() {
        return parts.stream().limit(MOST_ROWS).map(this::lane).toList();
    }

    int moreLanes() {
        return Math.max(0, parts.size() - MOST_ROWS);
    }

    private Lane lane(Part part) {
        double[] judged = ProfileValue.values(judged(part).executions(), metric);
        return new Lane(
                part.name().isEmpty() ? CountText.of(part.executions().size(), "execution") : part.name(),
                part.executions().stream()
                        .flatMap(execution -> dot(part, execution).stream())
                        .toList(),
                judged.length == 0
                        ? "not written"
                        : shown(Statistic.MEDIAN.of(judged, true)) + (judged.length > 1 ? " median" : ""));
    }

    private Optional<Dot> dot(Part part, TracedExecution execution) {
        String kind = judged(part).executions().contains(execution) ? "dot" : "before";
        OptionalDouble value = execution.summary().number(metric);
        return value.isPresent() ? Optional.of(new Dot(kind, scale.at(value.getAsDouble()))) : Optional.empty();
    }

    /** First executions count where there are no others. */
    private Part judged(Part part) {
        Part rest = Doubts.carriesTime(metric) ? part.without(Doubt.Kind.FIRST_EXECUTION) : part;
        return rest.executions().isEmpty() ? part : rest;
    }

    boolean hasFirst() {
        return lanes().stream()
                .flatMap(lane -> lane.dots().stream())
                .anyMatch(dot -> dot.kind().equals("before"));
    }

    /** Where the limit is drawn; empty where it is not near. */
    Optional<Double> tick() {
        return limit.isPresent() && limit.getAsDouble() >= scale.low() && limit.getAsDouble() <= scale.high()
                ? Optional.of(scale.at(limit.getAsDouble()))
                : Optional.empty();
    }

    String low() {
        return end(scale.low());
    }

    String high() {
        return end(scale.high());
    }

    /** The limit between the ends of the scale; empty without one. */
    String limit() {
        if (limit.isEmpty()) {
            return "";
        }
        String side = tick().isPresent()
                ? ""
                : limit.getAsDouble() < scale.low() ? ", far to the left" : ", far to the right";
        return (tick().isPresent() ? "\u2502 limit " : "limit ")
                + ProfilePicture.rounded(new Quantity(limit.getAsDouble(), unit).exactly())
                + side;
    }

    private String shown(double value) {
        return ProfilePicture.rounded(new Quantity(value, unit).toString());
    }

    /** With all its digits where rounded ones would not tell the ends apart. */
    private String end(double value) {
        return shown(scale.low()).equals(shown(scale.high())) ? new Quantity(value, unit).exactly() : shown(value);
    }
}
