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
 * What is different from an earlier run. One run against one is weak evidence for a change in time: it says where to look, and decides nothing.
 *
 * @param source the file of the earlier run
 * @param started when the earlier run began; empty when that is not known
 * @param before how many tests the earlier run had
 * @param now how many this one has
 * @param notes what keeps the two from being compared, one sentence each: other hosts first
 * @param changes by what became of the tests; kinds that there are none of are not there
 * @param measured how many tests have a number in both runs that could be compared
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

    /**
     * Keeps its own copies.
     *
     * @param source the file of the earlier run
     * @param started when the earlier run began
     * @param before how many tests the earlier run had
     * @param now how many this one has
     * @param notes what keeps the two from being compared
     * @param changes by what became of the tests
     * @param measured how many tests have a number in both runs
     */
    public RunChanges {
        notes = List.copyOf(notes);
        changes = Collections.unmodifiableMap(new TreeMap<>(changes));
    }

    /** What a reader of slower and faster has to know, in a sentence. */
    public static final String EVIDENCE =
            "One run against one is weak evidence: metrics are listed from %s %% on, times of tests from %s %% and %s ms on; a baseline decides."
                    .formatted(
                            Math.round(100 * ChangedValue.LEAST_OF_METRICS),
                            Math.round(100 * ChangedValue.LEAST_OF_DURATIONS),
                            ChangedValue.LEAST_DURATION.toMillis());

    /**
     * Compares.
     *
     * @param earlier the run before
     * @param report this run
     * @return what is different
     */
    public static RunChanges of(ComparedRun earlier, RunReport report) {
        return new TestChanges(earlier, ComparedRun.of(report)).changes();
    }

    /**
     * Those of one kind.
     *
     * @param kind what became of them
     * @return none when there are none
     */
    public List<Change> of(ChangeKind kind) {
        return changes.getOrDefault(kind, List.of());
    }

    /**
     * Where the earlier run comes from, and how many tests both have.
     *
     * @return such as {@code previous.json, begun 2026-11-21T02:10:00Z: 212 tests before, 215 now}
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
     * What is said of slower and faster.
     *
     * @return empty when no test has a number in both runs that could be compared
     */
    public Optional<String> evidence() {
        if (measured == 0) {
            return Optional.empty();
        }
        boolean far = changes.containsKey(ChangeKind.SLOWER) || changes.containsKey(ChangeKind.FASTER);
        String none =
                "Of %s with numbers in both runs none is far from before. ".formatted(CountText.of(measured, "test"));
        return Optional.of((far ? "" : none) + EVIDENCE);
    }
}
