package dev.neurontest.report.page;

import dev.neurontest.report.compare.Change;
import dev.neurontest.report.compare.ChangeKind;
import dev.neurontest.report.compare.RunChanges;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** What is different from an earlier run: a list for each kind of change. */
record PageChanges(RunChanges changes) {

    private static final int MOST = 100;

    /** The failures themselves come below. */
    private static final int MOST_OPEN = 20;

    /** What a reader came for; the others are one click away. */
    private static final Set<ChangeKind> OPEN =
            Set.of(ChangeKind.NEWLY_FAILING, ChangeKind.GONE, ChangeKind.NOT_DECIDED, ChangeKind.SLOWER);

    /** Those of one kind. */
    record Group(ChangeKind kind, List<Change> all) {

        String title() {
            return kind.words();
        }

        int count() {
            return all.size();
        }

        boolean isOpen() {
            return OPEN.contains(kind) && all.size() <= MOST_OPEN;
        }

        List<Row> rows() {
            return all.stream().limit(MOST).map(change -> new Row(kind, change)).toList();
        }

        int more() {
            return Math.max(0, all.size() - MOST);
        }
    }

    /** A test. */
    record Row(ChangeKind kind, Change change) {

        String test() {
            return change.test();
        }

        /** How it ended now stands beside it. */
        String what() {
            return switch (kind) {
                case NEW -> "";
                case GONE, FLAKY, SLOWER, FASTER -> change.words(kind);
                default -> change.words(ChangeKind.GONE);
            };
        }
    }

    List<Group> groups() {
        return Arrays.stream(ChangeKind.values())
                .filter(kind -> !changes.of(kind).isEmpty())
                .map(kind -> new Group(kind, changes.of(kind)))
                .toList();
    }
}
