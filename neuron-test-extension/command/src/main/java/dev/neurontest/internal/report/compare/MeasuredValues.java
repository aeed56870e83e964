package dev.neurontest.internal.report.compare;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.profile.Doubts;
import dev.neurontest.internal.profile.ProfileMetric;
import dev.neurontest.internal.profile.ProfileMetrics;
import dev.neurontest.internal.report.ParsedDoubt;
import dev.neurontest.internal.report.ParsedProfile;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Collector of the values in the measurements of a test: its profiles, and its comparisons with baselines. For a profile, the worst rank
 * counts, by the median of its executions. Metrics in doubt have no value.
 */
final class MeasuredValues {

    private final Map<MeasuredValue.Series, MeasuredValue> values = new LinkedHashMap<>();
    private boolean inDoubt;

    /** Returns the values. A metric that was compared with a baseline is not repeated from a profile. */
    List<MeasuredValue> all() {
        return values.values().stream()
                .filter(value -> value.subject().isEmpty()
                        || !values.containsKey(
                                new MeasuredValue.Series("", value.metric().name())))
                .toList();
    }

    boolean isInDoubt() {
        return inDoubt;
    }

    void comparison(Comparison comparison) {
        double[] runs = comparison.sample().toArray();
        if (runs.length > 0) {
            value("", comparison.metric(), SampleMedian.of(runs), comparison.stack());
        }
    }

    private void value(String subject, Metric metric, double value, Stack stack) {
        if (isDirected(metric) && value >= 0 && !Double.isInfinite(value) && metric.unit() != Unit.TEXT) {
            MeasuredValue measured = new MeasuredValue(subject, metric, value, stack);
            values.put(measured.series(), measured);
        }
    }

    private static boolean isDirected(Metric metric) {
        return metric.better() == Direction.LOWER || metric.better() == Direction.HIGHER;
    }

    /** Adds the values of a profile. */
    void profile(JsonObject recording) {
        ParsedProfile profile = ParsedProfile.of(recording);
        Map<String, String> stack = new TreeMap<>();
        if (!profile.capture().isEmpty()) {
            stack.put("capture", profile.capture());
        }
        if (!profile.tool().isEmpty()) {
            stack.putAll(HostStack.versions(Map.of("profiler", profile.tool())));
        }
        profile(profile.title(), Stack.of(stack), profile.doubts(), profile.executions());
    }

    private void profile(
            String title, Stack stack, List<ParsedDoubt> doubts, List<ParsedProfile.Execution> executions) {
        executions.stream()
                .flatMap(execution -> execution.metrics().keySet().stream())
                .distinct()
                .sorted()
                .map(ProfileMetrics::find)
                .flatMap(Optional::stream)
                .map(ProfileMetric::metric)
                .filter(MeasuredValues::isDirected)
                .forEach(metric -> {
                    Map<Optional<Long>, List<Double>> ranks = new HashMap<>();
                    executions.stream()
                            .filter(each -> isSure(each.doubts(), metric) && isSure(doubts, metric))
                            .filter(each -> each.metrics().containsKey(metric.name()))
                            .forEach(each -> ranks.computeIfAbsent(each.rank(), absent -> new ArrayList<>())
                                    .add(each.metrics().get(metric.name())));
                    worst(metric, ranks.values())
                            .ifPresentOrElse(value -> value(title, metric, value, stack), () -> inDoubt = true);
                });
        inDoubt |= executions.isEmpty() && !doubts.isEmpty();
    }

    private static boolean isSure(List<ParsedDoubt> doubts, Metric metric) {
        return doubts.stream().noneMatch(doubt -> Doubts.spoils(doubt.kind(), metric.name()));
    }

    private static Optional<Double> worst(Metric metric, Collection<List<Double>> ranks) {
        return ranks.stream()
                .map(rank -> SampleMedian.of(
                        rank.stream().mapToDouble(Double::doubleValue).toArray()))
                .reduce(metric.better() == Direction.HIGHER ? Math::min : Math::max);
    }
}
