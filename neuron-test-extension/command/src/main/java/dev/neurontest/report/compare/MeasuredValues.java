package dev.neurontest.report.compare;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Stack;
import dev.neurontest.baseline.statistics.SampleMedian;
import dev.neurontest.json.JsonObject;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Doubts;
import dev.neurontest.profile.ProfileMetric;
import dev.neurontest.profile.ProfileMetrics;
import dev.neurontest.report.RecordedDoubt;
import dev.neurontest.report.RecordedProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Takes the numbers out of what a test recorded: of its profiles, and of its comparisons with baselines. Of a profile counts the rank that is worst, by the
 * median of its executions. What is in doubt has no number.
 */
final class MeasuredValues {

    /** The others leave nothing that can be compared. */
    private static final Set<String> DOUBTS_OF_TIMES =
            Set.of(name(Doubt.Kind.FIRST_EXECUTION), name(Doubt.Kind.THROTTLED));

    private final Map<MeasuredValue.Series, MeasuredValue> values = new LinkedHashMap<>();
    private boolean inDoubt;

    private static String name(Doubt.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The values; a metric that was compared with a baseline is not told from a profile once more. */
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

    private static List<String> kinds(List<RecordedDoubt> doubts) {
        return doubts.stream()
                .map(RecordedDoubt::kind)
                .filter(kind -> !kind.isEmpty())
                .toList();
    }

    /** Takes the numbers of a profile. */
    void profile(JsonObject recording) {
        RecordedProfile profile = RecordedProfile.of(recording);
        Map<String, String> stack = new TreeMap<>();
        if (!profile.capture().isEmpty()) {
            stack.put("capture", profile.capture());
        }
        if (!profile.tool().isEmpty()) {
            stack.putAll(HostStack.versions(Map.of("profiler", profile.tool())));
        }
        profile(profile.title(), Stack.of(stack), kinds(profile.doubts()), profile.executions());
    }

    private void profile(String title, Stack stack, List<String> doubts, List<RecordedProfile.Execution> executions) {
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
                            .filter(each -> isSure(kinds(each.doubts()), metric) && isSure(doubts, metric))
                            .filter(each -> each.metrics().containsKey(metric.name()))
                            .forEach(each -> ranks.computeIfAbsent(each.rank(), absent -> new ArrayList<>())
                                    .add(each.metrics().get(metric.name())));
                    worst(metric, ranks.values())
                            .ifPresentOrElse(value -> value(title, metric, value, stack), () -> inDoubt = true);
                });
        inDoubt |= executions.isEmpty() && !doubts.isEmpty();
    }

    private static boolean isSure(List<String> doubts, Metric metric) {
        return doubts.stream()
                .allMatch(doubt -> DOUBTS_OF_TIMES.contains(doubt) && !Doubts.carriesTime(metric.name())
                        || doubt.equals(name(Doubt.Kind.DOUBTFUL_DMA)) && !Doubts.isMadeOfDma(metric.name()));
    }

    private static Optional<Double> worst(Metric metric, Collection<List<Double>> ranks) {
        return ranks.stream()
                .map(rank -> SampleMedian.of(
                        rank.stream().mapToDouble(Double::doubleValue).toArray()))
                .reduce(metric.better() == Direction.HIGHER ? Math::min : Math::max);
    }
}
