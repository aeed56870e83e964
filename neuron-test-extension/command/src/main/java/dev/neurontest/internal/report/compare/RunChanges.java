package dev.neurontest.internal.report.compare;

import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.text.CountText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The differences from an earlier run. A comparison of two single runs is weak evidence for a change in time: it shows where to look, but
 * decides nothing.
 *
 * @param source the file of the earlier run
 * @param started start of the earlier run; empty when unknown
 * @param before number of tests in the earlier run
 * @param now number of tests in this run
 * @param notes reasons why the runs are not comparable, one sentence each; other hosts come first
 * @param changes changes by kind; kinds without changes are absent
 * @param measured number of tests with a comparable value in both runs
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunChanges(
        String source,
        Optional<Instant> started,
        long before,
        long now,
        List<String> notes,
        Map<ChangeKind, List<Change>> changes,
        long measured) {

    /** Creates an instance with its own copies. */
    public RunChanges {
        notes = List.copyOf(notes);
        changes = Collections.unmodifiableMap(new TreeMap<>(changes));
    }

    /** Explanation for readers of slower and faster values, in a sentence. */
    public static final String EVIDENCE =
            "One run against one is weak evidence: metrics are listed from %s %% on, times of tests from %s %% and %s ms on; a baseline decides."
                    .formatted(
                            Math.round(100 * ChangedValue.LEAST_OF_METRICS),
                            Math.round(100 * ChangedValue.LEAST_OF_DURATIONS),
                            ChangedValue.LEAST_DURATION.toMillis());

    /**
     * Compares two runs.
     *
     * @param earlier the earlier run
     * @param report this run
     */
    public static RunChanges of(ComparedRun earlier, RunReport report) {
        return new TestChanges(earlier, ComparedRun.of(report)).changes();
    }

    /** Returns the changes of one kind; empty when there are none. */
    public List<Change> of(ChangeKind kind) {
        return changes.getOrDefault(kind, List.of());
    }

    /**
     * Returns the source of the earlier run and the number of tests in both, such as
     * {@code previous.json, begun 2026-11-21T02:10:00Z: 212 tests before, 215 now}.
     */
    public String headline() {
        return "%s%s: %s before, %s now"
                .formatted(
                        source,
                        started.map(time -> ", begun " + time.truncatedTo(ChronoUnit.SECONDS))
                                .orElse(""),
                        CountText.of(before, "test"),
                        now);
    }

    /**
     * Returns the explanation of slower and faster values.
     *
     * @return empty when no test has a comparable value in both runs
     */
    public Optional<String> evidence() {
        if (measured == 0) {
            return Optional.empty();
        }
        boolean far = changes.containsKey(ChangeKind.SLOWER) || changes.containsKey(ChangeKind.FASTER);
        String none = "Of %s with numbers in both runs, none is far from its earlier value. "
                .formatted(CountText.of(measured, "test"));
        return Optional.of((far ? "" : none) + EVIDENCE);
    }
}
