package dev.neurontest.profile;

import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.profile.ComparableExecutions;
import dev.neurontest.internal.profile.Doubts;
import dev.neurontest.internal.profile.ProfileMetric;
import dev.neurontest.internal.profile.ProfileMetrics;
import dev.neurontest.internal.profile.threshold.InstructionPlace;
import dev.neurontest.internal.profile.threshold.Limit;
import dev.neurontest.internal.profile.threshold.LimitComparison;
import dev.neurontest.internal.profile.threshold.ProfileMessages;
import dev.neurontest.internal.profile.threshold.ThresholdOutcome;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The comparison of one profile with one threshold. */
final class ThresholdCheck {

    /** Parts of the names of fractions that can exceed 1: a ceiling, and throttling limits that the vendor published. */
    private static final List<String> UNBOUNDED = List.of("_max_achievable_", "_avg_util_limit_");

    private static final double ALL_BUT_FOR_ROUNDING = 1.001;

    private final MetricExpectation threshold;
    private Profile profile;
    private final String metric;
    private final List<String> notices = new ArrayList<>();

    private ThresholdCheck(MetricExpectation threshold, Profile profile) {
        this.threshold = threshold;
        this.profile = profile;
        this.metric = threshold.metric();
    }

    static ThresholdOutcome outcome(MetricExpectation threshold, Profile profile) {
        return new ThresholdCheck(threshold, profile).outcome();
    }

    private ThresholdOutcome outcome() {
        reportUnknownMetric();
        String doubts = Doubts.reasons(profile, summaryMetric());
        if (!doubts.isEmpty()) {
            return undecided(doubts);
        }
        if (profile.executions().isEmpty()) {
            return undecided(ProfileMessages.nothingTraced(profile));
        }
        try {
            Optional<String> unknown = takeTimeOfPlace();
            return unknown.isPresent() ? undecided(unknown.get()) : judged();
        } catch (TablesException unreadable) {
            return undecided(unreadable.getMessage());
        }
    }

    /** Returns the metric with the relevant doubts. A time of a place has the doubts of the total time. */
    private String summaryMetric() {
        return threshold.place().isPresent() ? Latency.TOTAL.metric() : metric;
    }

    /** Adds the time of the place to each summary, to judge it like every other metric. Returns a reason if that is impossible. */
    private Optional<String> takeTimeOfPlace() {
        if (threshold.place().isEmpty()) {
            return Optional.empty();
        }
        InstructionPlace place = threshold.place().get();
        List<TracedExecution> measured = new ArrayList<>();
        for (TracedExecution execution : profile.executions()) {
            if (execution.tablesFolder().isEmpty()) {
                return Optional.of(ProfileMessages.noTables(profile, execution));
            }
            ProfileEvents events =
                    ProfileEvents.sums(execution.tables().orElseThrow().require(List.of("Instruction")));
            if (!events.isComplete(place.by())) {
                return Optional.of(ProfileMessages.notKeptApart(place, execution));
            }
            OptionalLong time = place.nanoseconds(events);
            if (time.equals(OptionalLong.of(0))) {
                return Optional.of(ProfileMessages.noTime(place, execution));
            }
            measured.add(with(execution, time));
        }
        profile = profile.with(measured, profile.doubts());
        return Optional.empty();
    }

    private TracedExecution with(TracedExecution execution, OptionalLong nanoseconds) {
        Map<String, Object> values = new LinkedHashMap<>(execution.summary().values());
        nanoseconds.ifPresent(time -> values.put(metric, (double) time));
        return execution.with(
                new ProfileSummary(
                        execution.summary().key(), values, execution.summary().oddities()),
                execution.doubts());
    }

    private ThresholdOutcome judged() {
        List<ComparableExecutions> parts = ComparableExecutions.of(profile.executions());
        if (threshold.isOfTime()) {
            parts = parts.stream().map(this::withoutFirst).toList();
        }
        List<TracedExecution> without = parts.stream()
                .flatMap(part -> part.executions().stream())
                .filter(execution -> execution.summary().number(metric).isEmpty())
                .toList();
        if (!without.isEmpty()) {
            return missingMetric(without);
        }
        Optional<String> twice = parts.stream()
                .flatMap(part -> part.executions().stream())
                .flatMap(execution -> writtenTwice(execution).stream())
                .findFirst();
        if (twice.isPresent()) {
            return undecided(twice.get());
        }
        Optional<TracedExecution> impossible = parts.stream()
                .flatMap(part -> part.executions().stream())
                .filter(execution -> isMoreThanAll(execution.summary()))
                .findFirst();
        if (impossible.isPresent()) {
            if (metric.contains("estimated") && threshold.limits().stream().allMatch(Limit::upper)) {
                notices.add(ProfileMessages.abovePeak(metric));
            } else {
                return undecided(ProfileMessages.moreThanAll(metric, impossible.get(), profile));
            }
        }
        int fewest =
                parts.stream().mapToInt(part -> part.executions().size()).min().orElseThrow();
        if (fewest < threshold.over().needed()) {
            return undecided(ProfileMessages.tooFew(threshold.over(), fewest));
        }
        return measured(parts);
    }

