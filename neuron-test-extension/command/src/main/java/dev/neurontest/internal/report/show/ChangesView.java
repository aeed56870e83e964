package dev.neurontest.internal.report.show;

import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.compare.Change;
import dev.neurontest.internal.report.compare.ChangeKind;
import dev.neurontest.internal.report.compare.RunChanges;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The differences from an earlier run.
 *
 * @param changes of the run
 * @param limits space for them
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ChangesView(RunChanges changes, Limits limits) {

    /** More would push the failures themselves down. */
    private static final int MOST_OPEN = 20;

    /** Kinds that a reader came for; a page shows the others after a click. */
    private static final Set<ChangeKind> OPEN =
            Set.of(ChangeKind.NEWLY_FAILING, ChangeKind.GONE, ChangeKind.NOT_DECIDED, ChangeKind.SLOWER);

    /**
     * A kind of change.
     *
     * @param title its words
     * @param isOpen whether a page shows it without a click
     * @param rows tests
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Group(String title, boolean isOpen, TruncatedList<Row> rows) {}

    /**
     * A test that changed.
     *
     * @param test its name
     * @param now how it ended; empty where it is gone
     * @param words what became of it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Row(String test, Optional<TestOutcome> now, String words) {}

    List<Group> groups() {
        return Arrays.stream(ChangeKind.values())
                .filter(kind -> !changes.of(kind).isEmpty())
                .map(kind -> group(kind, changes.of(kind)))
                .toList();
    }

    private Group group(ChangeKind kind, List<Change> all) {
        List<Row> rows = all.stream()
                .map(change -> new Row(change.test(), change.now(), change.words(kind)))
                .toList();
        return new Group(
                kind.words(),
                OPEN.contains(kind) && rows.size() <= MOST_OPEN,
                TruncatedList.of(rows, limits.changes()));
    }
}
