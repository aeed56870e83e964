package dev.neurontest.export;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Stack;
import dev.neurontest.report.HostError;
import dev.neurontest.report.ReportedJvm;
import dev.neurontest.report.ReportedQuarantine;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.RunReport;
import dev.neurontest.report.TestOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The numbers of a run: medians of what was compared with baselines, how tests ended, what was wrong with the hosts. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunPoints {

    private static final String PREFIX = "neuron.test.";

    private final Instant started;
    private final Instant ended;
    private final SortedMap<String, String> about;
    private final List<MeasuredMetric> metrics;
    private final List<Point> counts;

    private RunPoints(
            Instant started,
            Instant ended,
            SortedMap<String, String> about,
            List<MeasuredMetric> metrics,
            List<Point> counts) {
        this.started = started;
        this.ended = ended;
        this.about = Collections.unmodifiableSortedMap(about);
        this.metrics = List.copyOf(metrics);
        this.counts = List.copyOf(counts);
    }

    /**
     * Takes the numbers out of a run. Where a metric of a test was measured several times, the last counts.
     *
     * @param report of the whole run
     * @param provenance which source was tested
     * @param now when the run ended, if no JVM says
     * @return its numbers
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
        return new RunPoints(started, ended, about(report, provenance), metrics(report), counts(report));
    }

    private static SortedMap<String, String> about(RunReport report, Provenance provenance) {
        SortedMap<String, String> about = new TreeMap<>();
        List<Map<String, String>> platforms = report.jvms().stream()
                .flatMap(jvm -> jvm.platform().stream())
                .map(platform -> platform.labels())
                .toList();
        // of several hosts only what holds for all
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

    private static List<MeasuredMetric> metrics(RunReport report) {
        record Series(BaselineKey key, Stack stack) {}
        Map<Series, MeasuredMetric> last = new LinkedHashMap<>();
        report.tests().stream()
                .sorted(Comparator.comparing(ReportedTest::started))
                .flatMap(test -> test.comparisons().stream())
                .filter(comparison -> !comparison.sample().runs().isEmpty())
                .map(RunPoints::measured)
                .filter(metric -> Double.isFinite(metric.median()))
                .forEach(metric -> last.put(new Series(metric.key(), metric.stack()), metric));
        return List.copyOf(last.values());
    }

    private static MeasuredMetric measured(Comparison comparison) {
        return new MeasuredMetric(
                comparison.key(),
                comparison.stack(),
                comparison.metric(),
                median(comparison.sample().toArray()));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }

    private static List<Point> counts(RunReport report) {
        Stream<Point> outcomes = Arrays.stream(TestOutcome.values()).map(outcome -> {
            long number = report.tests().stream()
                    .filter(test -> test.outcome() == outcome)
                    .count();
            SortedMap<String, String> label = new TreeMap<>(Map.of("outcome", outcome.toString()));
            return new Point(PREFIX + "tests", "1", label, number);
        });
        Duration waited = report.tests().stream().map(ReportedTest::waited).reduce(Duration.ZERO, Duration::plus);
        return Stream.concat(
                        outcomes,
                        Stream.of(
                                count("waiting", "s", waited.toMillis() / 1000.0),
                                count("quarantined", "1", cores(report)),
                                count("errors", "1", errors(report))))
                .toList();
    }

    private static long cores(RunReport report) {
        record Core(String host, String name) {}
        return report.quarantines().stream()
                .filter(ReportedQuarantine::counts)
                .map(quarantine -> new Core(quarantine.host(), quarantine.core()))
                .distinct()
                .count();
    }

    private static long errors(RunReport report) {
        return report.hostErrors().stream().mapToLong(HostError::unexplained).sum();
    }

    private static Point count(String name, String unit, double value) {
        return new Point(PREFIX + name, unit, Collections.emptySortedMap(), value);
    }

    Instant started() {
        return started;
    }

    Instant ended() {
        return ended;
    }

    /** What holds for the run as a whole: platform, commit, branch. */
    SortedMap<String, String> about() {
        return about;
    }

    List<MeasuredMetric> metrics() {
        return metrics;
    }

    /** All numbers. */
    List<Point> points() {
        return Stream.concat(metrics.stream().map(MeasuredMetric::toPoint), counts.stream())
                .toList();
    }
}
