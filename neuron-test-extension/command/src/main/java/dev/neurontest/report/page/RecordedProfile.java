package dev.neurontest.report.page;

import dev.neurontest.json.JsonObject;
import dev.neurontest.json.JsonValue;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Distribution;
import dev.neurontest.profile.Latency;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a recording of kind {@code profile} says, as far as a report shows it. */
record RecordedProfile(
        String title, String tool, List<JsonValue> executions, List<String> doubts, List<Threshold> thresholds) {

    static final String KIND = "profile";

    /** The metric that is meant by the latency of an execution. */
    static final String TOTAL_TIME = Latency.TOTAL.metric();

    private static final Pattern THROTTLED = Pattern.compile("throttle_.*_active_time_nc[0-9]+_percent");

    static RecordedProfile of(JsonObject recording) {
        JsonValue members = JsonValue.of(recording);
        List<JsonValue> executions = members.each("executions");
        List<String> doubts = new ArrayList<>();
        members.each("doubts").forEach(doubt -> doubts.add(doubt.text("reason")));
        executions.forEach(each -> each.each("doubts").forEach(doubt -> doubts.add(doubt.text("reason"))));
        return new RecordedProfile(
                members.text("title"),
                members.text("tool"),
                executions.stream().map(each -> each.in("metrics")).toList(),
                doubts.stream().distinct().toList(),
                members.each("thresholds").stream().map(Threshold::of).toList());
    }

    /** The longest part of the time for which a device was slowed down; empty when the tool wrote nothing of it. */
    Optional<Fraction> throttled() {
        return executions.stream()
                .flatMap(metrics -> metrics.numbers().entrySet().stream()
                        .filter(metric -> THROTTLED.matcher(metric.getKey()).matches())
                        .filter(metric -> limits(metrics, metric.getKey()))
                        .map(Map.Entry::getValue))
                .filter(part -> part.signum() > 0)
                .max(Comparator.naturalOrder())
                .map(part -> new Fraction(part.doubleValue()));
    }

    /** A limit of all that is possible is none. */
    private static boolean limits(JsonValue metrics, String activeTime) {
        return metrics.number(activeTime.replace("_active_time_", "_avg_util_limit_"))
                .filter(limit -> limit.compareTo(BigDecimal.ONE) >= 0)
                .isEmpty();
    }

    /** The time of each execution in seconds. */
    List<Double> times() {
        return executions.stream()
                .flatMap(metrics -> metrics.number(TOTAL_TIME).stream())
                .map(BigDecimal::doubleValue)
                .filter(Double::isFinite)
                .toList();
    }

    /** The times as a picture, beside the limits of thresholds on them. */
    Optional<Distribution> latencies() {
        return times().isEmpty()
                ? Optional.empty()
                : Distribution.of(
                        Unit.SECONDS,
                        List.of(new Distribution.Part("Time", times(), "")),
                        thresholds.stream()
                                .filter(each -> each.metric().equals(TOTAL_TIME))
                                .flatMap(each -> each.bound().stream()
                                        .map(bound -> new Distribution.Limit(bound.doubleValue(), each.limit())))
                                .toList());
    }

    /** What became of one threshold. */
    record Threshold(
            String rule,
            String metric,
            String outcome,
            Optional<BigDecimal> value,
            Optional<BigDecimal> bound,
            String shown,
            String limit,
            String margin) {

        private static Threshold of(JsonValue threshold) {
            return new Threshold(
                    threshold.text("rule"),
                    threshold.text("metric"),
                    threshold.text("outcome"),
                    threshold.number("value"),
                    threshold.number("bound"),
                    threshold.text("shown"),
                    threshold.text("limit"),
                    threshold.text("margin"));
        }
    }
}
