package dev.neurontest.report.page;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.page.Scale;
import dev.neurontest.profile.Distribution;
import dev.neurontest.profile.Latency;
import dev.neurontest.report.RecordedDoubt;
import dev.neurontest.report.RecordedProfile;
import dev.neurontest.report.show.Limits;
import dev.neurontest.report.show.Part;
import dev.neurontest.text.CountText;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a profile of a test says. */
record PageProfile(RecordedProfile profile) {

    /** The metric of the latency of an execution. */
    private static final String TOTAL_TIME = Latency.TOTAL.metric();

    private static final Pattern THROTTLED = Pattern.compile("throttle_.*_active_time_nc[0-9]+_percent");

    /** A label, a bar and a value. */
    record Bar(String label, String kind, double bar, String value) {}

    Optional<Bar> bars() {
        return throttled()
                .map(part -> new Bar("Throttled", "undecided", new Scale(0, 1).at(part.value()), part.toString()));
    }

    Optional<String> times() {
        List<Double> sorted = seconds().sorted().toList();
        return sorted.isEmpty()
                ? Optional.empty()
                : Optional.of("%s: %s to %s, by %s"
                        .formatted(
                                CountText.of(sorted.size(), "execution"),
                                seconds(sorted.get(0)),
                                seconds(sorted.get(sorted.size() - 1)),
                                profile.tool()));
    }

    static Quantity seconds(double value) {
        return new Quantity(Math.max(0, value), Unit.SECONDS);
    }

    /** The longest part of the time for which a device was slowed down; empty when the tool wrote nothing of it. */
    Optional<Fraction> throttled() {
        return profile.executions().stream()
                .map(RecordedProfile.Execution::metrics)
                .flatMap(metrics -> metrics.entrySet().stream()
                        .filter(metric -> THROTTLED.matcher(metric.getKey()).matches())
                        .filter(metric -> limits(metrics, metric.getKey()))
                        .map(Map.Entry::getValue))
                .filter(part -> part > 0)
                .max(Comparator.naturalOrder())
                .map(Fraction::new);
    }

    /** A limit of all that is possible is none. */
    private static boolean limits(Map<String, Double> metrics, String activeTime) {
        return metrics.getOrDefault(activeTime.replace("_active_time_", "_avg_util_limit_"), 0.0) < 1;
    }

    private Stream<Double> seconds() {
        return profile.executions().stream()
                .flatMap(each -> Stream.ofNullable(each.metrics().get(TOTAL_TIME)));
    }

    /** The times of several executions that differ, or that have a limit. */
    Optional<Distribution> latencies() {
        List<Double> times = seconds().toList();
        return times.isEmpty()
                ? Optional.empty()
                : Distribution.of(
                        Unit.SECONDS,
                        List.of(new Distribution.Part("Time", times, "")),
                        profile.thresholds().stream()
                                .filter(each -> each.metric().equals(TOTAL_TIME))
                                .flatMap(each ->
                                        each.bound().stream().map(bound -> new Distribution.Limit(bound, each.limit())))
                                .toList());
    }

    Part doubts() {
        return Part.of(
                "In doubt",
                Stream.concat(
                                profile.doubts().stream(),
                                profile.executions().stream().flatMap(each -> each.doubts().stream()))
                        .map(RecordedDoubt::reason)
                        .distinct()
                        .toList(),
                Limits.PAGE);
    }
}
