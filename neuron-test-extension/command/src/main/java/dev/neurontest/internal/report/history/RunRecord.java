package dev.neurontest.internal.report.history;

import dev.neurontest.internal.report.FlakyTest;
import dev.neurontest.internal.report.Overview;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.show.ComparisonView;
import dev.neurontest.internal.report.show.Limits;
import dev.neurontest.metric.Unit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apiguardian.api.API;

/**
 * A run as far as its trends need it. It has at most 50 KB in a usual suite.
 *
 * @param version version of this format
 * @param kind kind of the file
 * @param run id of the run; the start for a run without an id
 * @param started start of the first JVM
 * @param took time from then until the end of the last JVM
 * @param tests number of tests
 * @param failed number of failed and lost tests
 * @param flaky names of the tests that passed only after a failed attempt, at most 200
 * @param values medians that were compared with baselines, at most 200
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunRecord(
        int version,
        String kind,
        String run,
        Instant started,
        Duration took,
        long tests,
        long failed,
        List<String> flaky,
        List<Value> values) {

    static final int VERSION = 1;
    static final String KIND = "neuron-run";

    private static final int MOST = 200;
    private static final int LONGEST = 200;
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("+10000-01-01T00:00:00Z");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /**
     * A median.
     *
     * @param subject test and metric
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Value(String subject, double median, Unit unit) {

        /** Refuses a number that no page can show. */
        public Value {
            if (!isShown(median, unit)) {
                throw new IllegalArgumentException(
                        "is the median %s %s, expected 0 or a finite positive number with a unit"
                                .formatted(median, unit.symbol()));
            }
        }

        private static boolean isShown(double median, Unit unit) {
            return median >= 0 && median < Double.POSITIVE_INFINITY && unit != Unit.TEXT;
        }
    }

    /** Creates an instance with its own copies. Refuses a start that the name of a file cannot contain. */
    public RunRecord {
        if (started.isBefore(EARLIEST) || !started.isBefore(LATEST)) {
            throw new IllegalArgumentException("started at %s, expected a year of four digits".formatted(started));
        }
        flaky = List.copyOf(flaky);
        values = List.copyOf(values);
    }

    /** Creates the record of a run, which has at least one JVM. */
    public static RunRecord of(RunReport report) {
        Overview overview = Overview.of(report);
        Instant started = overview.started().orElseThrow();
        return new RunRecord(
                VERSION,
                KIND,
                overview.runs().isEmpty() ? started.toString() : String.join(", ", overview.runs()),
                started,
                overview.took(),
                overview.tests(),
                overview.outcomes().get(TestOutcome.FAILED)
                        + overview.outcomes().get(TestOutcome.LOST),
                FlakyTest.of(report).stream()
                        .map(test -> Limits.bounded(test.id().name(), LONGEST))
                        .distinct()
                        .limit(MOST)
                        .toList(),
                values(report));
    }

    /** Returns the medians by subject. Of several executions of the same test, the last one counts. */
    private static List<Value> values(RunReport report) {
        Map<String, Value> values = new LinkedHashMap<>();
        report.tests().stream().flatMap(test -> test.comparisons().stream()).forEach(comparison -> {
            Unit unit = comparison.metric().unit();
            String subject = Limits.bounded(comparison.key().toString(), LONGEST);
            ComparisonView.median(comparison.sample()).stream()
                    .filter(median -> Value.isShown(median, unit))
                    .forEach(median -> values.put(subject, new Value(subject, median, unit)));
        });
        return values.values().stream().limit(MOST).toList();
    }

    /** Returns the end of the name of its file, which is the same for each report of the run. */
    String suffix() {
        return "-" + UUID.nameUUIDFromBytes(run.getBytes(StandardCharsets.UTF_8)) + RunHistory.END;
    }

    /** Returns the name of its file. Names have the order of the runs. */
    String file() {
        return RunHistory.BEGINNING + TIME.format(started) + suffix();
    }
}
