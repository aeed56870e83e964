package dev.neurontest.internal.participant.comparison;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.baseline.MeasuredRun;
import dev.neurontest.internal.baseline.RunComparison;
import dev.neurontest.internal.baseline.history.BaselineException;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.plan.ComparisonPlan;
import dev.neurontest.internal.profile.Doubts;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.runtime.NeffException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;

/** The comparisons of profile metrics of one test. */
final class ProfileRuns {

    private final List<ComparisonPlan.Expectation> expectations;
    private final NewComparisons begin;
    private final Stacks stacks;
    private final BiConsumer<ComparisonPlan.Expectation, String> undecidable;
    private final Map<ComparisonPlan.Expectation, RunComparison> comparisons = new LinkedHashMap<>();
    private Optional<String> neff = Optional.empty();
    private int profiles;
    private String throttleClass = "";
    private boolean failing;

    /** Creates the comparisons. {@code undecidable} receives metrics that cannot be compared, with the reason. */
    ProfileRuns(
            List<ComparisonPlan.Expectation> expectations,
            NewComparisons begin,
            Stacks stacks,
            BiConsumer<ComparisonPlan.Expectation, String> undecidable) {
        this.expectations = expectations;
        this.begin = begin;
        this.stacks = stacks;
        this.undecidable = undecidable;
    }

    /** Adds a profile as a run. */
    void add(Profile profile) {
        if (profiles++ == 0) {
            throttleClass = profile.throttleClass();
            expectations.forEach(expectation -> begin(expectation, profile));
        }
        for (Map.Entry<ComparisonPlan.Expectation, RunComparison> each : comparisons.entrySet()) {
            OptionalDouble value = profile.number(each.getKey().metric().name());
            Optional<String> rejection = rejection(profile, each.getKey().metric());
            // A profile in doubt may lack the metric; it is rejected anyway.
            each.getValue()
                    .add(new MeasuredRun(
                            value.orElse(0),
                            Math.max(1, profile.executions().size()),
                            value.isPresent()
                                    ? rejection
                                    : rejection.or(() -> Optional.of("the tool did not write it"))));
        }
        failing = profile.executions().isEmpty();
    }

    private void begin(ComparisonPlan.Expectation expectation, Profile profile) {
        Metric metric = expectation.metric();
        if (profile.number(metric.name()).isEmpty()
                && rejection(profile, metric).isEmpty()) {
            undecidable.accept(
                    expectation,
                    "%s did not write it for %s. Absent is not zero.".formatted(profile.tool(), profile.title()));
            return;
        }
        try {
            RunComparison comparison = begin.runs(metric, expectation.margin(), stacks.of(profile, metric));
            neff = neff(profile);
            neff.ifPresent(comparison::ofNeff);
            comparisons.put(expectation, comparison);
        } catch (BaselineException | IllegalArgumentException broken) {
            undecidable.accept(expectation, String.valueOf(broken.getMessage()));
        }
    }

    /** Returns why a profile does not count as a run; empty if it counts. Doubts are checked before differences in throttling. */
    private Optional<String> rejection(Profile profile, Metric metric) {
        boolean carriesStartUp = metric.noise() == Noise.NOISY
                && !profile.executions().isEmpty()
                && profile.executions().stream()
                        .allMatch(execution -> execution.doubts().stream()
                                .anyMatch(doubt -> doubt.kind() == Doubt.Kind.FIRST_EXECUTION));
        if (carriesStartUp) {
            return Optional.of("it was the first execution, which carries start-up");
        }
        return ProfileExpectations.DEFAULT.judge(profile).undecided().stream()
                .findFirst()
                .map(Undecided::reason)
                .or(() -> Optional.of(Doubts.isMadeOfDma(metric.name()) ? Doubts.ofDma(profile) : "")
                        .filter(reason -> !reason.isEmpty()))
                .or(() -> otherThrottling(profile, metric));
    }

    /**
     * Returns why the throttling of a profile prevents its comparison. Times are compared within one class of throttling: that of the first
     * run, by which the baseline was selected. A run slightly outside of that class also counts.
     */
    private Optional<String> otherThrottling(Profile profile, Metric metric) {
        String now = profile.throttleClass();
        if (metric.noise() == Noise.NOISY
                && now.equals(throttleClass)
                && !ProfileExpectations.areThrottledAlike(now, now)) {
            return Optional.of("throttled for a share of the time that cannot be read");
        }
        return metric.noise() != Noise.NOISY || ProfileExpectations.areThrottledAlike(now, throttleClass)
                ? Optional.empty()
                : Optional.of("throttled differently from the first run: %s instead of %s"
                        .formatted(now.isEmpty() ? "not" : now, throttleClass.isEmpty() ? "not" : throttleClass));
    }

    private static Optional<String> neff(Profile profile) {
        return profile.executions().stream().findFirst().flatMap(execution -> {
            try {
                return Optional.of(NeffHeader.read(execution.neff()).hash());
            } catch (NeffException unreadable) {
                return Optional.empty();
            }
        });
    }

    /** Returns whether another profile would help. */
    boolean wantsMore() {
        return !failing
                && comparisons.values().stream().anyMatch(each -> each.wantsMore() || each.wantsMoreForABaseline());
    }

    /** Returns whether there was any profile. */
    boolean any() {
        return profiles > 0;
    }

    /** Returns the hash of the profiled model. */
    Optional<String> neff() {
        return neff;
    }

    /** Removes and returns the results. */
    List<Comparison> results() {
        List<Comparison> results =
                comparisons.values().stream().map(RunComparison::result).toList();
        comparisons.clear();
        return results;
    }
}
