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
 * @param grouping by what
 * @param changes of every name, those that grew most first
 * @param before nanoseconds of all
 * @param after nanoseconds of all
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record GroupChange(Grouping grouping, List<RowChange> changes, long before, long after) {

    /** What is less of all that was there is noise. */
    static final double NOISE = 0.005;

    /** What is less of all that grew or shrank is not worth a line. */
    private static final double LEAST = 0.02;

    /** A name stands out when it changed so many times as fast as all others together. */
    private static final double APART = 1.5;

    /**
     * Creates a change with its own copy of the rows.
     *
     * @param grouping by what
     * @param changes of every name
     * @param before nanoseconds of all
     * @param after nanoseconds of all
     */
    public GroupChange {
        changes = List.copyOf(changes);
    }

    static GroupChange of(Grouping grouping, ProfileEvents before, ProfileEvents after) {
        Map<String, EventRow> old = byName(before.rows(grouping));
        Map<String, EventRow> now = byName(after.rows(grouping));
        Set<String> names = new LinkedHashSet<>(now.keySet());
        names.addAll(old.keySet());
        // The part that is taken out of the others is known at the end.
        boolean hasOthers = names.remove(EventRow.OTHERS);
        List<RowChange> changes = new ArrayList<>();
        for (String name : names) {
            boolean known = isKnown(name, old) && isKnown(name, now);
            EventRow was = row(grouping, name, old, now);
            changes.add(new RowChange(was, row(grouping, name, now, old), known));
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
     * A group that is not kept apart took at most as long as the shortest that was kept for its time. It is taken to be that, so that no growth is
     * made up, and out of the others, so that sums stay.
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

    /**
     * Returns all that became longer, added up.
     *
     * @return nanoseconds
     */
    public long growth() {
        return changes.stream().mapToLong(change -> Math.max(0, change.nanos())).sum();
    }

    /**
     * Returns all that became shorter, added up.
     *
     * @return nanoseconds, not negative
     */
    public long shrinkage() {
        return changes.stream()
                .mapToLong(change -> Math.max(0, -change.nanos()))
                .sum();
    }

    /**
     * Returns what became longer by more than noise.
     *
     * @return the most first
     */
    public List<RowChange> grown() {
        long least = least(growth());
        return changes.stream().filter(change -> change.nanos() >= least).toList();
    }

    /**
     * Returns what became shorter by more than noise.
     *
     * @return the most first
     */
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
     * Returns what took about as long as before, but spilled more or less, or is of more or fewer events.
     *
     * @return those that spilled most more or less first, then those whose number changed most
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

    /** Returns what is shown of it: so many that grew, that shrank, and that changed otherwise. */
    List<RowChange> shown(int most) {
        return Stream.of(grown(), shrunk(), otherwise())
                .flatMap(each -> each.stream().limit(most))
                .toList();
    }

    /** Returns how many changes are not shown then. */
    int left(int most) {
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

    /** Returns whether a name, or the part of a model, changed otherwise than all others. Without others it does. */
    boolean isApart(long was, long change) {
        long others = before - was;
        double pace = Math.abs((double) (after - before - change)) / Math.max(1, others);
        boolean isOpposite = Long.signum(after - before - change) != Long.signum(change);
        return was == 0 || others <= 0 || isOpposite || Math.abs(change) >= APART * pace * was;
    }

    /**
     * Returns how much of all that grew.
     *
     * @param change one that grew
     * @return from 0 to 1
     */
    public double share(RowChange change) {
        return change.nanos() > 0 ? (double) change.nanos() / growth() : 0;
    }

    /** Returns how much of the time has no name now. */
    double unnamed() {
        return changes.stream()
                        .filter(change -> change.name().equals(EventRow.NONE))
                        .mapToLong(change -> change.after().nanos())
                        .sum()
                / (double) Math.max(1, after);
    }

    /** Returns whether there are names at all. */
    boolean hasNames() {
        return changes.stream().anyMatch(change -> !change.name().equals(EventRow.NONE));
    }

    /** Returns how many names there are. */
    long names() {
        return changes.stream().filter(change -> change.after().isNamed()).count();
    }
}