    private void reportUnknownMetric() {
        if (knownMetric().isEmpty() && threshold.place().isEmpty()) {
            notices.add(ProfileMessages.unknown(metric, threshold.unit()));
        }
    }

    private Optional<Metric> knownMetric() {
        return ProfileMetrics.find(metric).map(ProfileMetric::metric);
    }

    /** Removes the first executions of a part. The earlier check of doubts has already rejected a part with only first executions. */
    private ComparableExecutions withoutFirst(ComparableExecutions part) {
        ComparableExecutions withoutFirst = part.without(Doubt.Kind.FIRST_EXECUTION);
        int first = part.executions().size() - withoutFirst.executions().size();
        if (first > 0) {
            notices.add(ProfileMessages.firstLeftOut(metric, part.name(), first));
        }
        return withoutFirst;
    }

    private Optional<String> writtenTwice(TracedExecution execution) {
        return execution
                .summary()
                .oddity(metric)
                .map(odd -> ProfileMessages.unreadable(metric, odd, execution, profile));
    }

    private boolean isMoreThanAll(ProfileSummary summary) {
        return knownMetric().filter(known -> known.unit() == Unit.FRACTION).isPresent()
                && UNBOUNDED.stream().noneMatch(metric::contains)
                && summary.number(metric).orElse(0) > ALL_BUT_FOR_ROUNDING;
    }

    private ThresholdOutcome missingMetric(List<TracedExecution> without) {
        Optional<String> odd = without.stream()
                .flatMap(execution -> execution.summary().oddity(metric).stream())
                .findFirst();
        TracedExecution example = without.get(0);
        if (odd.isEmpty() && threshold.isLatency()) {
            return undecided(ProfileMessages.otherTimes(metric, example, profile.tool()));
        }
        return odd.isPresent()
                ? undecided(ProfileMessages.unreadable(metric, odd.get(), example, profile))
                : result(
                        threshold.limits().get(0),
                        Optional.empty(),
                        Optional.of(example),
                        Optional.of(new Violation(
                                threshold.toString(),
                                metric,
                                expected(),
                                ProfileMessages.absent(
                                        without.size(), profile.executions().size(), example, metric),
                                threshold
                                        .place()
                                        .map(place -> ProfileMessages.absentPlace(place, example))
                                        .orElseGet(() -> ProfileMessages.absentAdvice(
                                                metric, example.summary(), profile.tool())))),
                        Optional.empty());
    }

    private ThresholdOutcome undecided(String reason) {
        return result(
                threshold.limits().get(0),
                Optional.empty(),
                profile.executions().stream().findFirst(),
                Optional.empty(),
                Optional.of(new Undecided(threshold.toString(), metric, reason)));
    }

    private ThresholdOutcome measured(List<ComparableExecutions> parts) {
        LimitComparison worst = threshold.limits().stream()
                .map(limit -> LimitComparison.against(limit, parts, metric, threshold.over()))
                .max(Comparator.comparingDouble(LimitComparison::excess))
                .orElseThrow();
        Optional<Violation> violation = worst.isKept()
                ? Optional.empty()
                : Optional.of(new Violation(
                        threshold.toString(),
                        metric,
                        expected(),
                        ProfileMessages.measured(worst),
                        ProfileMessages.advice(knownMetric(), worst)));
        return result(
                worst.limit(), Optional.of(worst.value()), Optional.of(worst.example()), violation, Optional.empty());
    }

    private ThresholdOutcome result(
            Limit limit,
            Optional<Double> value,
            Optional<TracedExecution> example,
            Optional<Violation> violation,
            Optional<Undecided> undecided) {
        return new ThresholdOutcome(
                threshold.toString(),
                metric,
                value.map(it -> new Quantity(it, limit.value().unit())),
                limit.toString(),
                limit.value(),
                value.map(limit::margin).orElse(""),
                threshold.over().toString(),
                example,
                violation,
                undecided,
                notices);
    }

    private String expected() {
        return threshold.limits().stream().map(Limit::toString).collect(Collectors.joining(" and "));
    }
}
