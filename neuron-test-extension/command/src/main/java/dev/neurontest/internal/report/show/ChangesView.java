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
 * A view of the differences from an earlier run.
 *
 * @param changes changes of the run
 * @param limits space limits of the view
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ChangesView(RunChanges changes, Limits limits) {

    /** Maximum number of rows of a group that is shown without a click. More would push the failures down. */
    private static final int MOST_OPEN = 20;

    /** Kinds that are shown without a click, because readers look for these. A page shows other kinds after a click. */
    private static final Set<ChangeKind> OPEN =
            Set.of(ChangeKind.NEWLY_FAILING, ChangeKind.GONE, ChangeKind.NOT_DECIDED, ChangeKind.SLOWER);

    /**
     * A group of changes of one kind.
     *
     * @param title words of the kind
     * @param isOpen true if a page shows it without a click
     * @param rows changed tests
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Group(String title, boolean isOpen, TruncatedList<Row> rows) {}

    /**
     * A changed test.
     *
     * @param test name of the test
     * @param now outcome in this run; empty when the test is gone
     * @param words description of the change
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
