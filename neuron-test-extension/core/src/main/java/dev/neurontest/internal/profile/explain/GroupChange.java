package dev.neurontest.internal.profile.explain;

import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.ProfileEvents;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The changes of all rows of one grouping.
 *
 * @param changes changes of all names, with the largest growth first
 * @param before total nanoseconds before
 * @param after total nanoseconds after
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record GroupChange(Grouping grouping, List<RowChange> changes, long before, long after) {

    /** Share of the previous total below which a change is noise. */
    static final double NOISE = 0.005;

    /** Share of the total growth or shrinkage below which a change is not listed. */
    private static final double LEAST = 0.02;

    /** Factor that makes a name distinctive: its relative change compared with that of all others together. */
    private static final double APART = 1.5;

    /** Creates a change with its own copy of the rows. */
    public GroupChange {
        changes = List.copyOf(changes);
    }

    static GroupChange of(Grouping grouping, ProfileEvents before, ProfileEvents after) {
        Map<String, EventRow> old = byName(before.rows(grouping));
        Map<String, EventRow> now = byName(after.rows(grouping));
        Set<String> names = new LinkedHashSet<>(now.keySet());
        names.addAll(old.keySet());
        // The remaining part of the other names is known only after the loop.
        boolean hasOthers = names.remove(EventRow.OTHERS);
        List<RowChange> changes = new ArrayList<>();
        for (String name : names) {
            boolean known = isKnown(name, old) && isKnown(name, now);
            EventRow previous = row(grouping, name, old, now);
            changes.add(new RowChange(previous, row(grouping, name, now, old), known));
        }
        if (hasOthers) {
            EventRow none = none(grouping, EventRow.OTHERS);
            changes.add(new RowChange(
                    old.getOrDefault(EventRow.OTHERS, none), now.getOrDefault(EventRow.OTHERS, none), true));
        }
        changes.sort(Comparator.comparingLong(RowChange::nanos).reversed().thenComparing(RowChange::name));
        return new GroupChange(grouping, changes, before.nanos(grouping), after.nanos(grouping));
    }

    private static Map<String, EventRow> byName(List<EventRow> rows) {
        Map<String, EventRow> named = new HashMap<>();
        rows.forEach(row -> named.put(row.name(), row));
        return named;
    }

    private static EventRow none(Grouping grouping, String name) {
        return new EventRow(grouping, name, 0, 0, OptionalLong.empty());
    }

    private static boolean isKnown(String name, Map<String, EventRow> side) {
        return side.containsKey(name) || !side.containsKey(EventRow.OTHERS);
    }

    /**
     * Returns the row of a name. A name without its own row took at most as long as the shortest row that was kept for its time. This upper
     * bound prevents a false growth. The bound is subtracted from the other names, to keep the sums unchanged.
     */
    private static EventRow row(
            Grouping grouping, String name, Map<String, EventRow> side, Map<String, EventRow> opposite) {
        EventRow row = side.get(name);
        EventRow others = side.get(EventRow.OTHERS);
        if (row != null || others == null) {
            return row == null ? none(grouping, name) : row;
        }
        long shortest = side.values().stream()
                .filter(each -> each.isNamed() && each.spilledBytes().orElse(0) == 0)
                .mapToLong(EventRow::nanos)
                .min()
                .orElse(others.nanos());
        long taken = Math.min(
                Math.min(shortest, others.nanos()),
                opposite.getOrDefault(name, none(grouping, name)).nanos());
        side.put(
                EventRow.OTHERS,
                new EventRow(grouping, EventRow.OTHERS, others.nanos() - taken, others.count(), others.spilledBytes()));
        return new EventRow(grouping, name, taken, 0, OptionalLong.empty());
    }

    /** Returns the sum of all growth in nanoseconds. */
    public long growth() {
        return changes.stream().mapToLong(change -> Math.max(0, change.nanos())).sum();
    }

    /** Returns the sum of all shrinkage in nanoseconds, never negative. */
    public long shrinkage() {
        return changes.stream()
                .mapToLong(change -> Math.max(0, -change.nanos()))
                .sum();
    }

    /** Returns the changes that grew by more than noise, with the largest first. */
    public List<RowChange> grown() {
        long least = least(growth());
        return changes.stream().filter(change -> change.nanos() >= least).toList();
    }

    /** Returns the changes that shrank by more than noise, with the largest first. */
    public List<RowChange> shrunk() {
        long least = least(shrinkage());
        return changes.stream()
                .filter(change -> -change.nanos() >= least)
                .sorted(Comparator.comparingLong(RowChange::nanos))
                .toList();
    }

    private long least(long all) {
        return all < NOISE * before ? Long.MAX_VALUE : Math.max(1, Math.round(LEAST * all));
    }

    /**
     * Returns the names with about the same time but other spilled bytes or another number of events.
     *
     * @return the largest differences of spilled bytes first, then the largest differences of numbers
     */
    public List<RowChange> otherwise() {
        double spill = NOISE * Math.max(1, spilled());
        double count = NOISE
                * changes.stream().mapToLong(change -> change.before().count()).sum();
        List<RowChange> shown = new ArrayList<>(grown());
        shown.addAll(shrunk());
        return changes.stream()
                .filter(change -> !shown.contains(change))
                .filter(change -> Math.abs(change.spilled()) >= spill || Math.abs(change.counted()) > count)
                .sorted(Comparator.comparingLong((RowChange change) -> -Math.abs(change.spilled()))
                        .thenComparingLong(change -> -Math.abs(change.counted())))
                .toList();
    }

    /** Returns the listed changes: up to the given number each of grown, shrunk and otherwise changed names. */
    List<RowChange> shown(int most) {
        return Stream.of(grown(), shrunk(), otherwise())
                .flatMap(each -> each.stream().limit(most))
                .toList();
    }

    /** Returns the number of changes that are not listed. */
    int omitted(int most) {
        return grown().size()
                + shrunk().size()
                + otherwise().size()
                - shown(most).size();
    }

    private long spilled() {
        return Math.max(
                changes.stream()
                        .mapToLong(change -> change.before().spilledBytes().orElse(0))
                        .sum(),
                changes.stream()
                        .mapToLong(change -> change.after().spilledBytes().orElse(0))
                        .sum());
    }

    /** Returns whether a name, or a part of a model, changed differently from all others. If there are no others, returns true. */
    boolean isApart(long was, long change) {
        long others = before - was;
        double pace = Math.abs((double) (after - before - change)) / Math.max(1, others);
        boolean isOpposite = Long.signum(after - before - change) != Long.signum(change);
        return was == 0 || others <= 0 || isOpposite || Math.abs(change) >= APART * pace * was;
    }

    /** Returns the share of a growth in the total growth, from 0 to 1. */
    public double share(RowChange change) {
        return change.nanos() > 0 ? (double) change.nanos() / growth() : 0;
    }

    /** Returns the share of time without a name in the new profile. */
    double unnamed() {
        return changes.stream()
                        .filter(change -> change.name().equals(EventRow.NONE))
                        .mapToLong(change -> change.after().nanos())
                        .sum()
                / (double) Math.max(1, after);
    }

    /** Returns whether there are any names. */
    boolean hasNames() {
        return changes.stream().anyMatch(change -> !change.name().equals(EventRow.NONE));
    }

    /** Returns the number of names. */
    long names() {
        return changes.stream().filter(change -> change.after().isNamed()).count();
    }
}
