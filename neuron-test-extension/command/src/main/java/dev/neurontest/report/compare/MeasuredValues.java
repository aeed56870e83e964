package dev.neurontest.report.compare;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Stack;
import dev.neurontest.baseline.statistics.SampleMedian;
import dev.neurontest.json.JsonObject;
import dev.neurontest.json.JsonValue;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Doubts;
import dev.neurontest.profile.ProfileMetric;
import dev.neurontest.profile.ProfileMetrics;
import java.nio.charset.StandardCharsets;
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

    /** An execution that was traced. */
    private record Execution(String rank, List<String> doubts, Map<String, Double> metrics) {

        static Execution of(JsonValue execution) {
            Map<String, Double> metrics = new HashMap<>();
            execution
                    .in("metrics")
                    .numbers()
                    // by the name in the catalogue, of which there is one for all tests
                    .forEach((name, value) -> ProfileMetrics.find(name)
                            .filter(known -> isDirected(known.metric()))
                            .ifPresent(known -> metrics.put(known.name(), value.doubleValue())));
            return new Execution(execution.text("rank"), kinds(execution), metrics);
        }
    }

    private static List<String> kinds(JsonValue doubtful) {
        return doubtful.each("doubts").stream()
                .map(doubt -> doubt.text("kind"))
                .filter(kind -> !kind.isEmpty())
                .toList();
    }

    /** Takes the numbers of a profile. */
    void profile(JsonObject recording) {
        JsonValue profile = JsonValue.parse(recording.text().getBytes(StandardCharsets.UTF_8));
        Map<String, String> stack = new TreeMap<>();
        profile.find("capture").ifPresent(any -> stack.put("capture", profile.text("capture")));
        profile.find("tool")
                .ifPresent(any -> stack.putAll(HostStack.versions(Map.of("profiler", profile.text("tool")))));
        profile(
                profile.text("title"),
                Stack.of(stack),
                kinds(profile),
                profile.each("executions").stream().map(Execution::of).toList());
    }

    private void profile(String title, Stack stack, List<String> doubts, List<Execution> executions) {
        executions.stream()
                .flatMap(execution -> execution.metrics.keySet().stream())
                .distinct()
                .sorted()
                .map(ProfileMetrics::find)
                .flatMap(Optional::stream)
                .map(ProfileMetric::metric)
                .forEach(metric -> {
                    Map<String, List<Double>> ranks = new TreeMap<>();
                    executions.stream()
                            .filter(each -> isSure(each.doubts, metric) && isSure(doubts, metric))
                            .filter(each -> each.metrics.containsKey(metric.name()))
                            .forEach(each -> ranks.computeIfAbsent(each.rank, absent -> new ArrayList<>())
                                    .add(each.metrics.get(metric.name())));
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
