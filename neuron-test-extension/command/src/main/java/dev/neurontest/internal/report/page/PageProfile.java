package dev.neurontest.internal.report.page;

import dev.neurontest.internal.profile.Distribution;
import dev.neurontest.internal.report.ParsedDoubt;
import dev.neurontest.internal.report.ParsedProfile;
import dev.neurontest.internal.report.show.Limits;
import dev.neurontest.internal.report.show.ReportPart;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Latency;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A profile of a test on a page. */
record PageProfile(ParsedProfile profile) {

    /** Metric of the latency of an execution. */
    private static final String TOTAL_TIME = Latency.TOTAL.metric();

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

    private Stream<Double> seconds() {
        return profile.executions().stream()
                .flatMap(each -> Stream.ofNullable(each.metrics().get(TOTAL_TIME)));
    }

    /** Returns the distribution of the times. It is empty for a single time without a limit, and when there is no range to draw. */
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

    ReportPart doubts() {
        return ReportPart.of(
                "In doubt",
                Stream.concat(
                                profile.doubts().stream(),
                                profile.executions().stream().flatMap(each -> each.doubts().stream()))
                        .map(ParsedDoubt::reason)
                        .distinct()
                        .toList(),
                Limits.PAGE);
    }
}
