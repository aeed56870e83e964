package dev.neurontest.internal.export;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.report.FlakyTest;
import dev.neurontest.internal.report.Overview;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.metric.Unit;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The numbers of a run: medians of the values compared with baselines, the number of tests of each outcome, and the errors of the hosts.
 *
 * @param started the start of the first JVM
 * @param ended the end of the last JVM
 * @param about platform, commit and branch, as far as they apply to the whole run
 * @param points all numbers
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunPoints(Instant started, Instant ended, SortedMap<String, String> about, List<OtlpPoint> points) {

    private static final String PREFIX = "neuron.test.";

    /**
     * Extracts the numbers from a report. If a metric of a test was measured several times, the last measurement counts.
     *
     * @param report the report of the whole run
     * @param provenance the tested source
     * @param now the end of the run, if no JVM has reported it
     */
    public static RunPoints of(RunReport report, Provenance provenance, Instant now) {
        Instant ended = report.jvms().stream()
                .map(ReportedJvm::ended)
                .max(Comparator.naturalOrder())
                .orElse(now);
        Instant started = report.jvms().stream()
                .map(ReportedJvm::started)
                .min(Comparator.naturalOrder())
                .orElse(ended);
        List<OtlpPoint> points = Stream.concat(metrics(report), counts(report)).toList();
        return new RunPoints(started, ended, about(report, provenance), points);
    }

    private static SortedMap<String, String> about(RunReport report, Provenance provenance) {
        SortedMap<String, String> about = new TreeMap<>();
        List<Map<String, String>> platforms = report.jvms().stream()
                .flatMap(jvm -> jvm.platform().stream())
                .map(RunEvent.PlatformChosen::labels)
                .toList();
        // for several hosts, only the labels that all of them have
        platforms.stream().limit(1).forEach(about::putAll);
        platforms.forEach(platform -> about.entrySet().retainAll(platform.entrySet()));
        putKnown(about, "commit", provenance.commit());
        putKnown(about, "branch", provenance.branch());
        return about;
    }

    private static void putKnown(Map<String, String> about, String name, String value) {
        if (!value.isEmpty()) {
            about.put(name, value);
        }
    }

    private static Stream<OtlpPoint> metrics(RunReport report) {
        Map<Object, OtlpPoint> last = new LinkedHashMap<>();
        report.tests().stream()
                .sorted(Comparator.comparing(ReportedTest::started))
                .flatMap(test -> test.comparisons().stream())
                .filter(comparison -> !comparison.sample().runs().isEmpty())
                .map(RunPoints::point)
                .filter(point -> Double.isFinite(point.value()))
                .forEach(point -> last.put(List.of(point.name(), point.labels()), point));
        return last.values().stream();
    }

    private static OtlpPoint point(Comparison comparison) {
        SortedMap<String, String> labels = new TreeMap<>();
        // In Prometheus, the label "instance" is the address from which it reads.
        comparison
                .stack()
                .parts()
                .forEach((part, value) -> labels.put(part.equals("instance") ? "instance_type" : part, value));
        labels.put("test_class", comparison.key().testClass());
        labels.put("test", comparison.key().test());
        return new OtlpPoint(
                PREFIX + "metric." + comparison.metric().name(),
                ucum(comparison.metric().unit()),
                labels,
                SampleMedian.of(comparison.sample().toArray()));
    }

    private static String ucum(Unit unit) {
        return switch (unit) {
            case SECONDS -> "s";
            case NANOSECONDS -> "ns";
            case BYTES -> "By";
            case CYCLES -> "{cycle}";
            case FLOPS -> "{flop}";
            case FLOPS_PER_BYTE -> "{flop}/By";
            case PER_SECOND -> "1/s";
            case COUNT, FRACTION, INDEX, TEXT -> "1";
        };
    }

    private static Stream<OtlpPoint> counts(RunReport report) {
        Overview overview = Overview.of(report);
        Stream<OtlpPoint> outcomes = Stream.of(TestOutcome.values())
                .flatMap(outcome -> outcome == TestOutcome.PASSED
                        ? Stream.of(outcomes("tests", outcome, overview.outcomes()))
                        : Stream.of(
                                outcomes("tests", outcome, overview.outcomes()),
                                outcomes("classes", outcome, overview.classes())));
        return Stream.concat(
                outcomes,
                Stream.of(
                        count("executions", "1", overview.executions()),
                        count("flaky", "1", FlakyTest.of(report).size()),
                        count("waiting", "s", overview.waited().toMillis() / 1000.0),
                        count("quarantined", "1", report.quarantinedCores().size()),
                        count("errors", "1", report.unexplainedErrors())));
    }

    private static OtlpPoint outcomes(String name, TestOutcome outcome, Map<TestOutcome, Long> counts) {
        return new OtlpPoint(
                PREFIX + name,
                "1",
                new TreeMap<>(Map.of("outcome", outcome.toString())),
                counts.getOrDefault(outcome, 0L));
    }

    private static OtlpPoint count(String name, String unit, double value) {
        return new OtlpPoint(PREFIX + name, unit, Collections.emptySortedMap(), value);
    }
}
